"""The k centres, chosen before anybody is assigned: the vanilla clustering of the paper.

p = 2 with Euclidean distances: k-means++ and Lloyd (scikit-learn), each mean then replaced by the
nearest row. p = inf: farthest first (Gonzalez), within twice the best radius. Everything else: a
local search on the table of costs (``local_search``).

Where X has fewer distinct points than there are to be centres, all of them are centres, and other
rows at the same places make up the number. That changes no cost: a centre that is there twice
serves nobody better, and splitting what it is given keeps every bound.
"""

import warnings
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state

from likewise._typing import Array, Matrix, Seed
from likewise._validation import check_costs
from likewise.centers.local_search import SWAP_RATIO, best_of_starts
from likewise.compute.budget import PREPARING, Budget
from likewise.compute.cancellation import check, is_due
from likewise.errors import InvalidArgument, unknown_name
from likewise.geometry.distances import Distances
from likewise.geometry.named import dense
from likewise.problem.costs import powers
from likewise.problem.specification import Task

KMEANS_STARTS = 10  # as in scikit-learn, before its default became "auto"
SEARCH_ROWS = 3_000  # the most that the search looks at: its table of distances is square, 72 MB
HURRIED_ROWS = 500  # among which centres are chosen where there is no time
FARTHEST_FIRST_RATIO = 2.0  # Gonzalez 1985
EVERY_POINT_RATIO = 1.0  # with a centre at every point nobody pays anything: that is the best

CentersLike: TypeAlias = ArrayLike | Matrix  # "auto", points or row numbers


@dataclass(frozen=True)
class Centers:
    """The centres as rows of X (index -1: a given point that is no row) and as points."""

    indices: Array
    points: Array | None  # None under precomputed distances
    distances: Array  # (n, k): from every row to every centre
    # at most this many times the best vanilla cost (L_p), if that is proven
    proven_ratio: float | None = None

    def seen_from(self, rows: Array) -> "Centers":
        """The same centres for some of the rows, of which they need not be any."""
        nowhere = np.full(len(self.indices), -1)
        return Centers(nowhere, self.points, self.distances[rows])


def choose_for(
    task: Task,
    centers: CentersLike = "auto",
    random_state: Seed = None,
    budget: Budget | None = None,
) -> Centers:
    """The centres of a task: those given, or good ones of our own; where there is no time for
    these, good ones for a sample of the rows.
    """
    with (budget or Budget()).cut_short(PREPARING):
        return choose_centers(
            centers,
            task.distances,
            n_clusters=task.n_clusters,
            p=task.p,
            weights=task.weights,
            random_state=random_state,
        )
    rows = _sample(task.distances.n_points, task.n_clusters, check_random_state(random_state))
    some = _search(task.distances.among(rows), task.n_clusters, task.p, task.weights[rows], 0)
    return at_rows(rows[some.indices], task.distances)


def _sample(n: int, k: int, random: np.random.RandomState) -> Array:
    """Some rows to choose k centres from, in no time."""
    return np.sort(random.choice(n, min(n, max(HURRIED_ROWS, 5 * k)), replace=False))


def choose_centers(
    centers: CentersLike,
    distances: Distances,
    *,
    n_clusters: int,
    p: float,
    weights: Array,
    random_state: Seed = None,
) -> Centers:
    """The centres the user gave, or good ones of our own."""
    if isinstance(centers, str):
        if centers != "auto":
            raise unknown_name("centers", centers, ["auto"])
        return _search(distances, n_clusters, p, weights, random_state)
    given = _as_array(centers)
    if given.ndim == 1 and given.dtype.kind in "iu":
        return at_rows(_check_rows(given, distances.n_points, n_clusters), distances)
    return _at_points(given, distances, n_clusters)


def _as_array(centers: CentersLike) -> Array:
    if isinstance(centers, sparse.sparray | sparse.spmatrix):
        return np.asarray(centers.toarray())
    return np.asarray(centers)


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
    points = None if distances.metric == "precomputed" else dense(distances.X[rows])
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


def _search(distances: Distances, k: int, p: float, weights: Array, random_state: Seed) -> Centers:
    """The vanilla clustering's centres, in an order that means nothing."""
    random = check_random_state(random_state)
    distinct = distances.distinct_rows()
    ratio: float | None = None
    if k >= len(distinct):
        rows, ratio = distinct, EVERY_POINT_RATIO
    elif np.isinf(p):
        rows, ratio = farthest_first(distances, k, weights), FARTHEST_FIRST_RATIO
    elif p == 2 and distances.is_euclidean:
        rows = _snapped_kmeans(distances, k, weights, random)
    else:
        rows = _local_search(distances, k, p, weights, random)
        ratio = SWAP_RATIO if p == 1 and len(distinct) <= SEARCH_ROWS else None
    return at_rows(_in_order(_filled(rows, k, distances.n_points), distances), distances, ratio)


def _filled(rows: Array, k: int, n_points: int) -> Array:
    """These rows, each once, and others until there are k of them."""
    once = np.unique(rows)
    others = np.setdiff1d(np.arange(n_points), once)
    return np.concatenate([once, others[: k - len(once)]])


def warn_of_repeated(asked: CentersLike, chosen: Centers, stacklevel: int = 3) -> None:
    """Warn where X has fewer distinct points than centres; given ones are as they were wanted."""
    if not isinstance(asked, str):
        return
    k, n_distinct = len(chosen.indices), _places(chosen)
    if n_distinct < k:
        warnings.warn(too_few_distinct(k, n_distinct), ConvergenceWarning, stacklevel)


def _places(centers: Centers) -> int:
    """At how many different places rows that are centres lie: identical ones, and those at distance
    zero, are at the same.
    """
    same = centers.distances[centers.indices] == 0
    if centers.points is not None:  # under some metrics rounding keeps identical rows apart
        point = np.unique(centers.points, axis=0, return_inverse=True)[1].ravel()
        same |= point[:, None] == point[None, :]
    return int((~np.tril(same, -1).any(axis=1)).sum())


def too_few_distinct(k: int, n_distinct: int) -> str:
    """What is said where centres have to be repeated."""
    return (
        f"n_clusters: {k} centres were asked for, but X has only {n_distinct} distinct"
        f" point{'s' if n_distinct > 1 else ''}: some centres are at the same place."
        f" Use n_clusters of at most {n_distinct}."
    )


def _local_search(
    distances: Distances, k: int, p: float, weights: Array, random: np.random.RandomState
) -> Array:
    """The best of several local searches among one row of each class of identical ones, with the
    weight of the class; among a sample of them where they are many.
    """
    rows = distances.distinct_rows()
    mass = np.bincount(distances.duplicate_classes(), weights)
    if len(rows) > SEARCH_ROWS:
        chosen = np.sort(random.choice(len(rows), SEARCH_ROWS, replace=False))
        rows, mass = rows[chosen], mass[chosen]
    if mass.sum() == 0:
        mass = np.ones_like(mass)
    among = distances.among(rows)
    cost = check_costs(powers(among.to_rows(np.arange(len(rows))), p))
    return np.asarray(rows[best_of_starts(cost, k, mass, random)])


def farthest_first(distances: Distances, k: int, weights: Array | None = None) -> Array:
    """Gonzalez: a row, then again and again the row farthest from those chosen.

    Rows without weight are never chosen while others are left: they cost nothing anywhere.
    """
    counts = np.ones(distances.n_points) if weights is None else weights
    counts = (counts > 0) if (counts > 0).any() else np.ones_like(counts)
    chosen = [int(np.argmax(counts))]
    nearest = distances.to_rows(np.array(chosen))[:, 0]
    while len(chosen) < k:
        check()
        weighed = nearest * counts
        chosen.append(int((weighed if weighed.max() > 0 else nearest).argmax()))
        nearest = np.minimum(nearest, distances.to_rows(np.array(chosen[-1:]))[:, 0])
    return np.array(chosen)


def _snapped_kmeans(
    distances: Distances, k: int, weights: Array, random: np.random.RandomState
) -> Array:
    to_means = distances.to_points(weighted_means(distances.X, k, weights, KMEANS_STARTS, random))
    rows: list[int] = []
    for c in range(k):
        # two means may have the same nearest row: the later one takes the nearest that is left
        if rows:
            taken = (distances.to_rows(np.array(rows)) == 0).any(axis=1)
            to_means[taken, c] = np.inf
        rows.append(int(to_means[:, c].argmin()))
    return np.array(rows)


def weighted_means(
    X: Matrix, k: int, weights: Array, n_starts: int, random: np.random.RandomState
) -> Array:
    """The means of the best of several runs of k-means. Some may coincide, where the mass sits on
    few points: whoever replaces means by rows tells them apart.
    """
    best = _kmeans(X, k, weights, random)
    for _ in range(n_starts - 1):
        if is_due():  # one start is a good choice already
            break
        other = _kmeans(X, k, weights, random)
        best = other if other.inertia_ < best.inertia_ else best
    return np.asarray(best.cluster_centers_)


def _kmeans(X: Matrix, k: int, weights: Array, random: np.random.RandomState) -> KMeans:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return KMeans(k, n_init=1, random_state=random).fit(X, sample_weight=weights)
