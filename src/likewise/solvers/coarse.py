"""Coarse to fine: where a run begins if every pair of many points is compared.

What a point has to agree on with points far away is much the same for all points near it. So the
problem is first solved roughly for some *representatives*, each with the costs of its *cell*: the
points that are nearer to it than to the others. Everybody begins with the distribution of their
representative. The duals of a pair of representatives are split over pairs of members of the two
cells, round robin, so that all members get the same part of what they add to the costs of the cell;
as the bounds of these pairs are much the same, so is what they prove. The representatives may begin
in the same way, with some of them.

Measured, every pair: KL over 4,000 credit cards takes a fifth of the time, and over 10,000 what did
not end in 400 s ends within a minute; total variation over 29,737 takes four fifths.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from likewise._typing import Array
from likewise.compute.budget import SOLVING, Budget, Trial
from likewise.compute.cancellation import check
from likewise.geometry.distances import BLOCK_CELLS, Distances
from likewise.problem.assignment import Assignment, AssignmentProblem, Duals
from likewise.similarities.pairs import EveryPair
from likewise.solvers.merged_problem import MergedProblem
from likewise.solvers.result import MergedDuals, turned_ends

# From so many points on it is worth it, by what was measured. Divergences that are quadratic near
# zero hardly bind points near each other, and gain much; the planes of total variation do.
WORTH_IT, WORTH_IT_FOR_PLANES = 2_000, 20_000
REPRESENTED = 5  # points by each representative
ROUGHLY = 0.02  # the gap to which the representatives' problem is solved, if no other will do
SHARE = 0.25  # of what is left of the time, at most
LEAST_ROWS = 64  # of a block of distances: several threads are to have some

Solve = Callable[[AssignmentProblem, Budget, float], Assignment]


class Start(NamedTuple):
    """Distributions of the merged points, nearly fair, and duals; and how much work they were."""

    x: Array
    duals: MergedDuals
    trace: dict[str, int]


class Cells(NamedTuple):
    """Which members each cell has: ``members`` from first[cell] to first[cell + 1]."""

    members: Array
    first: Array

    @staticmethod
    def of(label: Array, n_cells: int) -> "Cells":
        """From the cell of each point."""
        return Cells(
            np.argsort(label, kind="stable"), _starts(np.bincount(label, minlength=n_cells))
        )

    @property
    def sizes(self) -> Array:
        return np.diff(self.first)

    def member(self, cell: Array, turn: Array) -> Array:
        """Whose turn it is in each cell, one after the other and again from the first."""
        members: Array = self.members[self.first[cell] + turn % self.sizes[cell]]
        return members


def coarse_start(
    problem: AssignmentProblem, merged: MergedProblem, budget: Budget, solve: Solve, tol: float
) -> Start | None:
    """Where to begin, from a rough answer for representatives; None where it is not worth it, or
    took too long.
    """
    pairs = problem.pairs
    if not isinstance(pairs, EveryPair) or not _is_worth_it(merged, pairs):
        return None
    row_of = merged.merging.row_of
    chosen = _representatives(len(row_of))
    trial = Trial(budget, SHARE * budget.seconds_left)
    with trial.cut_short(SOLVING) as looking:
        label = nearest(pairs.distances, row_of, row_of[chosen])
    if looking.was_cut:
        return None
    label[chosen] = np.arange(len(chosen))
    cost = np.zeros((len(chosen), problem.n_centers))
    np.add.at(cost, label, merged.cost)
    of_chosen = pairs.of_rows(row_of[chosen])
    few = AssignmentProblem(cost, of_chosen, problem.divergence, executor=problem.executor)
    answer = solve(few, trial, max(ROUGHLY, tol))
    if len(answer.duals.i) == 0:  # nothing binds, or nothing was found out
        return None
    duals = split(answer.duals, Cells.of(label, len(chosen)), row_of)
    return Start(
        answer.distributions[label],
        MergedDuals.from_rows(as_bound(duals, problem), problem, merged.merging, merged.groups),
        {f"coarse_{name}": number for name, number in answer.trace.items()},
    )


def begins_coarsely(n: int, is_curved: bool) -> bool:
    """Whether that many points are enough for it."""
    return n >= (WORTH_IT if is_curved else WORTH_IT_FOR_PLANES)


def _is_worth_it(merged: MergedProblem, pairs: EveryPair) -> bool:
    """Bounds on groups, openings and centres allowed are about people, not about cells. Where some
    are compared only with some, or are one point by their bounds, near ones need not be alike.
    """
    is_plain = len(merged.groups) == 0 and merged.n_open is None and merged.allowed is None
    of_distances = pairs.radii is not None or merged.merging.n_merged == merged.merging.n_points
    is_many = begins_coarsely(len(merged.cost), not merged.divergence.piecewise_linear)
    return is_plain and pairs.groups is None and of_distances and merged.ops.can_iterate and is_many


def _representatives(n: int) -> Array:
    """Some of n points, always the same."""
    order = np.random.default_rng(0).permutation(n)
    return np.sort(order[: n // REPRESENTED])


def nearest(distances: Distances, rows: Array, others: Array) -> Array:
    """The place among the others of the one that is nearest to each of the rows."""
    found = np.empty(len(rows), dtype=np.int64)
    step = max(LEAST_ROWS, BLOCK_CELLS // len(others))
    for start in range(0, len(rows), step):
        check()
        part = slice(start, start + step)
        found[part] = distances.table(rows[part], others).argmin(axis=1)
    return found


def split(duals: Duals, cells: Cells, row_of: Array) -> Duals:
    """The duals of pairs of cells as those of pairs of their members, as many as the larger cell
    has, round robin.
    """
    count = np.maximum(cells.sizes[duals.i], cells.sizes[duals.j])
    pair = np.repeat(np.arange(len(count)), count)
    turn = np.arange(len(pair)) - _starts(count)[pair]
    return Duals(
        i=row_of[cells.member(duals.i[pair], turn)],
        j=row_of[cells.member(duals.j[pair], turn)],
        alpha=(duals.alpha / count[:, None])[pair],
        beta=(duals.beta / count[:, None])[pair],
    )


def as_bound(duals: Duals, problem: AssignmentProblem) -> Duals:
    """The same, each pair in the order that constrains it. Representatives of larger radius may
    have members of smaller, and a symmetric divergence keeps one order only: that with the smaller
    bound. Pairs that are within their bounds whatever they get are left out.
    """
    i, j, alpha, beta = duals.i, duals.j, duals.alpha, duals.beta
    bound = problem.pairs.bounds_at(i, j)
    if problem.divergence.symmetric:
        other = problem.pairs.bounds_at(j, i)
        turned = other < bound
        i, j = np.where(turned, j, i), np.where(turned, i, j)
        alpha, beta = turned_ends(turned, alpha, beta)
        bound = np.minimum(bound, other)
    binds = np.flatnonzero(bound < problem.divergence.largest)
    return Duals(i[binds], j[binds], alpha[binds], beta[binds])


def _starts(counts: Array) -> Array:
    """Where each of so many things begins, and the end."""
    return np.concatenate([[0], np.cumsum(counts)])
