"""Which candidates a working set takes in, and how merged points are numbered."""

import numpy as np
import pytest

from likewise import AssignmentProblem, Pairs
from likewise.solvers.divergence_ops.choose import ops_for
from likewise.solvers.first_order.pdhg import NEW_PER_POINT, PrimalDual
from likewise.solvers.merged_problem import MergedProblem
from likewise.solvers.presolve import Merging
from likewise.solvers.separation import choose
from likewise.solvers.working_set import CandidatePairs

N = 30


def star_and_chain():
    """A hub that everybody is worst with, and a chain of pairs that are nearly as bad."""
    others = np.arange(1, N)
    a = np.r_[np.zeros(N - 1, dtype=int), others[:-1]]
    b = np.r_[others, others[1:]]
    excess = np.r_[np.linspace(2.0, 1.5, N - 1), np.linspace(1.0, 0.5, N - 2)]
    return CandidatePairs(a, b, np.full(len(a), 0.1), a * N + b), excess


@pytest.mark.parametrize("per_point", [1, 2, 4])
def test_no_point_gets_more_pairs_than_it_may(per_point):
    pairs, excess = star_and_chain()
    taken = pairs.worst(excess, N, most=N, per_point=per_point)
    degree = np.bincount(np.r_[taken.a, taken.b], minlength=N)
    assert degree.max() == per_point
    assert (taken.a == 0).sum() == per_point
    assert len(taken) > per_point  # the others are not left out because of the hub


def test_the_worst_come_first_and_what_is_within_its_bound_never():
    pairs, excess = star_and_chain()
    taken = pairs.worst(excess, N, most=5, per_point=N)
    assert taken.b.tolist() == [1, 2, 3, 4, 5]
    none = pairs.worst(-excess, N, most=5, per_point=N)
    assert len(none) == 0


@pytest.mark.parametrize("most", [1, 7, 40])
def test_sorting_in_pieces_takes_what_sorting_all_would(most):
    rng = np.random.default_rng(3)
    a, step = rng.integers(0, 50, 5000), rng.integers(1, 50, 5000)
    b = (a + step) % 50
    excess = rng.integers(-5, 60, 5000) / 10.0  # with many ties: of equal ones the first
    pairs = CandidatePairs(a, b, np.full(5000, 0.1), np.arange(5000))
    degree, kept = np.zeros(50, dtype=int), []
    for place in np.argsort(-excess, kind="stable"):
        is_free = degree[a[place]] < 3 and degree[b[place]] < 3
        if excess[place] > 0 and is_free and len(kept) < most:
            degree[[a[place], b[place]]] += 1
            kept.append(place)
    assert pairs.worst(excess, 50, most=most, per_point=3).code.tolist() == kept


@pytest.mark.parametrize(
    ("within", "hurries", "all_taken"),
    [(False, False, False), (True, False, True), (False, True, True)],
)
def test_all_that_is_violated_is_taken_where_nothing_can_be_mixed_away(within, hurries, all_taken):
    others = np.arange(1, N)
    hub = Pairs(np.zeros(N - 1, dtype=int), others, np.full(N - 1, 0.1))
    cost = np.where(np.arange(N)[:, None] == 0, [[0.0, 1.0]], [[1.0, 0.0]])
    allowed = np.ones(cost.shape, dtype=bool) if within else None
    merged = MergedProblem.of(AssignmentProblem(cost, hub, allowed=allowed))
    state = PrimalDual(merged, hurries=hurries)
    state.admit(merged.scanner.full(state.x.image))
    assert len(state.pairs) == (N - 1 if all_taken else NEW_PER_POINT)


def test_numbering_merged_points_otherwise_changes_nothing_but_their_numbers():
    label = np.array([0, 1, 1, 2, 0, 3])
    order = np.array([2, 0, 3, 1])
    merging = Merging.of(label).in_order(order)
    assert merging.n_merged == 4
    assert merging.label.tolist() == [1, 3, 3, 0, 1, 2]
    assert label[merging.row_of].tolist() == order.tolist()


def test_points_of_like_costs_stand_together_where_there_are_many(monkeypatch):
    monkeypatch.setattr(choose, "UNORDERED", 100)
    rng = np.random.default_rng(0)
    cost = rng.random((1000, 2))
    i = rng.integers(0, 1000, 500)
    problem = AssignmentProblem(cost, Pairs(i, (i + 1) % 1000, np.full(500, 0.1)))
    scanner = choose.make_scanner(problem, ops_for(problem.divergence))
    near = cost[scanner.merging.row_of]
    apart = np.linalg.norm(np.diff(near, axis=0), axis=1).mean()
    assert apart < 0.3 * np.linalg.norm(np.diff(cost, axis=0), axis=1).mean()
    rows = scanner.merging.rows_of(scanner.listed)[:2]
    assert set(zip(*np.sort(rows, axis=0), strict=True)) == set(
        zip(*np.sort([i, (i + 1) % 1000], axis=0), strict=True)
    )
