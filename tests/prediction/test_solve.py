"""The cheapest fair distribution: the simplex and the cutting planes agree."""

import numpy as np
import pytest

from likewise.divergences.registry import as_divergence
from likewise.prediction import kernels, solve
from likewise.prediction.cuts import Peers, cheapest_within
from likewise.prediction.search import NO_QUOTIENTS, in_boxes, listed_bounds
from likewise.prediction.solve import cheapest_fair
from likewise.similarities.rules import MutualBounds

TV = as_divergence("tv")


def instance(seed, n=15, k=4, m=6):
    """Fitted distributions near each other, bounds that some new points cannot all keep."""
    random = np.random.default_rng(seed)
    fitted = random.dirichlet(np.ones(k), n)
    bound = random.uniform(0.2, 0.9, size=(m, n))
    return random.uniform(0, 5, size=(m, k)), fitted, MutualBounds(bound, bound.copy())


@pytest.mark.parametrize("seed", range(6))
def test_simplex_and_cuts_agree(seed, monkeypatch):
    costs, fitted, bounds = instance(seed)
    peers = Peers(TV, fitted)
    by_simplex = cheapest_fair(costs, peers, bounds)
    monkeypatch.setattr(solve, "MOST_STEPS", 0)  # then every point is unfinished
    by_cuts = cheapest_fair(costs, peers, bounds)
    np.testing.assert_allclose(by_simplex.factors, by_cuts.factors, rtol=1e-5)
    kept = by_simplex.factors == 1
    cost_of = [(costs * found.distributions).sum(axis=1)[kept] for found in (by_simplex, by_cuts)]
    np.testing.assert_allclose(*cost_of, rtol=1e-6)


@pytest.mark.parametrize("name", ["tv", "kl", "hellinger"])
def test_answers_are_within_their_bounds(name):
    costs, fitted, bounds = instance(1, m=3)
    peers = Peers(as_divergence(name), fitted)
    found = cheapest_fair(costs, peers, bounds)
    np.testing.assert_allclose(found.distributions.sum(axis=1), 1, atol=1e-12)
    for row, x in enumerate(found.distributions):
        for bound, x_first in ((bounds.there[row], True), (bounds.back[row], False)):
            value = peers.divergence.values(*peers.pair_with(x, x_first))
            assert (value <= found.factors[row] * bound + 1e-8).all()


def test_without_bounds_everything_goes_to_the_cheapest_centre():
    costs, fitted, bounds = instance(0)
    free = MutualBounds(np.full_like(bounds.there, np.inf), np.full_like(bounds.back, np.inf))
    found = cheapest_fair(costs, Peers(TV, fitted), free)
    np.testing.assert_allclose(found.distributions, np.eye(4)[costs.argmin(axis=1)], atol=1e-12)
    assert (found.factors == 1).all()


def test_planes_find_that_there_is_no_way():
    apart = Peers(TV, np.eye(3))
    tight, enough = np.full(3, 0.6), np.full(3, 0.67)
    assert cheapest_within(np.arange(3.0), apart, tight, tight) is None
    x = cheapest_within(np.arange(3.0), apart, enough, enough)
    np.testing.assert_allclose(x, [0.34, 0.33, 0.33], atol=1e-6)


def test_the_least_factor():
    apart, bound = Peers(TV, np.eye(3)), np.full((1, 3), 0.25)
    found = cheapest_fair(np.arange(3.0)[None], apart, MutualBounds(bound, bound))
    assert found.factors[0] == pytest.approx((2 / 3) / 0.25, rel=1e-5)
    np.testing.assert_allclose(found.distributions, 1 / 3, atol=1e-5)


def test_states_of_the_simplex():
    peers, cost = in_boxes(np.eye(3)), np.array([0.0, 1.0, 2.0])
    wide, narrow = (listed_bounds(np.full(3, each), NO_QUOTIENTS) for each in (0.9, 0.5))
    z, state = kernels.cheapest_near(cost, 3, peers, wide, 100)
    assert state == kernels.SOLVED
    np.testing.assert_allclose(z, [0.8, 0.1, 0.1], atol=1e-9)
    assert kernels.cheapest_near(cost, 3, peers, narrow, 100)[1] == kernels.IMPOSSIBLE
    assert kernels.cheapest_near(cost, 3, peers, wide, 0)[1] == kernels.UNFINISHED
