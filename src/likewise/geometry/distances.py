"""Distances between the rows of X, a block at a time: never n x n numbers in memory.

Euclidean and the other vector distances come from scipy's ``cdist``, which subtracts before it
squares. The faster expansion |x|^2 - 2xy + |y|^2 leaves 1e-8 between identical rows, and identical
people must be at distance exactly zero.
"""

from collections.abc import Callable, Iterator
from copy import copy
from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse
from scipy.spatial import cKDTree
from scipy.spatial.distance import cdist
from sklearn.metrics import pairwise_distances
from sklearn.metrics.pairwise import _VALID_METRICS
from threadpoolctl import threadpool_limits

from likewise._typing import Array
from likewise.compute.executor import LOCAL, Engine, cut
from likewise.compute.threads import n_cores, over_ranges
from likewise.errors import InvalidArgument, unknown_name
from likewise.geometry import kernels

Metric = str | Callable[..., Any]

BLOCK_CELLS = 2_000_000  # cells of a block of distances: 16 MB
# Neighbours, all of 29,737 rows in 14 dimensions, m = 250, seconds on two cores: brute force 6,
# scipy's tree 7, scikit-learn's tree 10. A million rows in 8 dimensions, m = 30: scipy's tree 540,
# scikit-learn's 850, brute force hours. In 5 dimensions scipy's tree wins by 10 at 76,000 rows.
TREE_DIMENSIONS = 16
# Distances that are equal but for the last bits are ties: at least as many pairs, never fewer.
TIE = 1 + 1e-12

_CDIST = {
    "euclidean": "euclidean",
    "l2": "euclidean",
    "manhattan": "cityblock",
    "cityblock": "cityblock",
    "l1": "cityblock",
    "chebyshev": "chebyshev",
    "sqeuclidean": "sqeuclidean",
    "canberra": "canberra",
    "braycurtis": "braycurtis",
    "correlation": "correlation",
    "hamming": "hamming",
}


class Distances:
    """The distances of the rows of ``X`` under ``metric``, by block, by pair or to given points."""

    def __init__(self, X: Any, metric: Metric = "euclidean", engine: Engine = LOCAL) -> None:
        self.X = X
        self.metric = metric
        self.engine = engine
        self.n_points: int = X.shape[0]
        self._parameters = _parameters_of(metric, X)
        if metric == "precomputed":
            _check_precomputed(X)

    def __getstate__(self) -> dict[str, Any]:
        state = self.__dict__ | {"engine": LOCAL}  # what travels works where it arrives
        state.pop("_shared", None)
        return state

    def come_home(self) -> None:
        """The work is done: nothing is kept elsewhere any more."""
        self.engine = LOCAL
        self.__dict__.pop("_shared", None)

    @cached_property
    def _shared(self) -> Any:
        return self.engine.share(self)

    @property
    def is_euclidean(self) -> bool:
        return self.metric in ("euclidean", "l2")

    @property
    def has_vectors(self) -> bool:
        """Euclidean and dense: the case with compiled loops and trees."""
        return self.is_euclidean and not sparse.issparse(self.X)

    def between(self, A: Any, B: Any) -> Array:
        """Distances of the rows of A to the rows of B, whoever they are."""
        if isinstance(self.metric, str) and self.metric in _CDIST:
            table = cdist(_dense(A), _dense(B), _CDIST[self.metric])
        else:
            # one thread: how BLAS adds up depends on how many it has
            with threadpool_limits(1, user_api="blas"):
                table = pairwise_distances(A, B, metric=self.metric, **self._parameters)
            # rounding can make cosine and its kin a hair negative
            table = np.maximum(np.asarray(table, dtype=np.float64), 0.0)
        return check_finite(table, self.metric)

    def rows(self, start: int, stop: int) -> Array:
        """Distances of rows start..stop to every row; a copy, to be written on."""
        if self.metric == "precomputed":
            return np.array(self.X[start:stop], dtype=np.float64)
        table = self.between(self.X[start:stop], self.X)
        table[np.arange(stop - start), np.arange(start, stop)] = 0.0
        return table

    @property
    def block_rows(self) -> int:
        """Rows in a block."""
        return max(1, BLOCK_CELLS // self.n_points)

    def blocks(self, first: int = 0, last: int | None = None) -> Iterator[tuple[int, int, Array]]:
        """(start, stop, distances of those rows to every row), over the rows first..last, or all;
        ``first`` begins a block.
        """
        end = self.n_points if last is None else last
        for start in range(first, end, self.block_rows):
            stop = min(start + self.block_rows, end)
            yield start, stop, self.rows(start, stop)

    def _over_rows(self, work: Callable[..., Any], *values: Any, grain: int = 1) -> list[Any]:
        """work((first, last), self, *values) over ranges that make up all rows, in order."""
        n = self.n_points
        ranges = cut(n, self.engine.parts(n * (n - 1)), grain)
        return self.engine.over_parts(work, self.engine.hold(ranges), self._shared, *values)

    def to_rows(self, indices: Array) -> Array:
        """Distances of every row to the rows at ``indices``."""
        if self.metric == "precomputed":
            return np.asarray(self.X[:, indices], dtype=np.float64)
        return self.to_points(self.X[indices])

    def to_points(self, points: Any) -> Array:
        """Distances of every row to ``points``."""
        return self.between(self.X, points)

    def among(self, rows: Array) -> "Distances":
        """Only these rows, with the parameters of the metric that were read off all of them."""
        fewer = copy(self)
        fewer.X = self.X[np.ix_(rows, rows)] if self.metric == "precomputed" else self.X[rows]
        fewer.n_points = len(rows)
        for known in ("_label", "_shared"):
            fewer.__dict__.pop(known, None)
        return fewer

    def from_points(self, points: Any) -> Array:
        """Distances of ``points`` to every row; precomputed ones are these distances already."""
        if self.metric == "precomputed":
            return check_finite(np.asarray(points, dtype=np.float64), self.metric)
        return self.between(points, self.X)

    def at(self, i: Array, j: Array) -> Array:
        """Distances of the pairs (i, j)."""
        if self.metric == "precomputed":
            return np.asarray(self.X[i, j], dtype=np.float64)
        out = np.empty(len(i))
        if self.has_vectors:
            over_ranges(kernels.pair_distances, len(i), self.X, i, j, out, grain=100_000)
            return out
        order = np.argsort(i, kind="stable")
        new_row = 1 + np.flatnonzero(np.diff(i[order]))
        for part in np.split(order, new_row) if len(i) else []:
            row = i[part[0]]
            out[part] = self.between(self.X[row : row + 1], self.X[j[part]])[0]
        out[i == j] = 0.0
        return out

    def largest(self) -> float:
        """The largest distance of any two rows."""
        if self.has_vectors:
            return _diameter(self.X, self.engine)
        return max(self._over_rows(_largest_in, grain=self.block_rows), default=0.0)

    def neighbor_radius(self, n_neighbors: int) -> Array:
        """For each row, the distance to its ``n_neighbors``-th nearest other row."""
        grain = 1 if self.has_vectors else self.block_rows
        return np.concatenate(self._over_rows(_radius_in, n_neighbors, grain=grain))

    def neighbors(self, n_neighbors: int) -> tuple[Array, Array, Array]:
        """(i, j, d) for j among the ``n_neighbors`` nearest other rows of i, all ties included."""
        tree, grain = None, self.block_rows
        if self.has_vectors and self.X.shape[1] <= TREE_DIMENSIONS:
            with np.errstate(over="ignore"):
                check_finite(np.square(np.ptp(self.X, axis=0)), self.metric)
            tree, grain = cKDTree(self.X), 1
        parts = self._over_rows(_neighbors_in, n_neighbors, tree, grain=grain)
        i, j, d = (np.concatenate(column) for column in zip(*parts, strict=True))
        return i, j, d

    def near_in_block(
        self, start: int, block: Array, n_neighbors: int
    ) -> tuple[Array, Array, Array]:
        """(i, j, d) of the neighbours of the rows of one block of distances."""
        radius = _kth_other(block, start, n_neighbors)
        near = block <= (radius * TIE)[:, None]
        near[np.arange(len(block)), np.arange(start, start + len(block))] = False
        i, j = np.nonzero(near)
        return i.astype(np.int32) + np.int32(start), j.astype(np.int32), block[i, j]

    def near_by_tree(
        self, first: int, last: int, n_neighbors: int, tree: cKDTree
    ) -> Iterator[tuple[Array, Array, Array]]:
        """The same for the rows first..last, by scipy's k-d tree.

        Two more than asked for: the row itself, and one to see whether the ties go on; the few
        rows where they do are done by brute force.
        """
        n = self.n_points
        asked = min(n_neighbors + 2, n)
        step = max(1, BLOCK_CELLS // asked)
        for start in range(first, last, step):
            rows = np.arange(start, min(start + step, last), dtype=np.int32)
            d, j = tree.query(self.X[rows], k=asked, workers=n_cores())
            j = j.astype(np.int32)
            is_self = j == rows[:, None]
            d[is_self] = np.inf
            has_self = is_self.any(axis=1)
            radius = np.partition(d, n_neighbors - 1, axis=1)[:, n_neighbors - 1] * TIE
            farthest = np.where(np.isfinite(d), d, -np.inf).max(axis=1)
            open_ended = ((farthest <= radius) | ~has_self) & (asked < n)
            near = (d <= radius[:, None]) & ~open_ended[:, None]
            r, c = np.nonzero(near)
            yield rows[r], j[r, c], d[r, c]
            for row in rows[open_ended]:
                yield self.near_in_block(int(row), self.rows(row, row + 1), n_neighbors)

    def distinct_rows(self) -> Array:
        """One row of each class of identical ones, the first."""
        return np.unique(self._label, return_index=True)[1]

    def twins(self) -> Array:
        """For each row, the number of its class of rows at distance zero (0, 1, 2, ...)."""
        return self._label

    @cached_property
    def _label(self) -> Array:
        if self.metric != "precomputed" and not sparse.issparse(self.X):
            _, first, label = np.unique(self.X, axis=0, return_index=True, return_inverse=True)
            first_twin = first[label.ravel()]
        else:
            blocks = (np.argmax(block == 0.0, axis=1) for _, _, block in self.blocks())
            first_twin = np.concatenate(list(blocks))
        return np.unique(first_twin, return_inverse=True)[1]


def _largest_in(rows: tuple[int, int], distances: Distances) -> float:
    return max((float(block.max()) for _, _, block in distances.blocks(*rows)), default=0.0)


def _radius_in(rows: tuple[int, int], distances: Distances, n_neighbors: int) -> Array:
    """``Distances.neighbor_radius`` of some rows."""
    first, last = rows
    radius = np.empty(last - first)
    if distances.has_vectors:
        columns = np.ascontiguousarray(distances.X.T)
        over_ranges(
            kernels.kth_nearest, last - first, first, columns, n_neighbors, radius, grain=64
        )
        return check_finite(radius, distances.metric)
    for start, stop, block in distances.blocks(first, last):
        radius[start - first : stop - first] = _kth_other(block, start, n_neighbors)
    return radius


def _neighbors_in(
    rows: tuple[int, int], distances: Distances, n_neighbors: int, tree: cKDTree | None
) -> tuple[Array, Array, Array]:
    """``Distances.neighbors`` of some rows."""
    if tree is not None:
        parts = list(distances.near_by_tree(*rows, n_neighbors, tree))
    else:
        parts = [
            distances.near_in_block(start, block, n_neighbors)
            for start, _, block in distances.blocks(*rows)
        ]
    i, j, d = (np.concatenate(column) for column in zip(*parts, strict=True))
    return i, j, d


def check_finite(distances: Array, metric: Metric) -> Array:
    """The distances, if all of them can be computed with."""
    if not np.isfinite(distances).all():
        raise InvalidArgument(
            "X",
            f"some distances under metric={metric!r} are infinite or not a number.",
            "Scale the columns (for example with StandardScaler) or choose another metric.",
        )
    return distances


def _diameter(X: Array, engine: Engine) -> float:
    """The largest distance of any two rows: exactly, and mostly without looking at all pairs.

    A good guess comes from walking to the farthest row a few times; then only rows whose distances
    from the middle add up to more than that can be further apart.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        from_middle = np.sqrt(((X - X.mean(axis=0)) ** 2).sum(axis=1))
    check_finite(from_middle, "euclidean")
    order = np.argsort(-from_middle, kind="stable")
    outermost = np.ascontiguousarray(X[order])
    best, row = 0.0, 0
    for _ in range(4):
        distance = np.sqrt(((outermost - outermost[row]) ** 2).sum(axis=1))
        best, row = max(best, float(distance.max())), int(distance.argmax())
    # a little slack: the bound must not exclude a pair by rounding
    reach = from_middle[order] * (1 + 1e-12)
    candidates = int(np.searchsorted(-(reach + reach[0]), -best))
    ranges = cut(candidates, engine.parts(candidates * candidates))
    parts = engine.over_parts(_farthest_in, engine.hold(ranges), outermost, reach, best)
    return float(check_finite(np.array(parts or [best]), "euclidean").max())


def _farthest_in(rows: tuple[int, int], outermost: Array, reach: Array, best: float) -> float:
    first, last = rows
    return max(
        over_ranges(kernels.farthest, last - first, first, outermost, reach, best, grain=1000)
    )


def _dense(A: Any) -> Array:
    return A.toarray() if sparse.issparse(A) else A


def _kth_other(block: Array, start: int, n_neighbors: int) -> Array:
    rows = np.arange(len(block))
    own = block[rows, start + rows].copy()
    block[rows, start + rows] = np.inf
    radius = np.partition(block, n_neighbors - 1, axis=1)[:, n_neighbors - 1]
    block[rows, start + rows] = own
    return radius


def _parameters_of(metric: Metric, X: Any) -> dict[str, Any]:
    """Parameters that some metrics read off the data: once from all of it, not from each block."""
    if metric == "precomputed" or callable(metric):
        return {}
    if metric not in _VALID_METRICS:
        raise unknown_name("metric", metric, [*_VALID_METRICS])
    if metric == "seuclidean":
        return {"V": np.var(_dense(X), axis=0, ddof=1)}
    if metric == "mahalanobis":
        return {"VI": np.linalg.inv(np.cov(_dense(X).T)).T}
    return {}


def _check_precomputed(D: Any) -> None:
    remedy = "Pass the square matrix of distances between all rows, or choose another metric."
    if sparse.issparse(D):
        raise InvalidArgument("X", "a precomputed distance matrix must be dense.", remedy)
    if D.shape[0] != D.shape[1]:
        raise InvalidArgument(
            "X", f"metric='precomputed' needs a square matrix, not {D.shape}.", remedy
        )
    if D.min(initial=0.0) < 0:
        raise InvalidArgument("X", "precomputed distances are negative in places.", remedy)
    if np.diagonal(D).any():
        raise InvalidArgument("X", "precomputed distances have a non-zero diagonal.", remedy)
    if not np.allclose(D, D.T, rtol=1e-9, atol=0.0):
        raise InvalidArgument("X", "precomputed distances are not symmetric.", remedy)
