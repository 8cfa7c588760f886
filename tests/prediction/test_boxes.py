"""Boxes of probabilities under the largest log ratio: against scipy's linear program."""

import numpy as np
import pytest
from scipy.optimize import linprog

from likewise.divergences.registry import as_divergence
from likewise.prediction.boxes import Box, cheapest_in_box

MAX_RATIO = as_divergence("max-ratio")


def instance(seed, n=8, k=4, looseness=1.0):
    random = np.random.default_rng(seed)
    others = random.dirichlet(5 * np.ones(k), n)
    return random.uniform(0, 5, k), others, looseness * random.uniform(0.5, 2.0, n)


@pytest.mark.parametrize("seed", range(10))
def test_cheapest_as_by_linear_program(seed):
    cost, others, bound = instance(seed, looseness=2.0)
    x, factor = cheapest_in_box(cost, others, bound)
    low = (others * np.exp(-bound)[:, None]).max(axis=0)
    high = (others * np.exp(bound)[:, None]).min(axis=0)
    solved = linprog(cost, A_eq=np.ones((1, 4)), b_eq=[1.0], bounds=np.column_stack([low, high]))
    assert factor == 1.0
    assert x.sum() == pytest.approx(1, abs=1e-12)
    assert cost @ x == pytest.approx(solved.fun, rel=1e-9)


@pytest.mark.parametrize("seed", range(10))
def test_least_factor(seed):
    """All bounds times the factor are kept; with any less there is no distribution."""
    cost, others, bound = instance(seed, looseness=0.2)
    x, factor = cheapest_in_box(cost, others, bound)
    value = MAX_RATIO.values(np.broadcast_to(x, others.shape), others)
    assert factor > 1
    assert (value <= factor * bound * (1 + 1e-9)).all()
    assert not Box.around(others, 0.999 * factor * bound).has_distributions


def test_tiny_probabilities_stay_in_proportion():
    others = np.array([[1e-15, 0.4, 0.6 - 1e-15], [2e-15, 0.5, 0.5 - 2e-15]])
    x, factor = cheapest_in_box(np.array([0.0, 1.0, 2.0]), others, np.full(2, 1.0))
    assert factor == 1.0
    assert (MAX_RATIO.values(np.broadcast_to(x, others.shape), others) <= 1 + 1e-9).all()
    assert x[0] == pytest.approx(np.e * 1e-15)


def test_bounds_so_large_that_they_overflow_bound_nothing_but_zeros():
    others = np.array([[0.0, 0.4, 0.6], [0.0, 0.5, 0.5]])
    x, factor = cheapest_in_box(np.array([0.0, 1.0, 2.0]), others, np.full(2, 1e9))
    np.testing.assert_array_equal(x, [0.0, 1.0, 0.0])
    assert factor == 1.0


def test_supports_that_rule_each_other_out():
    """No factor helps where one has probability at a centre and the other none."""
    assert cheapest_in_box(np.arange(2.0), np.eye(2), np.ones(2))[1] == np.inf


def test_nobody_to_compare_with():
    x, factor = cheapest_in_box(np.array([3.0, 1.0]), np.eye(2), np.full(2, np.inf))
    np.testing.assert_array_equal(x, [0.0, 1.0])
    assert factor == 1.0
