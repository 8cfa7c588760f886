"""A local search for centres on a square table of costs: any p, any metric.

Seeds are drawn with probability proportional to what they cost now (k-means++ for any p). Lloyd's
steps follow, with medoids for means. Then a centre is swapped for any other row as long as that
lowers the cost. Swaps start where Lloyd ends, so the result is never worse than Lloyd's, and for
k-median it is near the best (``SWAP_RATIO``).
"""

import numpy as np

from likewise._typing import Array
from likewise.compute.cancellation import check

N_STARTS = 5  # local searches; the cheapest end is taken
MAX_LLOYD = 100  # steps at most
# k-median: where no swap of one centre lowers the cost, it is at most this many times the best
# (Arya et al. 2004). For other p no constant is proven for these very steps.
SWAP_RATIO = 5.0
WORTHWHILE = 1e-12  # a swap lowers the cost by more than this share of it: by more than rounding


def total_cost(cost: Array, mass: Array, centers: Array) -> float:
    """What it costs to give everything to the nearest of these centres."""
    return float(mass @ cost[:, centers].min(axis=1))


def best_of_starts(cost: Array, k: int, mass: Array, random: np.random.RandomState) -> Array:
    """Several local searches on a square table of costs; the cheapest centres they found."""
    starts = [_local_search(cost, k, mass, random) for _ in range(N_STARTS)]
    return min(starts, key=lambda found: total_cost(cost, mass, found))


def _local_search(cost: Array, k: int, mass: Array, random: np.random.RandomState) -> Array:
    """Seeds, Lloyd with medoids, then swaps."""
    centers = lloyd_with_medoids(cost, mass, seeds(cost, k, mass, random))
    return swap(cost, mass, centers)


def seeds(cost: Array, k: int, mass: Array, random: np.random.RandomState) -> Array:
    """k-means++ for any p: each next seed with probability proportional to its present cost."""
    chosen = [int(random.choice(len(mass), p=mass / mass.sum()))]
    nearest = cost[:, chosen[0]].copy()
    while len(chosen) < k:
        weight = mass * nearest
        if weight.sum() == 0:  # what is left has no mass: any point that is not a centre yet
            weight = (nearest > 0).astype(float)
        if weight.sum() == 0:  # all are where a centre is (to within rounding): any other row
            weight = np.ones(len(mass))
            weight[chosen] = 0.0
        chosen.append(int(random.choice(len(mass), p=weight / weight.sum())))
        nearest = np.minimum(nearest, cost[:, chosen[-1]])
    return np.array(chosen)


def lloyd_with_medoids(cost: Array, mass: Array, centers: Array) -> Array:
    """Points to the nearest centre, centres to the cheapest of their points, until none moves."""
    centers = centers.copy()
    for _ in range(MAX_LLOYD):
        nearest = cost[:, centers].argmin(axis=1)
        moved = centers.copy()
        for c in range(len(centers)):
            members = np.flatnonzero(nearest == c)
            if len(members):
                moved[c] = members[(mass[members] @ cost[np.ix_(members, members)]).argmin()]
        if len(np.unique(moved)) < len(moved) or (moved == centers).all():
            break
        centers = moved
    return centers


def swap(cost: Array, mass: Array, centers: Array) -> Array:
    """Exchange a centre for another point while that lowers the cost (the first swap that does)."""
    n, k = len(mass), len(centers)
    centers = centers.copy()
    nearest, first, second = _nearest_two(cost, centers)
    tried_in_vain, candidate = 0, -1
    while tried_in_vain < n:
        check()
        candidate = (candidate + 1) % n
        tried_in_vain += 1
        to_candidate = cost[:, candidate]
        # what closing centre c costs its points, given that the candidate is open
        gained = mass @ np.minimum(to_candidate - first, 0.0)
        lost = mass * (np.minimum(np.maximum(to_candidate, first), second) - first)
        change = gained + np.bincount(nearest, lost, minlength=k)
        c = int(change.argmin())
        if change[c] < -WORTHWHILE * float(mass @ first) and candidate not in centers:
            centers[c] = candidate
            nearest, first, second = _nearest_two(cost, centers)
            tried_in_vain = 0
    return centers


def _nearest_two(cost: Array, centers: Array) -> tuple[Array, Array, Array]:
    """For each point: which centre is nearest, its cost, and that of the second nearest."""
    table = cost[:, centers]
    rows = np.arange(len(table))
    nearest = table.argmin(axis=1)
    first = table[rows, nearest]
    if len(centers) == 1:
        return nearest, first, np.full(len(table), np.inf)
    table[rows, nearest] = np.inf
    return nearest, first, table.min(axis=1)
