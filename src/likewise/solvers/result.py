"""What an engine hands back, in terms of merged points."""

from dataclasses import dataclass

import numpy as np

from likewise._typing import Array
from likewise.problem.assignment import AssignmentProblem, Duals
from likewise.solvers.presolve import Merging
from likewise.solvers.working_set import CandidatePairs


@dataclass(frozen=True)
class Outcome:
    """Exactly fair distributions of the merged points, and the evidence of how good they are."""

    distributions: Array
    duals: Duals
    n_iter: int
    finished: bool
    trace: dict[str, int]


def duals_of_rows(
    pairs: CandidatePairs,
    alpha: Array,
    beta: Array,
    merging: Merging,
    of_groups: Array,
    of_openings: Array | None = None,
) -> Duals:
    """Duals of merged pairs (a, b) as duals of the rows (i, j) that the pairs stand for; those of
    a merged point go to the first of its rows.
    """
    i, j, flipped = merging.rows_of(pairs)
    turned = flipped[:, None]
    alpha, beta = np.where(turned, beta, alpha), np.where(turned, alpha, beta)
    opening = np.zeros((0, 0))
    if of_openings is not None and of_openings.size:
        opening = np.zeros((merging.n_points, of_openings.shape[1]))
        opening[np.unique(merging.label, return_index=True)[1]] = of_openings
    above, below = of_groups
    return Duals(i, j, alpha, beta, above, below, opening)


def pairs_of_duals(
    duals: Duals, problem: AssignmentProblem, merging: Merging
) -> tuple[CandidatePairs, Array, Array]:
    """The way back: the merged pairs that these duals belong to, and what each end is given.
    Pairs that this problem does not constrain are left out.
    """
    bound = problem.pairs.bounds_at(duals.i, duals.j)
    kept = np.flatnonzero(np.isfinite(bound))
    i, j, bound = duals.i[kept], duals.j[kept], bound[kept]
    alpha, beta = duals.alpha[kept], duals.beta[kept]
    a, b = merging.label[i], merging.label[j]
    code = i.astype(np.int64) * merging.n_points + j
    if problem.divergence.symmetric:  # one order only
        turned = (a > b)[:, None]
        alpha, beta = np.where(turned, beta, alpha), np.where(turned, alpha, beta)
        a, b = np.minimum(a, b), np.maximum(a, b)
    return CandidatePairs(a, b, bound, code), alpha, beta
