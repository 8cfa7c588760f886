"""Tables with numbers, text and gaps as arrays of numbers, for Gower's distance (``gower``).

Columns of numbers stay what they are; any other column is a category, its values numbered in their
order. What is missing is NaN. A value that comes later and was not there at first is a category of
its own: it differs from all others.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

import narwhals.stable.v1 as nw
import numpy as np
from scipy import sparse

from likewise._typing import Array, Matrix, Metric
from likewise._validation import as_table
from likewise.errors import InvalidArgument
from likewise.geometry.gower import GowerMetric
from likewise.geometry.named import dense

Code: TypeAlias = dict[object, int]


@dataclass(frozen=True)
class MixedColumns:
    """The columns of a table: for each the numbers of its values, or None where it has numbers."""

    codes: tuple[Code | None, ...]

    @classmethod
    def of(cls, table: object) -> "MixedColumns":
        """The columns of a data frame or of an array of anything."""
        return cls(tuple(_code_of(column) for column in _columns(table)))

    @property
    def values(self) -> list[list[object] | None]:
        """The values of each category in the order of their numbers; None for numbers."""
        return [None if code is None else list(code) for code in self.codes]

    @classmethod
    def from_values(cls, values: Iterable[list[object] | None]) -> "MixedColumns":
        """From what ``values`` said."""
        return cls(
            tuple(None if each is None else {v: c for c, v in enumerate(each)} for each in values)
        )

    @property
    def is_category(self) -> Array:
        return np.array([code is not None for code in self.codes])

    def encoded(self, table: object) -> Array:
        """The rows of such a table as numbers."""
        columns = _columns(table)
        if len(columns) != len(self.codes):
            raise InvalidArgument(
                "X",
                f"{len(columns)} columns, but there were {len(self.codes)} when it was fitted.",
                "Pass the same columns, in the same order.",
            )
        numbered = [_numbers(*each) for each in zip(columns, self.codes, strict=True)]
        return np.ascontiguousarray(np.column_stack(numbered))


def as_rows(X: object, metric: Metric) -> tuple[Matrix, Metric]:
    """Rows of numbers, and the distance between them: what Gower's takes is any table."""
    if metric != "gower":
        return as_table(X), metric
    columns = MixedColumns.of(X)
    rows = columns.encoded(X)
    return rows, GowerMetric.of(rows, columns.is_category)


def coordinates(X: object, metric: Metric) -> Array:
    """Where a picture puts the rows."""
    is_mixed = metric == "gower" or isinstance(metric, GowerMetric)
    rows, metric = as_rows(X, "gower" if is_mixed else metric)
    return metric.coordinates(rows) if isinstance(metric, GowerMetric) else dense(rows)


def _columns(table: object) -> list[Array]:
    frame = nw.from_native(table, eager_only=True, pass_through=True)
    if isinstance(frame, nw.DataFrame):
        return [_as_array(frame[name]) for name in frame.columns]
    array = table.toarray() if sparse.issparse(table) else np.asarray(table)
    if array.ndim != 2:
        raise InvalidArgument(
            "X", f"an array of shape {array.shape}.", "Pass a table: one row for each point."
        )
    return list(array.T)


def _as_array(column: nw.Series) -> Array:
    """Numbers as numbers, with NaN for what is missing; anything else as objects."""
    if column.dtype.is_numeric():
        return np.asarray(column.cast(nw.Float64).to_numpy(), dtype=np.float64)
    values = np.empty(len(column), dtype=object)
    values[:] = column.to_list()
    return values


def _code_of(column: Array) -> Code | None:
    """The numbers of the values of a column; None if they are numbers themselves."""
    if column.dtype.kind in "iuf":
        return None
    known = [value for value in column.tolist() if not _is_missing(value)]
    if column.dtype.kind == "O" and all(_is_number(value) for value in known):
        return None
    return {value: place for place, value in enumerate(sorted(set(known), key=str))}


def _numbers(column: Array, code: Code | None) -> Array:
    if code is None:
        return np.array([np.nan if _is_missing(value) else value for value in column], dtype=float)
    new = len(code)
    numbers = [np.nan if _is_missing(v) else code.get(v, new) for v in column.tolist()]
    return np.array(numbers, dtype=np.float64)


def _is_missing(value: object) -> bool:
    return value is None or value != value or str(value) in ("<NA>", "NaT")


def _is_number(value: object) -> bool:
    return isinstance(value, int | float | np.number) and not isinstance(value, bool | np.bool_)
