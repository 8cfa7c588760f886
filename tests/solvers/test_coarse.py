"""Coarse to fine: cells, how duals are split over their members, and what a run gains from it."""

import time

import numpy as np
import pytest
from scipy import sparse
from scipy.spatial.distance import cdist
from support.oracle import assert_fair
from support.problems import random_groups, with_groups

from likewise import AssignmentProblem, certify, solve
from likewise.compute.budget import Budget
from likewise.compute.cancellation import check
from likewise.geometry.distances import Distances
from likewise.problem.assignment import Duals
from likewise.similarities.build import build_pairs
from likewise.solvers import coarse
from likewise.solvers import solve as solving
from likewise.solvers.coarse import Cells, coarse_start, nearest, split
from likewise.solvers.first_order.run import FirstOrderRun
from likewise.solvers.first_order.stopping import RelativeGap
from likewise.solvers.merged_problem import MergedProblem
from likewise.solvers.repair.choose import repair_for

N, K, TOL = 400, 4, 1e-2
CURVED = ["kl", "reverse-kl", "hellinger", "jensen-shannon"]


def crowd(divergence="kl", n=N, duplicates=0, similarity="local", scale=1.0):
    random = np.random.default_rng(0)
    X = random.normal(size=(n, 3)) + 2 * random.normal(size=(5, 3))[random.integers(0, 5, n)]
    X[n - duplicates :] = X[:duplicates]
    distances = Distances(X)
    cost = distances.to_rows(np.arange(0, 10 * K, 10)) ** 2
    pairs = build_pairs(similarity, distances, n_clusters=K, bound_scale=scale)
    return AssignmentProblem(cost, pairs, divergence)


@pytest.fixture
def for_few(monkeypatch):
    """Already a hundred points begin coarsely."""
    monkeypatch.setattr(coarse, "WORTH_IT", 100)
    monkeypatch.setattr(coarse, "WORTH_IT_FOR_PLANES", 100)


def roughly(few, budget, gap):
    return solving.solve_within(few, budget, "first-order", tol=gap)


@pytest.mark.parametrize("metric", ["euclidean", "cosine", "precomputed", "braycurtis", "sparse"])
def test_everybody_is_in_the_cell_of_the_nearest(metric, monkeypatch):
    monkeypatch.setattr(coarse, "BLOCK_CELLS", 500)  # several blocks
    X = np.random.default_rng(1).random((90, 3))
    D = cdist(X, X, metric if metric in ("cosine", "braycurtis") else "euclidean")
    rows, others = np.arange(5, 85), np.arange(0, 90, 8)
    distances = {
        "precomputed": lambda: Distances(D, "precomputed"),
        "sparse": lambda: Distances(sparse.csr_array(X)),
    }.get(metric, lambda: Distances(X, metric))()
    np.testing.assert_array_equal(
        nearest(distances, rows, others), D[np.ix_(rows, others)].argmin(axis=1)
    )


def test_members_of_a_cell_share_its_duals_evenly():
    random = np.random.default_rng(2)
    label = np.r_[np.arange(3), [0, 0, 0, 1, 2, 2]]  # cells of 4, 2 and 3
    cells, row_of = Cells.of(label, 3), 10 * np.arange(len(label))
    whole = Duals(
        np.array([0, 1, 2]), np.array([1, 2, 0]), random.normal(size=(3, K)), np.eye(3, K)
    )
    parts = split(whole, cells, row_of)
    assert len(parts.i) == 4 + 3 + 4
    assert len(set(zip(parts.i.tolist(), parts.j.tolist(), strict=True))) == len(parts.i)
    shift, of_cells = np.zeros((len(label), K)), np.zeros((3, K))
    for ends, duals in ((parts.i, parts.alpha), (parts.j, parts.beta)):
        np.add.at(shift, ends // 10, duals)
    for ends, duals in ((whole.i, whole.alpha), (whole.j, whole.beta)):
        np.add.at(of_cells, ends, duals)
    for cell in range(3):
        members = shift[label == cell]
        np.testing.assert_allclose(members.sum(axis=0), of_cells[cell], atol=1e-12)
    # a pair's duals reach all members of its larger cell alike
    first = parts.alpha[np.isin(parts.i, row_of[label == 0])]
    np.testing.assert_allclose(first, np.tile(whole.alpha[0] / 4, (4, 1)))


@pytest.mark.parametrize("divergence", ["tv", "hellinger", "jensen-shannon", "triangular"])
def test_pairs_begin_with_the_bound_that_constrains(divergence, for_few):
    """Members of a cell may have smaller radii than whom it is named after. A pair that had the
    looser of its two bounds would stay in the working set with it, as it is known by its ends.
    """
    problem = crowd(divergence)
    merged = MergedProblem.of(problem)
    pairs = coarse_start(problem, merged, Budget(), roughly, TOL).duals.pairs
    i, j = np.divmod(pairs.code, N)
    both = problem.pairs.bounds_at(i, j), problem.pairs.bounds_at(j, i)
    np.testing.assert_array_equal(pairs.bound, np.minimum(*both))
    assert (pairs.bound < problem.divergence.largest).all()
    assert (both[0] < both[1]).any()


@pytest.mark.parametrize("divergence", ["tv", "hellinger"])
def test_it_goes_on_to_small_gaps(divergence, for_few):
    problem = crowd(divergence)
    answer = solve(problem, "first-order", tol=2e-4)
    assert_fair(problem, answer.distributions)
    assert certify(problem, answer.distributions, answer.duals).gap <= 2e-4
    assert answer.trace["coarse_first_order_iterations"] > 0


def test_where_nothing_binds_nothing_is_learnt(for_few):
    problem = crowd(scale=1e6)
    assert coarse_start(problem, MergedProblem.of(problem), Budget(), roughly, TOL) is None
    assert solve(problem, "first-order", tol=TOL).n_iter == 0


def test_it_has_a_share_of_the_time(for_few, monkeypatch):
    """Somebody who takes it all for the cells gets nothing, and the rest goes on without."""
    given = []
    monkeypatch.setattr(coarse, "nearest", lambda *_: time.sleep(0.3) or check())
    problem, budget = crowd(), Budget(max_time=1.0)
    assert coarse_start(problem, MergedProblem.of(problem), budget, given.append, TOL) is None
    assert given == []
    assert not budget.is_spent


def bound_after(run, scans=2):
    for _ in range(scans):
        run.state.admit(run.problem.scanner.full(run.state.seen()))
        run.state.iterate(40)
    return run.state.lower_bound()


@pytest.mark.parametrize("divergence", ["tv", *CURVED])
def test_a_run_that_begins_so_is_soon_ahead(divergence, for_few):
    problem = crowd(divergence, duplicates=20, similarity="global")
    best = problem.objective(solve(problem, "first-order", tol=1e-3).distributions)
    merged = MergedProblem.of(problem)
    found = coarse_start(problem, merged, Budget(), roughly, TOL)
    assert found is not None
    assert np.abs(found.x.sum(axis=1) - 1).max() < 1e-12
    assert np.vdot(merged.cost, found.x) < 1.1 * best
    plain, begun = (FirstOrderRun(merged, RelativeGap(TOL), repair_for(merged)) for _ in range(2))
    begun.go_on_from(found.x, found.duals)
    assert begun.bound <= best
    assert best - bound_after(begun) < 0.6 * (best - bound_after(plain))


@pytest.mark.parametrize("divergence", ["tv", *CURVED])
def test_answers_are_fair_and_as_good_as_without(divergence, for_few, monkeypatch):
    problem = crowd(divergence)
    begun = solve(problem, "first-order", tol=TOL)
    certificate = certify(problem, begun.distributions, begun.duals)
    assert_fair(problem, begun.distributions)
    assert certificate.gap <= TOL
    monkeypatch.setattr(solving, "coarse_start", lambda *_: None)
    plain = solve(problem, "first-order", tol=TOL)
    costs = [problem.objective(each.distributions) for each in (begun, plain)]
    assert max(costs) <= (1 + 2 * TOL) * min(costs)


def test_only_every_pair_of_many_points_without_other_bounds(for_few):
    few = crowd(n=90)
    listed = AssignmentProblem(
        crowd().cost,
        build_pairs("local", crowd().pairs.distances, n_clusters=K, n_neighbors=5),
        "kl",
    )
    grouped = with_groups(crowd(), random_groups(3, N, delta=0.5), within=False)
    within = AssignmentProblem(
        crowd().cost, crowd().pairs, "kl", allowed=np.ones((N, K), dtype=bool)
    )
    friends = with_groups(crowd(), random_groups(3, N, delta=0.5))
    friends = AssignmentProblem(friends.cost, friends.pairs, "kl")  # only some are compared
    for problem in (few, listed, grouped, within, friends):
        merged = MergedProblem.of(problem)
        assert coarse_start(problem, merged, Budget(), roughly, TOL) is None


def test_stopped_at_once_it_is_fair(for_few):
    problem = crowd()
    for max_time in (0.0, 0.05, 0.3):
        answer = solve(problem, "first-order", tol=1e-6, max_time=max_time)
        assert_fair(problem, answer.distributions)


def test_an_answer_to_begin_with_comes_first(for_few, monkeypatch):
    problem = crowd()
    answer = solve(problem, "first-order", tol=TOL)
    monkeypatch.setattr(solving, "coarse_start", lambda *_: pytest.fail("there was an answer"))
    again = solve(problem, "first-order", tol=TOL, start=answer)
    assert again.n_iter <= answer.n_iter
