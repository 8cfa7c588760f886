"""Hard, soft and group-fair clustering."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import cdist
from sklearn.cluster import KMeans

from likewise import InvalidArgument, metrics
from likewise.baselines.clusterings import (
    group_fair,
    hard_clustering,
    soft_assignment,
    soft_clustering,
    stiffness_at_cost,
)
from likewise.baselines.rounding import largest_additive_violation

RNG = np.random.default_rng(0)
X = np.concatenate([RNG.normal(center, 1.0, size=(40, 2)) for center in (0, 4, 8)])
SEX = (RNG.random(120) < np.repeat([0.2, 0.5, 0.8], 40)).astype(int)


def test_hard_clustering_is_k_means_at_snapped_centers():
    hard = hard_clustering(X, 3, random_state=0)
    means = KMeans(3, n_init=10, random_state=0).fit(X)
    d = cdist(X, X[hard.center_indices])
    np.testing.assert_array_equal(hard.labels, d.argmin(axis=1))
    assert hard.objective == pytest.approx((d.min(axis=1) ** 2).sum())
    assert means.inertia_ <= hard.objective <= 1.2 * means.inertia_


def test_hard_clustering_by_weight_and_power():
    weights = RNG.random(120)
    hard = hard_clustering(X, 3, p=1, centers=[0, 50, 100], sample_weight=weights)
    d = cdist(X, X[[0, 50, 100]]).min(axis=1)
    assert hard.cost == pytest.approx((weights * d).sum())


def test_stiffness_goes_from_uniform_to_hard():
    d = cdist(X, X[[0, 50, 100]])
    np.testing.assert_allclose(soft_assignment(d, 0.0), 1 / 3)
    np.testing.assert_array_equal(soft_assignment(d, np.inf), np.eye(3)[d.argmin(axis=1)])
    np.testing.assert_allclose(soft_assignment(d, 1e9), np.eye(3)[d.argmin(axis=1)])
    tied = np.array([[1.0, 1.0, 2.0]])
    np.testing.assert_array_equal(soft_assignment(tied, np.inf), [[0.5, 0.5, 0.0]])
    x = soft_assignment(d, 0.7)
    np.testing.assert_allclose(x[:, 0] / x[:, 1], np.exp(-0.7 * (d[:, 0] ** 2 - d[:, 1] ** 2)))


@given(share=st.floats(0, 1), p=st.sampled_from([1, 2, 3]))
def test_stiffness_at_a_given_cost(share, p):
    hard = hard_clustering(X, 3, p=p, centers=[0, 50, 100])
    uniform = (hard.distances**p).mean(axis=1).sum()
    wanted = hard.objective + share * (uniform - hard.objective)
    beta = stiffness_at_cost(hard.distances, wanted, p)
    soft = soft_clustering(X, 3, beta, p=p, centers=[0, 50, 100])
    assert soft.objective == pytest.approx(wanted, rel=1e-9)


def test_impossible_cost_of_soft_clustering():
    hard = hard_clustering(X, 3, centers=[0, 50, 100])
    for factor in (0.5, 100):
        with pytest.raises(InvalidArgument, match="outside what soft clustering can cost"):
            stiffness_at_cost(hard.distances, factor * hard.objective)
    with pytest.raises(InvalidArgument, match="beta"):
        soft_assignment(hard.distances, -1)


def test_group_fair_keeps_its_bounds_and_is_cheaper_than_sameness():
    answer = group_fair(X, 3, SEX, group_tolerance=0.1, random_state=0)
    violation = metrics.additive_violation(answer.distributions, SEX, group_tolerance=0.1)
    assert max(violation.values()) <= 1e-9
    hard = hard_clustering(X, 3, random_state=0)
    assert max(metrics.additive_violation(hard.labels, SEX, group_tolerance=0.1).values()) > 1
    assert hard.objective < answer.objective < (hard.distances**2).sum(axis=0).min()


@given(
    seed=st.integers(0, 10_000),
    k=st.integers(2, 6),
    values=st.sampled_from([(2,), (5,), (3, 2)]),
    delta=st.sampled_from([0.0, 0.1, 0.4]),
)
def test_rounding_keeps_its_guarantee(seed, k, values, delta):
    rng = np.random.default_rng(seed)
    data = rng.normal(size=(80, 2))
    features = np.column_stack([rng.integers(0, v, 80) for v in values])
    answer = group_fair(data, k, features, group_tolerance=delta, random_state=0, solver="exact")
    labels = answer.rounded()
    assert labels.shape == (80,)
    cost = (answer.distances[np.arange(80), labels] ** 2).sum()
    assert cost <= answer.objective * (1 + 1e-9)
    violation = metrics.additive_violation(np.eye(k)[labels], features, group_tolerance=delta)
    assert max(violation.values()) <= largest_additive_violation(len(values)) + 1e-9


def test_rounding_of_whole_labels_changes_nothing():
    answer = group_fair(X, 3, SEX, group_tolerance=0.99, random_state=0, solver="exact")
    hard = hard_clustering(X, 3, random_state=0)
    np.testing.assert_array_equal(answer.rounded(), hard.labels)


def test_only_group_fair_assignments_are_rounded():
    with pytest.raises(InvalidArgument, match="group_fair"):
        hard_clustering(X, 3).rounded()


CENTERS = [0, 50, 100]
AWAY = cdist(X, X[CENTERS])


def test_k_center_costs_its_radius():
    """The farthest that anybody of positive weight is sent, whatever the others' distances."""
    hard = hard_clustering(X, 3, p=np.inf, centers=CENTERS)
    assert hard.cost == AWAY.min(axis=1).max() == metrics.hard_cost(AWAY, np.inf)
    assert hard.objective == pytest.approx(AWAY.min(axis=1).sum())
    weights = np.where(AWAY.min(axis=1) > np.median(AWAY.min(axis=1)), 0.0, 2.0)
    lighter = hard_clustering(X, 3, p=np.inf, centers=CENTERS, sample_weight=weights)
    assert lighter.cost == AWAY.min(axis=1)[weights > 0].max() < hard.cost
    assert lighter.objective == pytest.approx((weights * AWAY.min(axis=1)).sum())


def test_k_center_of_its_own_centers():
    hard = hard_clustering(X, 3, p=np.inf, random_state=0)
    assert hard.cost == cdist(X, X[hard.center_indices]).min(axis=1).max()


@pytest.mark.parametrize("beta", [0.0, 0.5, 40.0, np.inf])
def test_soft_k_center_goes_by_the_distances(beta):
    soft = soft_clustering(X, 3, beta, p=np.inf, centers=CENTERS)
    np.testing.assert_array_equal(soft.distributions, soft_assignment(AWAY, beta, 1))
    assert np.isfinite(soft.distributions).all()
    assert soft.objective == pytest.approx((soft.distributions * AWAY).sum())
    assert soft.cost == AWAY[soft.distributions > 0].max()


def test_stiffness_of_k_center_is_at_an_expected_distance():
    hard, uniform = AWAY.min(axis=1).sum(), AWAY.mean(axis=1).sum()
    wanted = 0.5 * (hard + uniform)
    beta = stiffness_at_cost(AWAY, wanted, np.inf)
    assert beta == stiffness_at_cost(AWAY, wanted, 1)
    soft = soft_clustering(X, 3, beta, p=np.inf, centers=CENTERS)
    assert soft.objective == pytest.approx(wanted, rel=1e-9)
    assert stiffness_at_cost(AWAY, hard, np.inf) == np.inf


def test_group_fair_k_center_has_the_least_expected_distance():
    answer = group_fair(X, 3, SEX, group_tolerance=0.1, p=np.inf, centers=CENTERS)
    by_median = group_fair(X, 3, SEX, group_tolerance=0.1, p=1, centers=CENTERS)
    np.testing.assert_array_equal(answer.distributions, by_median.distributions)
    assert answer.objective == pytest.approx(by_median.objective)
    assert answer.cost == AWAY[answer.distributions > 0].max()
    violation = metrics.additive_violation(answer.distributions, SEX, group_tolerance=0.1)
    assert max(violation.values()) <= 1e-9
    labels = answer.rounded()
    assert AWAY[np.arange(120), labels].sum() <= answer.objective * (1 + 1e-9)


def test_distances_too_large_for_their_power_are_refused():
    with pytest.raises(InvalidArgument, match=r"cost: .* lower p"):
        soft_assignment(AWAY * 1e10, 1.0, p=100)
    with pytest.raises(InvalidArgument, match=r"cost: .* lower p"):
        stiffness_at_cost(AWAY * 1e10, 1.0, p=100)
