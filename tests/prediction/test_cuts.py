"""Cutting planes for one new point, where divergences are infinite or nearly so."""

import numpy as np
import pytest

from likewise import FDivergence
from likewise.divergences.registry import as_divergence
from likewise.prediction import cuts
from likewise.prediction.cuts import Peers, cheapest_within
from likewise.prediction.solve import cheapest_fair
from likewise.similarities.rules import MutualBounds

INFINITE = ("kl", "reverse-kl", "chi2")
COST = np.array([0.0, 1.0, 2.0, 3.0])


def worst(peers, x, bound):
    values = [peers.divergence.values(*peers.pair_with(x, first)) for first in (True, False)]
    return float((np.maximum(*values) - bound).max())


@pytest.mark.parametrize("name", INFINITE)
def test_centres_without_any_probability_stay_closed(name):
    """The cheapest centre is at probability zero for others: not 1e-11, but zero."""
    rows = np.random.default_rng(0).dirichlet(np.full(3, 9.0), 10)
    peers = Peers(as_divergence(name), np.column_stack([np.zeros(10), rows]))
    bound = np.full(10, 5.0)
    x = cheapest_within(COST, peers, bound, bound)
    assert x is not None
    assert x[0] == 0.0
    assert worst(peers, x, bound) <= cuts.KEPT


@pytest.mark.parametrize("name", INFINITE)
@pytest.mark.parametrize("least", [1e-6, 1e-10, 1e-15])
def test_probabilities_next_to_nothing(name, least):
    """What repairs leave of a centre: ratios of 1e15 are cut off in some tens of rounds."""
    rows = np.random.default_rng(1).dirichlet(np.full(3, 9.0), 10) * (1 - least)
    peers = Peers(as_divergence(name), np.column_stack([np.full(10, least), rows]))
    bound = np.full(10, 1.5)
    x = cheapest_within(COST, peers, bound, bound)
    assert x is not None
    assert worst(peers, x, bound) <= cuts.KEPT


@pytest.mark.parametrize("name", INFINITE)
def test_supports_that_rule_each_other_out(name):
    peers = Peers(as_divergence(name), np.array([[0.5, 0.5, 0.0, 0.0], [0.0, 0.0, 0.5, 0.5]]))
    bounds = MutualBounds(np.ones((1, 2)), np.ones((1, 2)))
    found = cheapest_fair(COST[None], peers, bounds)
    assert found.factors[0] == np.inf
    assert found.distributions.sum() == 1.0


@pytest.mark.parametrize("name", ["kl", "reverse-kl", "jensen-shannon", "hellinger", "chi2"])
def test_least_factor_in_one_program(name):
    """Bounds times the factor leave a distribution, a little less than that leaves none."""
    random = np.random.default_rng(2)
    peers = Peers(as_divergence(name), random.dirichlet(np.ones(4), 8))
    bound = np.full((1, 8), 0.02)
    found = cheapest_fair(COST[None], peers, MutualBounds(bound, bound))
    factor = found.factors[0]
    assert factor > 1.1
    assert worst(peers, found.distributions[0], factor * bound[0]) <= 1e-8
    less = 0.999 * factor * bound[0]
    assert cheapest_within(COST, peers, less, less) is None


@pytest.mark.parametrize("name", ["jensen-shannon", "hellinger", "triangular", "own"])
def test_zeros_of_others_are_no_obstacle(name):
    """Ratios without end, but divergences that are linear there: kept without relaxing anything."""
    divergence = FDivergence(lambda t: 1 - np.sqrt(t)) if name == "own" else as_divergence(name)
    peers = Peers(divergence, np.array([[0.0, 1.0, 0.0], [0.0, 0.9, 0.1]]))
    bound = np.array([[0.03, 0.2]])
    found = cheapest_fair(np.array([[2.0, 1.0, 0.0]]), peers, MutualBounds(bound, bound))
    assert found.factors[0] == 1.0
    assert found.distributions[0, 2] > 0.02
    assert worst(peers, found.distributions[0], bound[0]) <= cuts.KEPT


def test_few_rounds(monkeypatch):
    """Forty halvings of four hundred rounds each were minutes for one person."""
    rounds = []
    solve = cuts._Program.solve
    monkeypatch.setattr(cuts._Program, "solve", lambda self: rounds.append(1) or solve(self))
    peers = Peers(as_divergence("kl"), np.random.default_rng(3).dirichlet(np.ones(4), 30))
    bound = np.full((1, 30), 0.05)
    assert cheapest_fair(COST[None], peers, MutualBounds(bound, bound)).factors[0] > 1
    assert len(rounds) < 200
