"""Distances between the rows of X, a block at a time: never n x n numbers in memory.

Euclidean and the other vector distances come from scipy's ``cdist``, which subtracts before it
squares. The faster expansion |x|^2 - 2xy + |y|^2 leaves 1e-8 between identical rows, and identical
people must be at distance exactly zero.
"""

from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import pairwise
from typing import TypeVar

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components
from scipy.spatial.distance import cdist
from sklearn.metrics import pairwise_distances
from sklearn.preprocessing import normalize

from likewise._typing import Array, Matrix, Metric
from likewise.compute.cancellation import check
from likewise.compute.executor import Executor, cut
from likewise.compute.threads import over_ranges, plain_blas
from likewise.errors import InvalidArgument
from likewise.geometry.gower import GowerMetric
from likewise.geometry.measured import Measured, measured
from likewise.geometry.measures import fill_pairs, fill_table, linked_at_zero
from likewise.geometry.named import (
    VECTORS,
    YES_OR_NO,
    check_metric,
    dense,
    parameters_of,
    yes_or_no_distances,
)

Result = TypeVar("Result")

# 1 - cos is a difference of numbers of size 1: off by 2e-16, which is much of the distance of rows
# that are nearly parallel. Below this it is |u - v|^2 / 2, of rows of length one ...
NEARLY_PARALLEL = 1e-6
# ... and zero below this: the same direction, but for the rounding of u and v.
SAME_DIRECTION = 1e-28
BLOCK_CELLS = 2_000_000  # cells of a block of distances: 16 MB
TABLE_GRAIN = 16  # rows of a table of distances worth a thread of their own
ZERO_GRAIN = 500  # rows worth a thread of their own, each compared with all later ones
PAIR_GRAIN = 100_000  # single distances worth a thread of their own


class Distances:
    """The distances of the rows of ``X`` under ``metric``, by block, by pair or to given points.

    ``parameters`` of the metric are read off X where they are not given.
    """

    def __init__(
        self, X: Matrix, metric: Metric = "euclidean", parameters: dict[str, Array] | None = None
    ) -> None:
        self.X = X
        if metric == "gower":  # of numbers: mixed columns bring their own
            self.X = X = dense(X)
            metric = GowerMetric.of(dense(X)) if not parameters else GowerMetric.from_(parameters)
        self.metric = metric
        self.n_points: int = X.shape[0]
        check_metric(metric, X)
        self._parameters = parameters_of(metric, X) if parameters is None else parameters
        if metric == "precomputed":
            _check_precomputed(X)

    @property
    def parameters(self) -> dict[str, Array]:
        """Of the metric, as they were given or read off X."""
        if isinstance(self.metric, GowerMetric):
            return self.metric.parameters
        return self._parameters

    @property
    def is_euclidean(self) -> bool:
        return self.metric in ("euclidean", "l2")

    @property
    def has_vectors(self) -> bool:
        """Euclidean and dense: the case with trees, and with a middle."""
        return self.is_euclidean and not sparse.issparse(self.X)

    @cached_property
    def measured(self) -> Measured | None:
        """The rows as compiled loops take them; None where distances only come in blocks."""
        return measured(self.metric, self.X)

    def __getstate__(self) -> dict[str, object]:
        """Without what follows from the rest."""
        return {name: value for name, value in vars(self).items() if name != "measured"}

    def between(self, A: Matrix, B: Matrix) -> Array:
        """Distances of the rows of A to the rows of B, whoever they are."""
        if self._is_compiled_between:
            table = self._compiled_between(dense(A), dense(B))
        elif isinstance(self.metric, str) and self.metric in VECTORS:
            table = cdist(dense(A), dense(B), VECTORS[self.metric], **self._parameters)
        elif isinstance(self.metric, str) and self.metric in YES_OR_NO:
            table = yes_or_no_distances(self.metric, A, B)
        else:
            with plain_blas():
                table = pairwise_distances(A, B, metric=self.metric)
            # rounding can make cosine and its kin a hair negative
            table = np.maximum(np.asarray(table, dtype=np.float64), 0.0)
            if self.metric == "cosine":
                _refine_cosines(table, A, B)
        return check_finite(table, self.metric)

    @property
    def _is_compiled_between(self) -> bool:
        """Cosine and Gower's distances; scipy has the others, as quick."""
        by_cosine = self.metric == "cosine" and not sparse.issparse(self.X)
        return by_cosine or isinstance(self.metric, GowerMetric)

    def _compiled_between(self, A: Array, B: Array) -> Array:
        ours, theirs = measured(self.metric, A), measured(self.metric, B)
        assert ours is not None, "there are loops for this metric"
        assert theirs is not None, "there are loops for this metric"
        measure = self.metric.measure(A, B) if isinstance(self.metric, GowerMetric) else ours[0]
        table = np.empty((len(A), len(B)))
        over_ranges(fill_table, len(A), measure, ours.table, theirs.table, table, grain=TABLE_GRAIN)
        return table

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
            check()
            stop = min(start + self.block_rows, end)
            yield start, stop, self.rows(start, stop)

    def to_rows(self, indices: Array) -> Array:
        """Distances of every row to the rows at ``indices``."""
        if self.metric == "precomputed":
            return np.asarray(self.X[:, indices], dtype=np.float64)
        return self.to_points(self.X[indices])

    def table(self, rows: Array, others: Array) -> Array:
        """Distances of these rows to the others."""
        if self.metric == "precomputed":
            return np.asarray(self.X[np.ix_(rows, others)], dtype=np.float64)
        if self.measured is None:
            return self.between(self.X[rows], self.X[others])
        out = np.empty((len(rows), len(others)))
        own, them = self.measured.part(rows), self.measured.part(others)
        over_ranges(fill_table, len(rows), self.measured.measure, own, them, out, grain=TABLE_GRAIN)
        return out

    def to_points(self, points: Matrix) -> Array:
        """Distances of every row to ``points``."""
        return self.between(self.X, points)

    def from_points(self, points: Matrix) -> Array:
        """Distances of ``points`` to every row; precomputed ones are these distances already."""
        if self.metric == "precomputed":
            return check_finite(np.asarray(points, dtype=np.float64), self.metric)
        return self.between(points, self.X)

    def at(self, i: Array, j: Array) -> Array:
        """Distances of the pairs (i, j)."""
        if self.metric == "precomputed":
            return np.asarray(self.X[i, j], dtype=np.float64)
        out = np.empty(len(i))
        if self.measured is not None:
            over_ranges(fill_pairs, len(i), *self.measured, i, j, out, grain=PAIR_GRAIN)
            return out
        order = np.argsort(i, kind="stable")
        new_row = 1 + np.flatnonzero(np.diff(i[order]))
        for part in np.split(order, new_row) if len(i) else []:
            row = i[part[0]]
            out[part] = self.between(self.X[row : row + 1], self.X[j[part]])[0]
        out[i == j] = 0.0
        return out

    def among(self, rows: Array) -> "Distances":
        """Only these rows, with the parameters of the metric that were read off all of them."""
        X = self.X[np.ix_(rows, rows)] if self.metric == "precomputed" else self.X[rows]
        return Distances(X, self.metric, self._parameters)

    def fingerprint(self) -> Iterator[object]:
        """What tells these distances from any others: the rows, and the metric."""
        X = self.X
        yield from (X,) if isinstance(X, np.ndarray) else (X.data, X.indices, X.indptr)
        if isinstance(self.metric, GowerMetric):
            yield from ("gower", self.metric.is_category, self.metric.ranges)
        else:
            yield self.metric

    def distinct_rows(self) -> Array:
        """One row of each class of identical ones, the first."""
        return np.unique(self._duplicate_classes, return_index=True)[1]

    def duplicate_classes(self) -> Array:
        """For each row, the number of its class of rows at distance zero (0, 1, 2, ...)."""
        return self._duplicate_classes

    @cached_property
    def _duplicate_classes(self) -> Array:
        if sparse.issparse(self.X):
            first_duplicate = _first_identical(self.X)
        elif self.measured is not None and self._may_coincide:
            return _linked_at_zero(self.measured)
        else:
            _, first, label = np.unique(self.X, axis=0, return_index=True, return_inverse=True)
            first_duplicate = first[label.ravel()]
        return np.unique(first_duplicate, return_inverse=True)[1]

    @property
    def _may_coincide(self) -> bool:
        """Whether rows that differ may be at distance zero."""
        with_gaps = isinstance(self.metric, GowerMetric) and self.metric.has_gaps
        return with_gaps or self.metric in ("cosine", "precomputed")

    @cached_property
    def zero_is_same(self) -> bool:
        """Whether rows at distance zero have the same distances to all others. Where values are
        missing or distances are given they may not: then only identical rows are sure to.
        """
        if self.metric == "cosine" or not self._may_coincide:
            return True
        rows = np.nan_to_num(self.X, nan=np.inf)
        return bool(self._duplicate_classes.max() + 1 == len(np.unique(rows, axis=0)))


def _linked_at_zero(rows: Measured) -> Array:
    """For each row, the number of its class of rows that steps of distance zero lead to."""
    n = rows.table.shape[1]
    parts = over_ranges(linked_at_zero, n, *rows, grain=ZERO_GRAIN)
    start, end = np.tile(np.arange(n), len(parts)), np.concatenate(parts)
    graph = sparse.coo_array((np.ones(len(start)), (start, end)), shape=(n, n))
    label: Array = connected_components(graph, directed=False)[1]
    return label


def _first_identical(X: Matrix) -> Array:
    """For each row of a sparse matrix the first row with the same entries."""
    rows = sparse.csr_array(X, copy=True)
    rows.sum_duplicates()
    rows.eliminate_zeros()
    seen: dict[tuple[bytes, bytes], int] = {}
    first = np.empty(rows.shape[0], dtype=np.int64)
    for row, (start, stop) in enumerate(pairwise(rows.indptr.tolist())):
        entries = rows.indices[start:stop].tobytes(), rows.data[start:stop].tobytes()
        first[row] = seen.setdefault(entries, row)
    return first


def map_rows(
    work: Callable[..., Result],
    distances: Distances,
    *values: object,
    executor: Executor,
    grain: int,
) -> list[Result]:
    """work((first, last), distances, *values) over ranges that make up all rows, in order; ranges
    begin at multiples of ``grain``.
    """
    n = distances.n_points
    ranges = cut(n, executor.parts(n * (n - 1)), grain)
    everywhere = executor.broadcast(distances)
    return executor.map_parts(work, executor.scatter(ranges), everywhere, *values)


def check_finite(distances: Array, metric: Metric) -> Array:
    """The distances, if all of them can be computed with."""
    if not np.isfinite(distances).all():
        raise InvalidArgument(
            "X",
            f"some distances under metric={metric!r} are infinite or not a number.",
            "Scale the columns (for example with StandardScaler) or choose another metric.",
        )
    return distances


def _refine_cosines(table: Array, A: Matrix, B: Matrix) -> None:
    """Where rows of A and B are nearly parallel, their cosine distances without loss of digits."""
    near = table < NEARLY_PARALLEL
    for row in np.flatnonzero(near.any(axis=1)):
        one, others = (normalize(dense(each)) for each in (A[[row]], B[near[row]]))
        exact = 0.5 * cdist(one, others, "sqeuclidean")[0]
        table[row, near[row]] = np.where(exact <= SAME_DIRECTION, 0.0, exact)


def _check_precomputed(D: Matrix) -> None:
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
