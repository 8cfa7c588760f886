"""Better centres than a vanilla clustering's: chosen again for the people they really serve.

After a fair assignment each centre has a mass: what of everybody is sent there. *Moving* a centre
to the row that is cheapest for its mass can only lower the cost: bounds do not depend on where
centres are, so that the same answer stays fair. Solving again from there lowers it further. Where
no move helps any more, *swaps* of a centre for any other row are tried
(few points only): the duals of the present answer bound the cost after every swap from below, so
most swaps are ruled out without solving anything.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from likewise._typing import Array
from likewise.centers.local_search import seeds
from likewise.certificate import cost_shift_and_support
from likewise.geometry.distances import Distances
from likewise.problem.assignment import Assignment, AssignmentProblem
from likewise.problem.costs import powers
from likewise.problem.specification import Task

CANDIDATES = 3_000  # rows that a centre may move to, where all are too many
CELLS = 2_000_000  # of a block of distances: 16 MB
WORTHWHILE = 1e-9  # a move lowers the cost by at least this share of it: by more than rounding
SWAP_POINTS = 500  # swaps are tried up to this many points: the table of distances is square
# Other starts are tried up to this many points times centres, without and with bounds on groups.
# Measured: the paper's n = 80 runs need them up to k = 6 and k = 2 to come within 8 and 6 per cent
# of the bound; beyond they gain another per cent at most, for five times the time.
RESTART_CELLS, RESTART_CELLS_WITH_GROUPS = 500, 200


AUTO = "auto"  # moves only, as long as they promise more than PROMISING
PROMISING = 0.01  # share of the cost that a move must save to be worth another answer


class Effort(NamedTuple):
    """How much is tried."""

    starts: int  # other ones; the best FINALISTS of `fitting.pipeline` are refined to the end
    swaps: int  # solved for before giving up


# Measured, 25 to 40 points, k = 4: a solve takes 10 ms under total variation and 50 to 200 ms under
# others. There the larger effort takes four to six times as long and lowers the cost by 0.6 per
# cent at most, mostly by nothing.
OF_TOTAL_VARIATION, OF_OTHERS = Effort(16, 200), Effort(4, 12)


def moved_centers(task: Task, rows: Array, x: Array, random: np.random.RandomState) -> Array | None:
    """The centres, each at the row that is cheapest for its mass; None where none moves."""
    mass = task.weights[:, None] * x
    candidates = _candidates(task.distances, rows, random)
    total = _totals(task, mass, candidates)  # (k, candidates)
    here = np.searchsorted(candidates, rows)
    least_gain = WORTHWHILE * float(total[np.arange(len(rows)), here].sum())
    chosen = here.copy()
    gain = total[np.arange(len(rows)), here] - total.min(axis=1)
    for c in np.argsort(-gain):
        taken = np.zeros(len(candidates), dtype=bool)
        taken[np.delete(chosen, c)] = True
        best = int(np.where(taken, np.inf, total[c]).argmin())
        if total[c, here[c]] - total[c, best] > least_gain:
            chosen[c] = best
    return None if (chosen == here).all() else candidates[chosen]


def one_for_all(task: Task) -> tuple[int, float]:
    """The row that costs least if everybody is sent there, and what that costs; always the same
    for the same people. For k-means it is the row nearest to the mean: the total at a row is that
    at the mean, plus its squared distance from there for everybody. Elsewhere the best of the rows
    that are looked at.
    """
    distances, weights = task.distances, task.weights
    if task.p == 2 and distances.is_euclidean:
        mean = np.asarray(weights @ distances.X / weights.sum()).reshape(1, -1)
        rows = distances.to_points(mean).argmin(axis=0)
    else:
        nowhere = np.zeros(0, dtype=np.int64)
        rows = _candidates(distances, nowhere, np.random.RandomState(0))
    total = _totals(task, weights[:, None], rows)[0]
    return int(rows[total.argmin()]), float(total.min())


def with_one_for_all(rows: Array, mass: Array, row: int) -> Array:
    """The centres with this row among them, in the place of the one that serves least."""
    swapped = rows.copy()
    if row not in rows:
        swapped[int(mass.argmin())] = row
    return swapped


def _candidates(distances: Distances, rows: Array, random: np.random.RandomState) -> Array:
    """Rows to move to, one of each class of identical ones, sorted; the present centres too."""
    others = _elsewhere(distances, rows)
    if len(others) > CANDIDATES:
        others = random.choice(others, CANDIDATES, replace=False)
    return np.sort(np.concatenate([rows, others]))


def _elsewhere(distances: Distances, rows: Array) -> Array:
    """One row of each class of identical ones that has no centre."""
    label, distinct = distances.duplicate_classes(), distances.distinct_rows()
    return distinct[~np.isin(label[distinct], label[rows])]


def _totals(task: Task, mass: Array, candidates: Array) -> Array:
    """What the mass of each centre would cost at each candidate."""
    total = np.empty((mass.shape[1], len(candidates)))
    step = max(1, CELLS // len(mass))
    for start in range(0, len(candidates), step):
        part = slice(start, start + step)
        total[:, part] = mass.T @ powers(task.distances.to_rows(candidates[part]), task.p)
    return total


def _effort(task: Task) -> Effort:
    return OF_TOTAL_VARIATION if task.divergence.name == "tv" else OF_OTHERS


def other_starts_are_worth_it(task: Task) -> bool:
    """Whether the problem is so small that a poor start is likely and another one cheap. With a
    centre at every point there is no other.
    """
    if task.n_clusters >= len(task.distances.distinct_rows()):
        return False
    return task.n_cells <= (RESTART_CELLS if task.bounds is None else RESTART_CELLS_WITH_GROUPS)


def other_starts(task: Task, k: int, random: np.random.RandomState) -> Iterator[Array]:
    """Other centres to begin with: drawn far from each other, as k-means++ does."""
    rows = task.distances.distinct_rows()
    cost = task.costs(task.distances.to_rows(rows))[rows]
    for _ in range(_effort(task).starts):
        yield rows[seeds(cost, k, np.ones(len(rows)), random)]


def promising_swaps(
    task: Task, rows: Array, problem: AssignmentProblem, answer: Assignment, best: float
) -> Iterator[Array]:
    """Centres with one of them swapped, that may be cheaper than ``best``: the likeliest first.

    Any duals prove a bound for any costs. So those of the present answer, with the column of one
    centre exchanged for that of a candidate, rule out most candidates.
    """
    if task.distances.n_points > SWAP_POINTS:
        return
    candidates = _elsewhere(task.distances, rows)
    if len(candidates) == 0:
        return
    cost = task.costs(task.distances.to_rows(candidates))
    shift, support = cost_shift_and_support(problem, answer.duals)
    present = problem.cost + shift
    found = []
    for c in range(len(rows)):
        others = np.delete(present, c, axis=1).min(axis=1, initial=np.inf)
        bound = np.minimum(others[:, None], cost + shift[:, c : c + 1]).sum(axis=0) - support
        found += [(bound[v], c, v) for v in np.flatnonzero(bound < (1 - WORTHWHILE) * best)]
    for _, c, v in sorted(found)[: _effort(task).swaps]:
        swapped = rows.copy()
        swapped[c] = candidates[v]
        yield swapped
