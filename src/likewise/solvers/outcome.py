"""What an engine hands back, in terms of merged points."""

from dataclasses import dataclass

import numpy as np

from likewise.problem import PairDuals
from likewise.solvers.scan import FoundPairs
from likewise.types import Array


@dataclass(frozen=True)
class Outcome:
    """Exactly fair distributions of the merged points, and the evidence of how good they are."""

    distributions: Array
    duals: PairDuals
    n_iter: int
    finished: bool
    trace: dict[str, int]


def duals_of_rows(pairs: FoundPairs, alpha: Array, beta: Array, label: Array) -> PairDuals:
    """Duals of merged pairs (a, b) as duals of the rows (i, j) that the pairs stand for."""
    flipped = (label[pairs.i] != pairs.a)[:, None]  # a symmetric pair is kept in one order only
    return PairDuals(
        pairs.i, pairs.j, np.where(flipped, beta, alpha), np.where(flipped, alpha, beta)
    )
