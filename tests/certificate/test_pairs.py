"""Every pair is checked, by whichever loop; where time is up, it is said how many were."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import cdist

from likewise.certificate import certify, pairs, seconds_to_check
from likewise.compute.budget import Budget
from likewise.compute.cancellation import cut_short
from likewise.geometry.distances import Distances
from likewise.geometry.gower import GowerMetric
from likewise.groups.membership import Groups
from likewise.problem.assignment import AssignmentProblem
from likewise.similarities.build import build_pairs
from likewise.similarities.pairs import UnknownPairs


def problem_of(seed, similarity="local", n=60, k=3, grouped=False, duplicates=10):
    """Points, some of them at the same place, and any distributions whatever."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(n, 2)).round(1)
    X[:duplicates] = X[duplicates : 2 * duplicates]
    source = build_pairs(similarity, Distances(X), n_clusters=k)
    if grouped:
        values = [("a", "b", "ab")[each] for each in random.integers(0, 3, n)]
        member = {"one": ["a" in value for value in values], "two": ["b" in v for v in values]}
        source = source.within(Groups.from_features(member, n, "group"))
    cost = random.random((n, k))
    return AssignmentProblem(cost, source), random.dirichlet(np.ones(k), n)


def by_blocks(problem, x, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(pairs, "_is_compiled", lambda problem: False)
        return pairs.check_pairs(problem, x)


def same_classes(one, other):
    return (
        len(np.unique(np.stack([one, other]), axis=1).T)
        == len(np.unique(one))
        == len(np.unique(other))
    )


@pytest.mark.parametrize("grouped", [False, True])
@pytest.mark.parametrize("similarity", ["global", "local"])
@pytest.mark.parametrize("grain", [1, 7, 64])
def test_the_compiled_loop_sees_what_blocks_see(monkeypatch, similarity, grouped, grain):
    monkeypatch.setattr(pairs, "ROW_GRAIN", grain)
    for seed in range(5):
        problem, x = problem_of(seed, similarity, grouped=grouped)
        assert pairs._is_compiled(problem)
        found, alike = pairs.check_pairs(problem, x)
        expected, expected_alike = by_blocks(problem, x, monkeypatch)
        assert found.n_pairs == expected.n_pairs
        assert found.worst_excess == pytest.approx(expected.worst_excess, abs=1e-12)
        i, j = found.worst_pair
        excess = 0.5 * np.abs(x[i] - x[j]).sum() - problem.pairs.bounds_at(
            np.array([i]), np.array([j])
        )
        assert found.worst_excess == pytest.approx(excess[0], abs=1e-12)
        assert same_classes(alike, expected_alike)
        assert found.is_whole


@pytest.mark.parametrize("divergence", ["kl", "hellinger"])
@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "cosine", "precomputed", "gower"])
@pytest.mark.parametrize("similarity", ["global", "local"])
def test_whatever_the_metric_and_the_divergence(monkeypatch, similarity, metric, divergence):
    random = np.random.default_rng(3)
    X = random.normal(size=(40, 3))
    X[:5] = X[5:10]
    if metric == "gower":
        X[:, 2] = np.round(X[:, 2])
        X[20, 0] = X[21, 0] = np.nan
        metric = GowerMetric.of(X, np.arange(3) == 2)
    distances = Distances(cdist(X, X) if metric == "precomputed" else X, metric)
    source = build_pairs(similarity, distances, n_clusters=3)
    problem = AssignmentProblem(random.random((40, 3)), source, divergence)
    assert pairs._is_compiled(problem)
    for x in (random.dirichlet(np.ones(3), 40), random.dirichlet(np.full(3, 50.0), 40)):
        found, alike = pairs.check_pairs(problem, x)
        expected, expected_alike = by_blocks(problem, x, monkeypatch)
        assert found.n_pairs == expected.n_pairs
        assert found.worst_excess == pytest.approx(expected.worst_excess, rel=1e-10)
        i, j = (np.array([row]) for row in found.worst_pair)
        excess = problem.divergence.values(x[i], x[j]) - source.bounds_at(i, j)
        assert found.worst_excess == pytest.approx(excess[0], rel=1e-10)
        assert same_classes(alike, expected_alike)


@given(n=st.integers(2, 9), seed=st.integers(0, 99))
def test_every_pair_of_a_few_points(n, seed):
    problem, x = problem_of(seed, n=n, duplicates=1)
    found, _ = pairs.check_pairs(problem, x)
    table = problem.pairs.bounds_at(*(each.ravel() for each in np.indices((n, n)))).reshape(n, n)
    tv = 0.5 * np.abs(x[:, None] - x[None]).sum(axis=2)
    expected = (tv - table)[~np.eye(n, dtype=bool)].max()
    assert found.worst_excess == pytest.approx(expected, abs=1e-12)
    assert found.n_pairs == n * (n - 1)


@pytest.mark.parametrize("similarity", ["local", "matrix"])
def test_cut_short_it_says_how_many_were_checked(monkeypatch, similarity):
    problem, x = problem_of(0)
    if similarity == "matrix":
        n = problem.n_points
        table = problem.pairs.bounds_at(*(each.ravel() for each in np.indices((n, n))))
        table[~np.isfinite(table)] = 0.0  # a row with itself
        monkeypatch.setattr("likewise.geometry.distances.BLOCK_CELLS", 5 * n)
        source = build_pairs(table.reshape(n, n), problem.pairs.distances, n_clusters=3)
        problem = AssignmentProblem(problem.cost, source)
    monkeypatch.setattr(pairs, "ROW_GRAIN", 5)
    asked = iter(range(1000))
    with cut_short(lambda: next(asked) >= 4):
        found, _ = pairs.check_pairs(problem, x)
    assert not found.is_whole
    assert 0 < found.n_pairs < len(problem.pairs)


def test_without_time_the_certificate_says_so():
    problem, x = problem_of(0, n=500)
    budget = Budget(max_time=0.0)
    budget.started -= 100  # the time was up long ago
    certificate = certify(problem, x, budget=budget)
    assert not certificate.is_complete
    assert certificate.pairs_left > 0
    assert certificate.pairs_checked + certificate.pairs_left == len(problem.pairs)
    assert f"of {len(problem.pairs):,} ordered pairs checked" in str(certificate)
    assert certificate.as_dict()["is_complete"] is False


def test_the_same_for_everybody_needs_no_look():
    problem, _ = problem_of(0)
    same = np.tile([0.2, 0.3, 0.5], (problem.n_points, 1))
    budget = Budget(max_time=0.0)
    budget.started -= 100
    for source in (problem.pairs, UnknownPairs(problem.n_points, 60 * 59)):
        certificate = certify(AssignmentProblem(problem.cost, source), same, budget=budget)
        assert certificate.is_complete
        assert certificate.is_fair
        assert certificate.pairs_checked == 60 * 59


def test_unknown_bounds_prove_nothing_of_different_treatment():
    problem, x = problem_of(0)
    unknown = AssignmentProblem(problem.cost, UnknownPairs(problem.n_points, 60 * 59))
    certificate = certify(unknown, x)
    assert certificate.pairs_checked == 0
    assert not certificate.is_complete


@pytest.mark.parametrize("compiled", [True, False])
def test_how_long_it_takes_is_known_before(monkeypatch, compiled):
    monkeypatch.setattr(pairs, "_is_compiled", lambda problem: compiled)
    monkeypatch.setattr("likewise.geometry.distances.BLOCK_CELLS", 20_000)
    problem, _ = problem_of(0, n=2000, duplicates=0)
    assert 0 < seconds_to_check(problem) < 60
