"""What fairness costs: against single solves, against brute force and against its own bounds."""

from itertools import pairwise

import numpy as np
import pytest

from likewise import InvalidArgument, Pairs, metrics
from likewise.baselines import group_fair
from likewise.centers.choose import choose_for
from likewise.certificate import certify
from likewise.frontier import SCALES, frontier, frontier_of, price_of_pairs
from likewise.problem.specification import Specification
from likewise.solvers.solve import solve

X = np.random.default_rng(0).normal(size=(40, 2))
SEX = np.array(["f", "m"])[np.arange(40) % 2]


def task_of(**options):
    return Specification(3, **options).task(X)


def centers_of(task):
    return choose_for(task, random_state=0)


@pytest.mark.parametrize(
    "options", [{}, {"similarity": "local", "p": 1}, {"n_neighbors": 5}, {"divergence": "kl"}]
)
def test_the_frontier_is_a_frontier(options):
    task = task_of(**options)
    centers = centers_of(task)
    points = list(frontier_of(task, centers, tol=1e-4))
    assert [point.scale for point in points] == sorted(point.scale for point in points)
    costs = [point.objective for point in points]
    assert all(a >= b * (1 - 2e-4) for a, b in pairwise(costs))
    assert points[-1].price == pytest.approx(1.0, abs=1e-4)
    for point in points:
        certificate = certify(
            task.scaled(point.scale).problem(centers.distances), point.distributions
        )
        assert certificate.is_fair
        assert point.lower_bound <= point.objective * (1 + 1e-12)
        assert point.objective - point.lower_bound <= 1.1e-4 * point.objective
    at_one = next(point for point in points if point.scale == 1.0)
    alone = solve(task.problem(centers.distances), tol=1e-4)
    expected = task.problem(centers.distances).objective(alone.distributions)
    assert at_one.objective == pytest.approx(expected, rel=3e-4)


def test_no_bounds_at_all_and_none_to_spare():
    tightest, loosest = frontier(X, 3, [np.inf, 0.0], random_state=0)
    assert np.ptp(tightest.distributions, axis=0).max() == pytest.approx(0, abs=1e-9)
    assert loosest.distributions.max(axis=1) == pytest.approx(1.0)
    with pytest.raises(InvalidArgument, match="scales"):
        frontier(X, 3, [-1.0])


def test_where_nobody_is_compared_hard_clustering_is_found_to_the_last_bit():
    task = task_of()
    (loosest,) = frontier_of(task, centers_of(task), [np.inf], solver="first-order", tol=0.5)
    assert loosest.price == 1.0


def test_points_come_one_by_one():
    points = frontier_of(task_of(), centers_of(task_of()), [2.0, 0.0])
    assert next(points).scale == 0.0
    with pytest.raises(InvalidArgument, match="scales"):  # before anything is solved
        frontier_of(task_of(), centers_of(task_of()), [-1.0])


def test_groups_keep_their_bounds_at_every_scale():
    sex = (X[:, 0] + np.random.default_rng(1).normal(size=40) > 0).astype(int)
    options = dict(centers=[0, 1, 2], sensitive_features=sex, group_tolerance=0.1)
    points = frontier(X, 3, [0.0, 1.0, np.inf], tol=1e-5, **options)
    for point in points:
        kept = metrics.additive_violation(point.distributions, sex, group_tolerance=0.1)
        assert max(kept.values()) <= 1e-9
    alone = group_fair(X, 3, sex, group_tolerance=0.1, centers=[0, 1, 2], tol=1e-6)
    assert points[-1].objective == pytest.approx(alone.objective, rel=1e-4)
    assert points[0].price > points[1].price > points[2].price > 1.0


def test_every_argument_goes_by_its_name():
    """The names of today with their defaults are the defaults."""
    named = dict(
        p=2, metric="euclidean", divergence="tv", similarity="local", n_neighbors=None,
        centers="auto", sample_weight=None, tol=1e-3, max_time=None,
    )  # fmt: skip
    points = frontier(X, n_clusters=3, scales=(1.0, np.inf), random_state=0, **named)
    for point, plain in zip(points, frontier(X, 3, (1.0, np.inf), random_state=0), strict=True):
        np.testing.assert_array_equal(point.distributions, plain.distributions)
    with pytest.raises(TypeError, match=r"similarty: .* Did you mean 'similarity'"):
        frontier(X, 3, similarty="local")
    with pytest.raises(InvalidArgument, match="k-center has no frontier"):
        frontier(X, 3, p=np.inf)


def test_a_frontier_where_nothing_costs():
    """As many centres as points: hard clustering is free, and so is fairness without bounds."""
    tightest, loosest = frontier(X[:3], 3, (0.0, np.inf), centers=[0, 1, 2])
    assert loosest.price == 1.0
    assert tightest.price == np.inf


def test_the_point_at_scale_one_tells_which_pairs_are_expensive():
    task = task_of(similarity=_listed_pairs())
    centers = centers_of(task)
    points = list(frontier_of(task, centers, SCALES, tol=1e-6))
    asked = next(point for point in points if point.scale == 1.0)
    found = price_of_pairs(task, asked.problem, asked.assignment.duals, count=5)
    alone = solve(task.problem(centers.distances), "exact")
    expected = price_of_pairs(task, asked.problem, alone.duals, count=5)
    assert found[0].saving == pytest.approx(expected[0].saving, rel=0.05)
    assert certify(asked.problem, asked.distributions, asked.assignment.duals).gap <= 1e-6


def test_no_duals_no_expensive_pairs():
    task = task_of(individual=False)
    problem = task.problem(centers_of(task).distances)
    assert price_of_pairs(task, problem, solve(problem).duals) == []


def test_expensive_pairs_are_worth_their_price():
    """Loosening a bound by a little saves what its dual value says."""
    task = task_of(similarity=_listed_pairs())
    centers = centers_of(task)
    problem = task.problem(centers.distances)
    found = solve(problem, "exact")
    cost = problem.objective(found.distributions)
    expensive = price_of_pairs(task, problem, found.duals, count=3)
    assert expensive[0].saving >= expensive[-1].saving > 0
    for pair in expensive:
        pairs = _listed_pairs()
        mine = ((pairs.i == pair.i) & (pairs.j == pair.j)) | (
            (pairs.i == pair.j) & (pairs.j == pair.i)
        )
        step = 1e-5
        looser = Pairs(pairs.i, pairs.j, pairs.bound + step * mine)
        again = task_of(similarity=looser).problem(centers.distances)
        saved = cost - again.objective(solve(again, "exact").distributions)
        assert saved <= pair.saving * step * 1.01 + 1e-9
        assert saved >= pair.saving * step * 0.5 - 1e-9


def _listed_pairs():
    pairs = metrics.constrained_pairs(X, "local", n_clusters=3, n_neighbors=6)
    return Pairs(pairs.i, pairs.j, pairs.bound)
