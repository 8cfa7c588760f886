"""Seeds, Lloyd with medoids and swaps: each step lowers the cost, none leaves its rows."""

from itertools import combinations

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from support import reference

from likewise.centers.local_search import (
    SWAP_RATIO,
    best_of_starts,
    lloyd_with_medoids,
    seeds,
    swap,
    total_cost,
)

X = np.random.default_rng(0).normal(size=(40, 2))
COST = cdist(X, X)
ONES = np.ones(40)


def drawn(k, seed=0, cost=COST, mass=ONES):
    return seeds(cost, k, mass, np.random.RandomState(seed))


def test_seeds_are_different_rows():
    for seed in range(20):
        assert len(set(drawn(10, seed).tolist())) == 10


def test_seeds_at_the_same_place_are_different_rows():
    cost = np.zeros((5, 5))
    cost[4, :4] = cost[:4, 4] = 1.0
    for seed in range(10):
        found = drawn(5, seed, cost, np.array([0.0, 1.0, 1.0, 1.0, 1.0]))
        assert sorted(found.tolist()) == [0, 1, 2, 3, 4]
        assert 4 in found[:2]  # where nobody is yet, first


def test_seeds_without_mass_come_last():
    """Two rows carry all mass: they are the first two seeds, and the rest is drawn all the same."""
    mass = np.zeros(40)
    mass[[3, 7]] = 1.0
    for seed in range(10):
        found = drawn(4, seed, mass=mass)
        assert set(found[:2].tolist()) == {3, 7}
        assert len(set(found.tolist())) == 4


def test_seeds_at_no_distance_are_still_different_rows():
    """Rows that differ may be at distance zero, as multiples of each other are under cosine."""
    for seed in range(10):
        assert len(set(drawn(4, seed, np.zeros((5, 5)), np.ones(5)).tolist())) == 4


def test_seeds_go_by_their_cost():
    """One row far from all others is nearly always among the first two."""
    rows = np.concatenate([np.zeros((30, 1)) + np.arange(30)[:, None] * 1e-3, [[100.0]]])
    cost = cdist(rows, rows) ** 2
    found = [30 in drawn(2, seed, cost, np.ones(31)) for seed in range(50)]
    assert np.mean(found) > 0.95


@pytest.mark.parametrize("p", [1, 3])
def test_lloyd_ends_where_no_cluster_has_a_better_medoid(p):
    cost = COST**p
    for seed in range(5):
        start = drawn(4, seed, cost)
        centers = lloyd_with_medoids(cost, ONES, start)
        assert total_cost(cost, ONES, centers) <= total_cost(cost, ONES, start)
        nearest = cost[:, centers].argmin(axis=1)
        for c, center in enumerate(centers):
            members = np.flatnonzero(nearest == c)
            within = cost[np.ix_(members, members)].sum(axis=0)
            assert cost[members, center].sum() == pytest.approx(within.min())


@pytest.mark.parametrize("k", [1, 3])
def test_no_swap_is_left(k):
    mass = np.random.default_rng(1).random(40)
    start = drawn(k)
    centers = swap(COST, mass, start)
    best = total_cost(COST, mass, centers)
    assert best <= total_cost(COST, mass, start)
    assert len(set(centers.tolist())) == k
    for place in range(k):
        for other in range(40):
            swapped = centers.copy()
            swapped[place] = other
            assert total_cost(COST, mass, swapped) >= best * (1 - 1e-9)


def test_one_center_is_the_medoid():
    assert best_of_starts(COST, 1, ONES, np.random.RandomState(0)) == [COST.sum(axis=0).argmin()]


@pytest.mark.parametrize("seed", range(5))
def test_k_median_keeps_its_guarantee(seed):
    rows = np.random.default_rng(seed).normal(size=(11, 2))
    cost, mass = cdist(rows, rows), np.ones(11)
    best = min(total_cost(cost, mass, list(some)) for some in combinations(range(11), 3))
    worst_end = max(
        total_cost(cost, mass, swap(cost, mass, np.array(some)))
        for some in combinations(range(11), 3)
    )
    found = total_cost(cost, mass, best_of_starts(cost, 3, mass, np.random.RandomState(0)))
    assert best <= found <= worst_end <= SWAP_RATIO * best


@pytest.mark.skipif(not reference.is_there(), reason="no reference results")
@pytest.mark.parametrize("p", [1, 3])
@pytest.mark.parametrize("name", ["bank", "adult", "creditcard", "census1990", "diabetes"])
def test_at_least_as_good_as_lloyd_with_medoids(name, p):
    rows = np.unique(reference.samples(name)["X"][0][:400], axis=0)
    cost, mass = cdist(rows, rows) ** p, np.ones(len(rows))
    rng = np.random.RandomState(0)
    lloyd = [lloyd_with_medoids(cost, mass, seeds(cost, 6, mass, rng)) for _ in range(5)]
    ours = best_of_starts(cost, 6, mass, np.random.RandomState(0))
    assert total_cost(cost, mass, ours) <= min(total_cost(cost, mass, end) for end in lloyd)
