"""The loop of cuts: how it ends, and which of several best answers it gives: one that the order of
the rows does not decide.
"""

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from support import oracle

from likewise import AssignmentProblem, LikewiseClustering, Pairs, certify, solve
from likewise.solvers.cutting_planes import loop
from likewise.solvers.cutting_planes.program import Cuts

N, CENTERS = 12, [0, 3, 5, 8, 9, 11]


def tied(weights, rows=None):
    """Points in many dimensions, half of them centres: nearly every bound binds, and centres of
    equal weight can share in any proportion what they take from each other.
    """
    X = np.random.default_rng(3).random((N, 20))
    rows = np.arange(N) if rows is None else rows
    D = cdist(X, X)
    i, j = np.nonzero(~np.eye(len(rows), dtype=bool))
    bound = (D / D.max())[rows[i], rows[j]]
    cost = weights[rows, None] * D[rows][:, CENTERS] ** 2
    return AssignmentProblem(cost, Pairs(i, j, bound))


def answer(problem):
    return solve(problem, "exact").distributions


def test_the_order_of_the_rows_does_not_matter():
    weights = np.ones(N)
    expected = answer(tied(weights))
    for seed in range(6):
        rows = np.random.default_rng(seed).permutation(N)
        np.testing.assert_allclose(answer(tied(weights, rows)), expected[rows], atol=1e-10)


def test_repeated_rows_are_like_weights():
    times = np.array([1, 2, 3] * 4)
    rows = np.repeat(np.arange(N), times)
    expected = answer(tied(times.astype(float)))[rows]
    np.testing.assert_allclose(answer(tied(np.ones(N), rows)), expected, atol=1e-10)


def test_rows_that_cost_nothing_do_not_matter():
    weights = np.ones(N)
    weights[[1, 2, 10]] = 0.0
    counted = np.flatnonzero(weights)
    among = answer(tied(weights, counted))
    np.testing.assert_allclose(answer(tied(weights))[counted], among, atol=1e-10)


def test_such_problems_have_several_best_answers(monkeypatch):
    """Without tilted costs the order of the rows decides: else the tests above would show nothing.
    As good they all are.
    """
    monkeypatch.setattr(loop, "TILT", 0.0)
    weights = np.ones(N)
    expected = answer(tied(weights))
    furthest = 0.0
    for seed in range(6):
        rows = np.random.default_rng(seed).permutation(N)
        problem = tied(weights, rows)
        found = answer(problem)
        assert problem.objective(found) == pytest.approx(problem.objective(expected[rows]))
        furthest = max(furthest, np.abs(found - expected[rows]).max())
    assert furthest > 1e-3


def test_tilted_costs_cost_nothing():
    problem = tied(np.ones(N))
    found = solve(problem, "exact")
    oracle.assert_optimal(problem, found)
    assert problem.objective(found.distributions) == pytest.approx(
        oracle.oracle_objective(problem), rel=1e-8
    )


def test_tilted_costs_are_lower_and_no_two_alike():
    cost = np.random.default_rng(0).exponential(size=(9, 5))
    cost[3] = 0.0
    tilted = loop.tilted(cost)
    assert (tilted <= cost).all()
    assert (tilted[3] == 0).all()  # what costs nothing is not tilted either
    share = (1 - tilted / np.where(cost > 0, cost, 1.0))[cost[:, 0] > 0]
    assert 0 < share.min() <= share.max() < 1e-3
    gain = (cost - tilted)[cost[:, 0] > 0]
    assert (np.diff(np.sort(gain, axis=1)) > 0).all()


def test_a_fit_does_not_depend_on_the_order_of_its_rows():
    X = np.random.default_rng(0).random((15, 30))
    expected = LikewiseClustering(8, centers=X[:8]).fit(X).distributions_
    for seed in range(3):
        rows = np.random.default_rng(seed).permutation(15)
        found = LikewiseClustering(8, centers=X[:8]).fit(X[rows]).distributions_
        np.testing.assert_allclose(found, expected[rows], atol=1e-10)


def test_cuts_that_do_not_cut_end_the_loop(monkeypatch):
    """Planes that say nothing new would be added to the end of the rounds."""
    asked = []

    def useless(self, x, pairs):
        asked.append(len(pairs))
        nothing = np.zeros((len(pairs), x.shape[1]))
        return Cuts(self.book.numbers(pairs), pairs.a, pairs.b, nothing, nothing, pairs.bound)

    monkeypatch.setattr(loop._CutLoop, "_cuts_at", useless)
    problem = tied(np.ones(N))
    found = solve(problem, "exact", tol=1e-9)
    assert len(asked) <= 6  # at the start, then twice with and without the tilt
    assert not found.finished
    assert certify(problem, found.distributions, found.duals).is_fair


def test_max_ratio_with_bounds_that_stand_for_none():
    """e^(1e9) is no number: nearly everybody goes to the nearest centre all the same."""
    problem = tied(np.ones(N))
    pairs = Pairs(problem.pairs.i, problem.pairs.j, np.full(len(problem.pairs.i), 1e9))
    free = AssignmentProblem(problem.cost + 1.0, pairs, "max-ratio")
    found = solve(free, "exact", tol=1e-6)
    proof = certify(free, found.distributions, found.duals)
    assert proof.is_fair
    assert proof.gap <= 1e-6
