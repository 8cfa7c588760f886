"""Who is treated unequally, counted by hand and by ``audit``; and what fairness costs."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from likewise import InvalidArgument, LikewiseClustering, Pairs, metrics
from likewise.auditing import audit
from likewise.centers.choose import choose_centers
from likewise.certificate import certify
from likewise.frontier import frontier, frontier_of, price_of_pairs
from likewise.problem.specification import read_task
from likewise.solvers.solve import solve

X = np.random.default_rng(0).normal(size=(40, 2))
SEX = np.array(["f", "m"])[np.arange(40) % 2]


def task_of(**options):
    asked = dict(
        p=2, metric="euclidean", divergence="tv", similarity="global", n_neighbors=None,
        group_tolerance=None, group_bounds=None, individual=True, missing_sensitive="group",
        sensitive_features=None, sample_weight=None,
    )  # fmt: skip
    return read_task(X, 3, **(asked | options))


def centers_of(task):
    return choose_centers(
        "auto", task.distances, n_clusters=3, p=task.p, weights=task.weights, random_state=0
    )


@pytest.mark.parametrize("listed", [True, False])
def test_counts_by_hand(listed):
    labels = (X[:, 0] > 0).astype(int) + (X[:, 1] > 1)
    bound = cdist(X, X) / cdist(X, X).max()
    apart = labels[:, None] != labels[None, :]
    above = apart & (bound + 1e-9 < 1)
    i, j = np.nonzero(~np.eye(40, dtype=bool))
    pairs = Pairs(i, j, bound[i, j]) if listed else metrics.constrained_pairs(X, n_clusters=3)
    found = audit(labels, pairs, {"sex": SEX}, top=5)
    assert found.pairs.count == above.sum()
    assert found.pairs.checked == 40 * 39
    assert found.people_affected == above.any(axis=1).sum()
    person = found.worst_people[0]
    assert person.violated == above.sum(axis=1).max() == above[person.row].sum()
    assert person.compared == 39
    excess = np.where(apart, 1 - bound, -np.inf)
    assert found.worst_pairs[0].excess == pytest.approx(excess.max())
    assert [pair.excess for pair in found.worst_pairs] == sorted(
        (pair.excess for pair in found.worst_pairs), reverse=True
    )
    women = next(group for group in found.groups if group.group == ("sex", "f"))
    assert women.size == 20
    assert women.violated == pytest.approx(above[SEX == "f"].sum() / (20 * 39))
    assert np.dot(women.cluster_shares, found.cluster_sizes) == pytest.approx(20)
    assert not found.is_fair


def test_a_fair_clustering_is_found_fair():
    model = LikewiseClustering(3, random_state=0).fit(X)
    found = audit(model.distributions_, metrics.constrained_pairs(X, n_clusters=3))
    assert found.is_fair
    assert found.worst_people == []
    assert found.groups == []
    assert found.pairs.worst_excess <= 1e-9


@pytest.mark.parametrize(
    "options", [{}, {"similarity": "local", "p": 1}, {"n_neighbors": 5}, {"divergence": "kl"}]
)
def test_the_frontier_is_a_frontier(options):
    task = task_of(**options)
    centers = centers_of(task)
    points = frontier_of(task, centers, tol=1e-4)
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


def test_dear_pairs_are_worth_their_price():
    """Loosening a bound by a little saves what its dual value says."""
    task = task_of(similarity=_listed_pairs())
    centers = centers_of(task)
    problem = task.problem(centers.distances)
    found = solve(problem, "exact")
    cost = problem.objective(found.distributions)
    dear = price_of_pairs(task, problem, found.duals, count=3)
    assert dear[0].saving >= dear[-1].saving > 0
    for pair in dear:
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
