"""Distances between the rows of X, a block at a time: never n x n numbers in memory.

Euclidean and the other vector distances come from scipy's ``cdist``, which subtracts before it
squares. The faster expansion |x|^2 - 2xy + |y|^2 leaves 1e-8 between identical rows, and identical
people must be at distance exactly zero.
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from scipy import sparse
from scipy.spatial.distance import cdist
from sklearn.metrics import pairwise_distances
from sklearn.metrics.pairwise import _VALID_METRICS

from likewise.errors import InvalidArgument, unknown_name
from likewise.types import Array

Metric = str | Callable[..., Any]

BLOCK_CELLS = 2_000_000  # cells of a block of distances: 16 MB
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

    def __init__(self, X: Any, metric: Metric = "euclidean") -> None:
        self.X = X
        self.metric = metric
        self.n_points: int = X.shape[0]
        self._parameters = _parameters_of(metric, X)
        if metric == "precomputed":
            _check_precomputed(X)

    @property
    def is_euclidean(self) -> bool:
        return self.metric in ("euclidean", "l2")

    def _between_rows(self, A: Any, B: Any) -> Array:
        if isinstance(self.metric, str) and self.metric in _CDIST:
            table = cdist(_dense(A), _dense(B), _CDIST[self.metric])
        else:
            table = pairwise_distances(A, B, metric=self.metric, **self._parameters)
            # rounding can make cosine and its kin a hair negative
            table = np.maximum(np.asarray(table, dtype=np.float64), 0.0)
        if not np.isfinite(table).all():
            raise InvalidArgument(
                "X",
                f"some distances under metric={self.metric!r} are infinite or not a number.",
                "Scale the columns (for example with StandardScaler) or choose another metric.",
            )
        return table

    def rows(self, start: int, stop: int) -> Array:
        """Distances of rows start..stop to every row."""
        if self.metric == "precomputed":
            return np.asarray(self.X[start:stop], dtype=np.float64)
        table = self._between_rows(self.X[start:stop], self.X)
        table[np.arange(stop - start), np.arange(start, stop)] = 0.0
        return table

    def blocks(self) -> Iterator[tuple[int, int, Array]]:
        """(start, stop, distances of those rows to every row), over all rows."""
        step = max(1, BLOCK_CELLS // self.n_points)
        for start in range(0, self.n_points, step):
            stop = min(start + step, self.n_points)
            yield start, stop, self.rows(start, stop)

    def to_rows(self, indices: Array) -> Array:
        """Distances of every row to the rows at ``indices``."""
        if self.metric == "precomputed":
            return np.asarray(self.X[:, indices], dtype=np.float64)
        return self.to_points(self.X[indices])

    def to_points(self, points: Any) -> Array:
        """Distances of every row to ``points``."""
        return self._between_rows(self.X, points)

    def at(self, i: Array, j: Array) -> Array:
        """Distances of the pairs (i, j)."""
        if self.metric == "precomputed":
            return np.asarray(self.X[i, j], dtype=np.float64)
        out = np.empty(len(i))
        order = np.argsort(i, kind="stable")
        new_row = 1 + np.flatnonzero(np.diff(i[order]))
        for part in np.split(order, new_row) if len(i) else []:
            row = i[part[0]]
            out[part] = self._between_rows(self.X[row : row + 1], self.X[j[part]])[0]
        out[i == j] = 0.0
        return out

    def largest(self) -> float:
        """The largest distance of any two rows."""
        return max((float(block.max()) for _, _, block in self.blocks()), default=0.0)

    def neighbor_radius(self, n_neighbors: int) -> Array:
        """For each row, the distance to its ``n_neighbors``-th nearest other row."""
        radius = np.empty(self.n_points)
        for start, stop, block in self.blocks():
            radius[start:stop] = _kth_other(block, start, n_neighbors)
        return radius

    def neighbors(self, n_neighbors: int) -> tuple[Array, Array, Array]:
        """(i, j, d) for j among the ``n_neighbors`` nearest other rows of i, all ties included."""
        parts = []
        for start, _, block in self.blocks():
            radius = _kth_other(block, start, n_neighbors)
            near = block <= (radius * TIE)[:, None]
            near[np.arange(len(block)), np.arange(start, start + len(block))] = False
            i, j = np.nonzero(near)
            parts.append((i + start, j, block[i, j]))
        i, j, d = (np.concatenate(column) for column in zip(*parts, strict=True))
        return i, j, d

    def twins(self) -> Array:
        """For each row, the number of its class of rows at distance zero (0, 1, 2, ...)."""
        if self.metric != "precomputed" and not sparse.issparse(self.X):
            _, first, label = np.unique(self.X, axis=0, return_index=True, return_inverse=True)
            first_twin = first[label.ravel()]
        else:
            blocks = (np.argmax(block == 0.0, axis=1) for _, _, block in self.blocks())
            first_twin = np.concatenate(list(blocks))
        return np.unique(first_twin, return_inverse=True)[1]


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
