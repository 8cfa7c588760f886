"""Every constrained pair of an answer, checked: block by block, or in a compiled loop.

All n (n - 1) pairs need no n x n memory. Where time is up before all are checked, it is said how
many were. If everybody has the same distribution there is nothing to look at.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from likewise._typing import Array
from likewise.certificate.kernels import Answer, Found, check_rows
from likewise.compute.cancellation import Cancelled
from likewise.compute.executor import cut
from likewise.compute.threads import ANY_NUMBER, over_ranges
from likewise.divergences.registry import Divergence, generator_of
from likewise.geometry.measured import Measured
from likewise.groups.membership import Groups
from likewise.problem.assignment import AssignmentProblem
from likewise.similarities.pairs import EveryPair, PairSource, UnknownPairs, excess_of

ROW_GRAIN = 64  # points worth a thread of their own: each is compared with all later ones
NOBODY = np.iinfo(np.int64).min  # where there is no other point
TRIAL_ROWS = 2 * ROW_GRAIN  # what is timed to know how long all of them will take


@dataclass(frozen=True)
class PairCheck:
    """What was found in some of the pairs, or in all."""

    n_pairs: int  # ordered ones
    worst_excess: float = -np.inf
    worst_pair: tuple[int, int] | None = None
    links: tuple[Array, Array] | None = None  # between points bound to be equal
    is_whole: bool = True  # False: time was up before all of them were checked


def check_pairs(problem: AssignmentProblem, distributions: Array) -> tuple[PairCheck, Array]:
    """What was found in all pairs, and for each point its class of points bound to be equal."""
    same_for_all = bool((distributions == distributions[0]).all())
    if _is_compiled(problem):
        assert isinstance(problem.pairs, EveryPair)
        alike = _duplicates(problem.pairs)
        found = PairCheck(0, is_whole=False)
        if not same_for_all:
            found = _joined(_compiled_checks(problem, distributions, problem.pairs))
    elif isinstance(problem.pairs, UnknownPairs):
        alike, found = np.arange(problem.n_points), PairCheck(0, is_whole=False)
    else:
        parts = _block_checks(problem, distributions)
        found, alike = _joined(parts), np.arange(problem.n_points)
        for part in parts:
            alike = alike if part.links is None else _linked(alike, *part.links)
    if same_for_all and not found.is_whole:  # nobody is treated differently from anybody
        found = PairCheck(len(problem.pairs), 0.0)
    return found, alike


def _joined(parts: list[PairCheck]) -> PairCheck:
    worst = max(parts, key=lambda part: part.worst_excess)
    return PairCheck(
        n_pairs=sum(part.n_pairs for part in parts),
        worst_excess=worst.worst_excess if worst.worst_pair else 0.0,
        worst_pair=worst.worst_pair,
        is_whole=all(part.is_whole for part in parts),
    )


def seconds_to_check(problem: AssignmentProblem) -> float:
    """About how long ``check_pairs`` will take, by a trial with some of them."""
    n, k = problem.cost.shape
    x = np.full((n, k), 1.0 / k)
    if _is_compiled(problem):
        assert isinstance(problem.pairs, EveryPair)
        answer = _Checked.of(problem, problem.pairs, x)
        _check_rows((0, 1), answer)  # compiled, if it was not
        rows = min(TRIAL_ROWS, n)
        seconds = _timed(lambda: _check_rows((0, rows), answer))
        return float(seconds * n * (n - 1) / (rows * (2 * n - 1 - rows)))
    blocks = problem.pairs.n_blocks
    if blocks <= 1:  # a moment, or unknown
        return 0.0
    return blocks * _timed(lambda: _check_blocks((0, 1), problem.pairs, problem.divergence, x))


def _timed(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def _is_compiled(problem: AssignmentProblem) -> bool:
    """Whether the compiled loop has the formulas of the bounds and of the divergence."""
    are_quotients = isinstance(problem.pairs, EveryPair) and problem.pairs.radii is not None
    return are_quotients and generator_of(problem.divergence) is not None


@dataclass(frozen=True)
class _Checked:
    """An answer, wherever it is checked: what a divergence is compiled to may be addresses, which
    mean nothing to another process.
    """

    rows: Measured
    distributions: Array
    divergence: Divergence
    per_distance: Array
    largest_bound: float
    masks: Array

    @staticmethod
    def of(problem: AssignmentProblem, pairs: EveryPair, distributions: Array) -> "_Checked":
        rows, radius, groups = pairs.distances.measured, pairs.radii, pairs.groups
        assert rows is not None, "there are loops for this metric"
        assert radius is not None, "the bounds are no such quotients"
        with np.errstate(divide="ignore"):
            per_distance = 1.0 / radius
        nobody = np.zeros((pairs.n_rows, 0), dtype=np.uint64)
        masks = nobody if groups is None else np.ascontiguousarray(groups.masks)
        return _Checked(
            rows, distributions, problem.divergence, per_distance, pairs.largest_bound, masks
        )

    def for_kernels(self) -> Answer:
        return Answer(
            measure=self.rows.measure,
            generator=generator_of(self.divergence),
            X=self.rows.table,
            x=np.ascontiguousarray(self.distributions.T),
            per_distance=self.per_distance,
            largest_bound=self.largest_bound,
            symmetric=self.divergence.symmetric,
            masks=self.masks,
        )


def _compiled_checks(
    problem: AssignmentProblem, distributions: Array, pairs: EveryPair
) -> list[PairCheck]:
    executor = problem.executor
    ranges = cut(problem.n_points, executor.parts(len(pairs)))
    answer = executor.broadcast(_Checked.of(problem, pairs, distributions))
    return executor.map_parts(_check_rows, executor.scatter(ranges), answer)


def _check_rows(rows: tuple[int, int], answer: _Checked) -> PairCheck:
    """The pairs of the points first..last with all later ones."""
    first, last = rows
    n = last - first
    found = Found(np.full(n, -np.inf), np.full(n, NOBODY), np.zeros(n, dtype=np.int64))
    is_whole = True
    try:
        loop_over = answer.for_kernels()
        over_ranges(check_rows, n, first, loop_over, found, grain=ROW_GRAIN, most=ANY_NUMBER)
    except Cancelled:  # what was checked by then counts
        is_whole = False
    worst = int(found.excess.argmax())
    where = _in_order(first + worst, int(found.other[worst]), answer)
    checked = 2 * int(found.n_pairs.sum())  # each stands for both of its orders
    return PairCheck(checked, float(found.excess[worst]), where, is_whole=is_whole)


def _in_order(i: int, j: int, answer: _Checked) -> tuple[int, int] | None:
    """The pair in its order or, where that is the same to the divergence, in the order that has the
    smaller bound; None where there is no other point.
    """
    if j == NOBODY:
        return None
    if not answer.divergence.symmetric:
        return (i, j) if j >= 0 else (-1 - j, i)
    return (i, j) if answer.per_distance[i] <= answer.per_distance[j] else (j, i)


def _duplicates(pairs: EveryPair) -> Array:
    """The classes of points at the same place; with groups, as far as groups link them."""
    same = pairs.distances.duplicate_classes()
    return same if pairs.groups is None else _linked_by_groups(same, pairs.groups)


def _linked_by_groups(same: Array, groups: Groups) -> Array:
    row = groups.row_of_entry
    place = np.unique(np.stack([same[row], groups.member.indices]), axis=1, return_inverse=True)[1]
    order = np.argsort(place, kind="stable")
    together = np.flatnonzero(np.diff(place[order]) == 0)
    return _linked(np.arange(len(same)), row[order[together]], row[order[together + 1]])


def _block_checks(problem: AssignmentProblem, distributions: Array) -> list[PairCheck]:
    pairs, executor = problem.pairs, problem.executor
    ranges = cut(pairs.n_blocks, executor.parts(len(pairs)))
    return executor.map_parts(
        _check_blocks, executor.scatter(ranges), pairs, problem.divergence, distributions
    )


def _check_blocks(
    blocks: tuple[int, int], pairs: PairSource, divergence: Divergence, distributions: Array
) -> PairCheck:
    """The pairs of some blocks, and links between points that they bind to be equal."""
    checked, worst, where, is_whole = 0, -np.inf, None, True
    alike = np.arange(len(distributions))
    try:
        for block in pairs.blocks(*blocks):
            excess = excess_of(block.divergences(divergence, distributions), block.bound)
            checked += block.n_pairs
            position = np.argmax(excess)
            if excess.flat[position] > worst:
                i, j = block.pairs_at(np.array([position]))
                worst, where = float(excess.flat[position]), (int(i[0]), int(j[0]))
            i, j = block.pairs_at(np.flatnonzero(block.bound == 0))
            alike = _linked(alike, i, j)
    except Cancelled:  # what was checked by then counts
        is_whole = False
    first_of_class = np.unique(alike, return_index=True)[1][alike]
    linked = np.flatnonzero(first_of_class != np.arange(len(alike)))
    return PairCheck(checked, worst, where, (first_of_class[linked], linked), is_whole)


def _linked(label: Array, i: Array, j: Array) -> Array:
    """The classes of ``label`` after the classes of i and of j have become one."""
    if len(i) == 0:
        return label
    n = len(label)
    graph = sparse.coo_array((np.ones(len(i)), (label[i], label[j])), shape=(n, n))
    return np.asarray(connected_components(graph, directed=False)[1][label])
