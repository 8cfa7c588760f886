"""What an engine hands back, in terms of merged points."""

from dataclasses import dataclass

import numpy as np

from likewise._typing import Array
from likewise.problem.assignment import AssignmentProblem, Duals
from likewise.solvers.checkpoint import named, part
from likewise.solvers.group_constraints import GroupRows
from likewise.solvers.presolve import Merging
from likewise.solvers.working_set import CandidatePairs


@dataclass(frozen=True)
class MergedDuals:
    """Evidence for a lower bound, in additions to the costs of merged points.

    ``alpha`` and ``beta`` belong to the ends of ``pairs``; the multipliers of groups to the rows
    (side, group, centre) of ``GroupRows``, those of openings to (point, centre).
    """

    pairs: CandidatePairs
    alpha: Array
    beta: Array
    of_groups: Array
    of_openings: Array

    def of_rows(self, merging: Merging, groups: GroupRows) -> Duals:
        """As duals of the rows (i, j) that the pairs (a, b) stand for; those of a merged point go
        to the first of its rows.
        """
        used = np.flatnonzero(self.alpha.any(axis=1) | self.beta.any(axis=1))
        i, j, flipped = merging.rows_of(self.pairs.take(used))
        alpha, beta = turned_ends(flipped, self.alpha[used], self.beta[used])
        opening = np.zeros((0, 0))
        if self.of_openings.size:
            opening = np.zeros((merging.n_points, self.of_openings.shape[1]))
            opening[np.unique(merging.label, return_index=True)[1]] = self.of_openings
        above, below = self.of_groups / groups.unit
        return Duals(i, j, alpha, beta, above, below, opening)

    @staticmethod
    def from_rows(
        duals: Duals, problem: AssignmentProblem, merging: Merging, groups: GroupRows
    ) -> "MergedDuals":
        """The way back. Pairs that this problem does not constrain are left out, and openings."""
        bound = problem.pairs.bounds_at(duals.i, duals.j)
        kept = np.flatnonzero(np.isfinite(bound))
        i, j, bound = duals.i[kept], duals.j[kept], bound[kept]
        alpha, beta = duals.alpha[kept], duals.beta[kept]
        a, b = merging.label[i], merging.label[j]
        code = i.astype(np.int64) * merging.n_points + j
        if problem.divergence.symmetric:  # one order only
            alpha, beta = turned_ends(a > b, alpha, beta)
            a, b = np.minimum(a, b), np.maximum(a, b)
        of_groups = np.zeros((2, len(groups), problem.n_centers))
        if duals.above.size:
            of_groups[:] = duals.above, duals.below
        pairs = CandidatePairs(a, b, bound, code)
        return MergedDuals(pairs, alpha, beta, of_groups * groups.unit, np.zeros((0, 0)))

    def arrays(self) -> dict[str, Array]:
        """For a checkpoint."""
        own = {name: array for name, array in vars(self).items() if name != "pairs"}
        return own | named("pairs", vars(self.pairs))

    @staticmethod
    def from_arrays(arrays: dict[str, Array]) -> "MergedDuals":
        """From a checkpoint."""
        pairs = CandidatePairs(**part("pairs", arrays))
        own = {name: array for name, array in arrays.items() if not name.startswith("pairs.")}
        return MergedDuals(pairs, **own)


def turned_ends(where: Array, alpha: Array, beta: Array) -> tuple[Array, Array]:
    """The two ends, the other way round where it is said."""
    turned = where[:, None]
    return np.where(turned, beta, alpha), np.where(turned, alpha, beta)


@dataclass(frozen=True)
class Outcome:
    """Exactly fair distributions of the merged points, and the evidence of how good they are."""

    distributions: Array
    duals: Duals
    n_iter: int
    finished: bool
    trace: dict[str, int]
