"""The k centres, chosen before anybody is assigned: the vanilla clustering of the paper.

p = 2 with Euclidean distances: k-means++ and Lloyd (scikit-learn), each mean then replaced by the
nearest row. p = inf: farthest first (Gonzalez), within twice the best radius. Everything else:
seeds drawn with probability proportional to d^p, Lloyd with medoids, then swaps of a centre for any
other row as long as one lowers the cost. Swaps start where Lloyd ends, so the result is never worse
than Lloyd's, and for k-median it is near the best (``SWAP_RATIO``).
"""

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state

from likewise._typing import Array
from likewise.errors import InvalidArgument, unknown_name
from likewise.geometry.distances import Distances, dense
from likewise.problem.assignment import check_costs

N_STARTS = 5
KMEANS_STARTS = 10
SEARCH_ROWS = 3_000  # the search looks at so many rows at most: its table of distances is square
MAX_LLOYD = 100
FARTHEST_FIRST_RATIO = 2.0  # Gonzalez 1985
# k-median: where no swap of one centre lowers the cost, it is at most so many times the best
# (Arya et al. 2004). For other p no constant is proven for these very steps.
SWAP_RATIO = 5.0


@dataclass(frozen=True)
class Centers:
    """The centres as rows of X (index -1: a given point that is no row) and as points."""

    indices: Array
    points: Any  # None under precomputed distances
    distances: Array  # (n, k): from every row to every centre
    # at most this many times the best vanilla cost (L_p), if that is proven
    proven_ratio: float | None = None


def choose_centers(
    centers: Any,
    distances: Distances,
    *,
    n_clusters: int,
    p: float,
    weights: Array,
    random_state: Any = None,
) -> Centers:
    """The centres the user gave, or good ones of our own."""
    if isinstance(centers, str):
        if centers != "auto":
            raise unknown_name("centers", centers, ["auto"])
        return _search(distances, n_clusters, p, weights, random_state)
    given = np.asarray(centers.toarray() if sparse.issparse(centers) else centers)
    if given.ndim == 1 and given.dtype.kind in "iu":
        return at_rows(_check_rows(given, distances.n_points, n_clusters), distances)
    return _at_points(given, distances, n_clusters)


def _in_order(rows: Array, distances: Distances) -> Array:
    """Centres by their coordinates: the order in which a search found them means nothing, and
    should not depend on the order of the rows or on how often they are repeated.
    """
    if distances.metric == "precomputed":
        return np.sort(rows)
    return rows[order_by_coordinates(dense(distances.X[rows]))]


def order_by_coordinates(points: Array) -> Array:
    """The order of points by their first coordinate, then by the second, and so on."""
    return np.lexsort(points.T[::-1])


def at_rows(rows: Array, distances: Distances, proven_ratio: float | None = None) -> Centers:
    """These rows as centres."""
    points: Any = None if distances.metric == "precomputed" else distances.X[rows]
    if sparse.issparse(points):
        points = points.toarray()
    return Centers(rows, points, distances.to_rows(rows), proven_ratio)


def _at_points(points: Array, distances: Distances, n_clusters: int) -> Centers:
    if distances.metric == "precomputed":
        raise InvalidArgument(
            "centers",
            "points cannot be given with precomputed distances.",
            "Give the row numbers of the centres instead.",
        )
    expected = (n_clusters, distances.X.shape[1])
    if points.shape != expected or points.dtype.kind not in "iuf":
        raise InvalidArgument(
            "centers",
            f"an array of shape {points.shape} and type {points.dtype} was given.",
            f"Give numbers of shape {expected} (points) or ({n_clusters},) (row numbers).",
        )
    if not np.isfinite(points).all():
        raise InvalidArgument(
            "centers", "some coordinates are infinite or NaN.", "Give finite coordinates."
        )
    points = points.astype(np.float64)
    to_points = distances.to_points(points)
    nearest = to_points.argmin(axis=0)
    is_row = to_points[nearest, np.arange(n_clusters)] == 0
    return Centers(np.where(is_row, nearest, -1), points, to_points)


def _check_rows(rows: Array, n_points: int, n_clusters: int) -> Array:
    remedy = f"Give {n_clusters} different row numbers from 0 to {n_points - 1}."
    if len(rows) != n_clusters:
        raise InvalidArgument(
            "centers", f"{len(rows)} row numbers were given for {n_clusters} clusters.", remedy
        )
    if rows.min() < 0 or rows.max() >= n_points:
        raise InvalidArgument("centers", "some row numbers do not exist.", remedy)
    if len(np.unique(rows)) < len(rows):
        raise InvalidArgument("centers", "some row numbers are repeated.", remedy)
    return rows.astype(np.int64)


def _search(distances: Distances, k: int, p: float, weights: Array, random_state: Any) -> Centers:
    label = distances.duplicate_classes()
    n_distinct = int(label.max()) + 1
    if k > n_distinct:
        raise InvalidArgument(
            "n_clusters",
            f"{k} centres were asked for, but X has only {n_distinct} distinct points.",
            f"Use n_clusters of at most {n_distinct}.",
        )
    random = check_random_state(random_state)
    if np.isinf(p):
        farthest = farthest_first(distances, k, weights)
        return at_rows(_in_order(farthest, distances), distances, FARTHEST_FIRST_RATIO)
    if p == 2 and distances.is_euclidean:
        snapped = _snapped_kmeans(distances, k, weights, random)
        return at_rows(_in_order(snapped, distances), distances)
    # candidates: one row of each class of identical ones, with the weight of the class
    rows = distances.distinct_rows()
    mass = np.bincount(label, weights)
    if n_distinct > SEARCH_ROWS:
        chosen = np.sort(random.choice(n_distinct, SEARCH_ROWS, replace=False))
        rows, mass = rows[chosen], mass[chosen]
    if mass.sum() == 0:
        mass = np.ones_like(mass)
    with np.errstate(over="ignore"):
        cost = check_costs(distances.to_rows(rows)[rows] ** p)
    found = rows[best_of_starts(cost, k, mass, random)]
    ratio = SWAP_RATIO if p == 1 and n_distinct == len(rows) else None
    return at_rows(_in_order(found, distances), distances, ratio)


def farthest_first(distances: Distances, k: int, weights: Array | None = None) -> Array:
    """Gonzalez: a row, then again and again the row farthest from those chosen.

    Rows without weight are never chosen while others are left: they cost nothing anywhere.
    """
    counts = np.ones(distances.n_points) if weights is None else weights
    counts = (counts > 0) if (counts > 0).any() else np.ones_like(counts)
    chosen = [int(np.argmax(counts))]
    nearest = distances.to_rows(np.array(chosen))[:, 0]
    while len(chosen) < k:
        weighed = nearest * counts
        chosen.append(int((weighed if weighed.max() > 0 else nearest).argmax()))
        nearest = np.minimum(nearest, distances.to_rows(np.array(chosen[-1:]))[:, 0])
    return np.array(chosen)


def _snapped_kmeans(distances: Distances, k: int, weights: Array, random: Any) -> Array:
    to_means = distances.to_points(weighted_means(distances.X, k, weights, KMEANS_STARTS, random))
    rows: list[int] = []
    for c in range(k):
        # two means may have the same nearest row: the later one takes the nearest that is left
        if rows:
            taken = (distances.to_rows(np.array(rows)) == 0).any(axis=1)
            to_means[taken, c] = np.inf
        rows.append(int(to_means[:, c].argmin()))
    return np.array(rows)


def weighted_means(X: Any, k: int, weights: Array, n_starts: int, random: Any) -> Array:
    """The means of the best of several runs of k-means. Some may coincide, where the mass sits on
    few points: whoever replaces means by rows tells them apart.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = KMeans(k, n_init=n_starts, random_state=random).fit(X, sample_weight=weights)
    return np.asarray(model.cluster_centers_)


def _total(cost: Array, mass: Array, centers: Array) -> float:
    return float(mass @ cost[:, centers].min(axis=1))


def best_of_starts(cost: Array, k: int, mass: Array, random: Any) -> Array:
    """Several local searches on a square table of costs; the cheapest centres they found."""
    starts = [_local_search(cost, k, mass, random) for _ in range(N_STARTS)]
    return min(starts, key=lambda found: _total(cost, mass, found))


def _local_search(cost: Array, k: int, mass: Array, random: Any) -> Array:
    """Seeds, Lloyd with medoids, then swaps."""
    centers = _lloyd_with_medoids(cost, mass, seeds(cost, k, mass, random))
    return _swap(cost, mass, centers)


def seeds(cost: Array, k: int, mass: Array, random: Any) -> Array:
    """k-means++ for any p: each next seed with probability proportional to its present cost."""
    chosen = [int(random.choice(len(mass), p=mass / mass.sum()))]
    nearest = cost[:, chosen[0]].copy()
    while len(chosen) < k:
        weight = mass * nearest
        if weight.sum() == 0:  # what is left has no mass: any point that is not a centre yet
            weight = (nearest > 0).astype(float)
        chosen.append(int(random.choice(len(mass), p=weight / weight.sum())))
        nearest = np.minimum(nearest, cost[:, chosen[-1]])
    return np.array(chosen)


def _lloyd_with_medoids(cost: Array, mass: Array, centers: Array) -> Array:
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


def _swap(cost: Array, mass: Array, centers: Array) -> Array:
    """Exchange a centre for another point while that lowers the cost (the first swap that does)."""
    n, k = len(mass), len(centers)
    centers = centers.copy()
    nearest, first, second = _nearest_two(cost, centers)
    tried_in_vain, candidate = 0, -1
    while tried_in_vain < n:
        candidate = (candidate + 1) % n
        tried_in_vain += 1
        to_candidate = cost[:, candidate]
        # what closing centre c costs its points, given that the candidate is open
        gained = mass @ np.minimum(to_candidate - first, 0.0)
        lost = mass * (np.minimum(np.maximum(to_candidate, first), second) - first)
        change = gained + np.bincount(nearest, lost, minlength=k)
        c = int(change.argmin())
        if change[c] < -1e-12 * float(mass @ first) and candidate not in centers:
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
