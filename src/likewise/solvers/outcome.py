"""What an engine hands back, in terms of merged points."""

from dataclasses import dataclass

import numpy as np

from likewise.problem import Duals
from likewise.solvers.found import FoundPairs, Merging
from likewise.types import Array


@dataclass(frozen=True)
class Outcome:
    """Exactly fair distributions of the merged points, and the evidence of how good they are."""

    distributions: Array
    duals: Duals
    n_iter: int
    finished: bool
    trace: dict[str, int]


def duals_of_rows(
    pairs: FoundPairs, alpha: Array, beta: Array, merging: Merging, of_groups: Array
) -> Duals:
    """Duals of merged pairs (a, b) as duals of the rows (i, j) that the pairs stand for."""
    i, j, flipped = merging.rows_of(pairs)
    turned = flipped[:, None]
    alpha, beta = np.where(turned, beta, alpha), np.where(turned, alpha, beta)
    return Duals(i, j, alpha, beta, *of_groups)
