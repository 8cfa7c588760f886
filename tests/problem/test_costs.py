"""Weight times distance to the power p, and its root; the radius of k-center."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise.problem import costs

RNG = np.random.default_rng(0)
D = RNG.exponential(size=(12, 3))
X = RNG.dirichlet(np.ones(3), 12)
W = RNG.integers(0, 3, 12).astype(float)


@pytest.mark.parametrize("p", [1, 1.5, 2, 3])
def test_by_hand(p):
    objective = sum(W[j] * X[j, c] * D[j, c] ** p for j in range(12) for c in range(3))
    assert costs.expected_total(X, costs.powers(D, p), W) == pytest.approx(objective)
    assert (costs.weighted_powers(D, W, p) * X).sum() == pytest.approx(objective)
    assert costs.cost_of(X, D, W, p) == pytest.approx(objective ** (1 / p))
    assert costs.lp_cost(objective, p) ** p == pytest.approx(objective)


@pytest.mark.parametrize(
    ("p", "words"),
    [
        (1, "the objective itself"),
        (2.0, "the square root of the objective"),
        (3, "the objective to the power 1/3"),
        (np.inf, "the radius"),
    ],
)
def test_what_a_cost_is_in_words(p, words):
    assert costs.root_in_words(p) == words


def test_k_center_goes_by_the_distances_themselves():
    np.testing.assert_array_equal(costs.powers(D, np.inf), D)
    np.testing.assert_array_equal(costs.weighted_powers(D, W, np.inf), W[:, None] * D)
    assert costs.lp_cost(3.5, np.inf) == 3.5
    assert costs.total_to_nearest(np.array([1.0, 4.0, 2.0]), np.inf) == 4.0
    assert costs.total_to_nearest(np.array([1.0, 4.0, 2.0]), 2) == 21.0


def test_the_radius_is_that_of_people_who_count():
    distances = np.array([[1.0, 9.0], [2.0, 3.0], [50.0, 60.0]])
    x = np.array([[1.0, 0.0], [0.5, 0.5], [0.0, 1.0]])
    assert costs.farthest_used(x, distances, np.array([1.0, 1.0, 0.0])) == 3.0
    assert costs.farthest_used(x, distances, np.ones(3)) == 60.0
    assert costs.farthest_used(x, distances, np.zeros(3)) == 0.0
    assert costs.cost_of(x, distances, np.array([1.0, 1.0, 0.0]), np.inf) == 3.0


@given(seed=st.integers(0, 1000))
def test_large_powers_come_near_the_radius(seed):
    """L_p of one person's whole probability tends to the largest distance as p grows."""
    distances = 1 + np.random.default_rng(seed).random((6, 2))
    x = np.eye(2)[distances.argmax(axis=1)]
    weights = np.ones(6)
    radius = costs.cost_of(x, distances, weights, np.inf)
    assert costs.cost_of(x, distances, weights, 400) == pytest.approx(radius, rel=5e-3)


def test_powers_too_large_to_compute_with_are_infinite_without_a_warning():
    assert np.isinf(costs.weighted_powers(np.array([[1e200]]), np.ones(1), 2)).all()


def test_ratios():
    assert costs.ratio_of_costs(3.0, 2.0) == 1.5
    assert costs.ratio_of_costs(0.0, 0.0) == 1.0
    assert costs.ratio_of_costs(1.0, 0.0) == np.inf
