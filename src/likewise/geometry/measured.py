"""Rows as compiled loops take them: a measure, and the columns that it is for (``measures``)."""

from typing import NamedTuple

import numpy as np
from scipy import sparse
from sklearn.preprocessing import normalize

from likewise._typing import Array, Matrix, Metric
from likewise.geometry import measures
from likewise.geometry.gower import GowerMetric

EUCLIDEAN = ("euclidean", "l2", "nan_euclidean")
PLAIN: dict[str, object] = {
    **dict.fromkeys(EUCLIDEAN, measures.Euclidean()),
    **dict.fromkeys(("manhattan", "cityblock", "l1"), measures.Manhattan()),
    "chebyshev": measures.Chebyshev(),
}


class Measured(NamedTuple):
    """Rows of X under a metric that has compiled loops."""

    measure: object
    table: Array  # (columns, n) or, of distances that are given, (n, n)

    @property
    def is_given(self) -> bool:
        """Whether the distances themselves are given, and no coordinates."""
        return isinstance(self.measure, measures.Precomputed)

    @property
    def coordinates(self) -> Array:
        """(n, columns): points by which neighbours can be found. There are none where distances are
        given, and what is missing is in the middle of nowhere.
        """
        if self.is_given:
            return np.zeros((len(self.table), 1))
        return np.asarray(np.nan_to_num(np.ascontiguousarray(self.table.T)))

    def coordinates_with_gaps(self, coordinates: Array, rows: Array) -> Array:
        """Those of these rows, with NaN for what is missing."""
        if self.is_given:
            return coordinates[rows]
        return np.ascontiguousarray(self.table[:, rows].T)

    def among(self, rows: Array) -> "Measured":
        """Only these rows."""
        if self.is_given:
            is_all = len(rows) == len(self.table)
            return self if is_all else Measured(self.measure, self.table[np.ix_(rows, rows)])
        return Measured(self.measure, np.ascontiguousarray(self.table[:, rows]))

    def part(self, rows: Array) -> Array:
        """What loops read of these rows: their columns, or their rows of distances to everybody,
        without a copy where the rows stand together.
        """
        if not self.is_given:
            return np.ascontiguousarray(self.table[:, rows])
        return self.table[rows[0] : rows[-1] + 1]


def measured(metric: Metric, X: Matrix) -> Measured | None:
    """The rows of X under this metric; None where only blocks of distances can be had."""
    if sparse.issparse(X):
        return None
    if isinstance(metric, GowerMetric):
        return Measured(metric.measure(X), np.ascontiguousarray(metric.scaled(X).T))
    if metric == "precomputed":
        return Measured(measures.Precomputed(), np.asarray(X, dtype=np.float64))
    if metric == "cosine":
        return Measured(measures.Cosine(), np.ascontiguousarray(unit_rows(X).T))
    if isinstance(metric, str) and metric in PLAIN:
        return Measured(PLAIN[metric], np.ascontiguousarray(np.asarray(X, dtype=np.float64).T))
    return None


def unit_rows(X: Array) -> Array:
    """Rows of length one, of which half the squared distance is 1 - cos. Rows of zeros have no
    direction: a column of their own puts them at distance 1 from all others.
    """
    X = np.asarray(X, dtype=np.float64)
    is_zero = ~X.any(axis=1)
    largest = np.where(is_zero, 1.0, np.abs(X).max(axis=1))  # squares of tiny numbers are zero
    return np.column_stack([normalize(X / largest[:, None]), is_zero.astype(np.float64)])
