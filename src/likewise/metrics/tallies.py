"""How many pairs are above their bounds, person by person: one pass over all pairs, on all cores,
for any number of clusterings of the same people.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from likewise._typing import Array
from likewise.compute.threads import over_ranges, plain_blas
from likewise.divergences.registry import Divergence
from likewise.similarities.blocks import RowTallies
from likewise.similarities.pairs import PairSource


@dataclass(frozen=True)
class Tally:
    """What the pairs of a clustering amount to."""

    compared: Array  # of each row, how many pairs (row, j) are constrained
    violated: Array  # and how many of them are above their bounds
    worst: Array  # and the largest divergence - bound; minus infinity without any pair
    worst_with: Array  # and the j of that pair; -1 without any
    worst_in_block: Array  # the largest in each block of the pairs

    @staticmethod
    def of(n_points: int, blocks: Sequence[RowTallies]) -> "Tally":
        """The blocks put together."""
        _, compared, violated, worst, worst_with = RowTallies.empty(0, n_points)
        for block in blocks:
            rows = block.rows
            compared[rows] += block.compared
            violated[rows] += block.violated
            worst_with[rows] = np.where(
                block.worst > worst[rows], block.worst_with, worst_with[rows]
            )
            worst[rows] = np.maximum(worst[rows], block.worst)
        worst_in_block = np.array([block.worst.max(initial=-np.inf) for block in blocks])
        return Tally(compared, violated, worst, worst_with, worst_in_block)


def nothing() -> None:
    """What is done after each block if nobody wants to know."""


def tally_pairs(
    clusterings: Sequence[Array],
    pairs: PairSource,
    divergence: Divergence,
    tolerance: float,
    after_block: Callable[[], None] = nothing,
) -> list[Tally]:
    """The tally of each clustering; the bounds of a block are computed once for all of them."""

    def tally_blocks(first: int, last: int) -> list[list[RowTallies]]:
        found = []
        for block in pairs.blocks(first, last):
            values = (block.divergences(divergence, x) for x in clusterings)
            found.append([block.tally(of_block, tolerance) for of_block in values])
            after_block()
        return found

    with plain_blas():
        parts = over_ranges(tally_blocks, pairs.n_blocks, grain=1)
    by_block = list(chain.from_iterable(parts))
    return [
        Tally.of(len(x), [block[number] for block in by_block])
        for number, x in enumerate(clusterings)
    ]
