"""From a table in memory to points."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from likewise._typing import Array
from likewise.errors import InvalidArgument
from likewise.io.number_format import PLAIN, NumberFormat
from likewise.io.preparation.columns import Column, LeftOut
from likewise.io.preparation.plan import Wanted, missing_values
from likewise.io.preparation.summaries import Summary

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True)
class Prepared:
    """Points, and where they came from."""

    X: "Array | pl.DataFrame"  # a frame where columns of text stay text
    columns: tuple[Column, ...]
    rows: Array  # places in the table, of those that were kept
    dropped: int  # rows with missing features
    left_out: tuple[LeftOut, ...] = ()  # columns

    @property
    def feature_names(self) -> tuple[str, ...]:
        """Of the columns of X."""
        return tuple(name for column in self.columns for name in column.feature_names)


def prepare(
    table: "pl.DataFrame",
    wanted: Wanted,
    *,
    drop_missing: bool = False,
    numbers: NumberFormat = PLAIN,
) -> Prepared:
    """Numbers scaled to mean 0 and variance 1, text and yes/no as one column for each value.

    A category's columns are not scaled: two people of different values are sqrt(2) apart. For
    mixed columns all of that is left to the distance, and so are gaps unless rows with gaps are
    dropped. Without named features, keys and the like are left out.
    """
    candidates = wanted.candidates(table.columns)
    summaries = {name: Summary.of(table[name], numbers) for name in candidates}
    features, left_out = wanted.features_among(summaries)
    gaps = wanted.mixed and not drop_missing
    rows = np.arange(len(table)) if gaps else _complete_rows(table, features, drop_missing)
    kept = table[rows]
    columns = tuple(wanted.column(name, Summary.of(kept[name], numbers, rows)) for name in features)
    columns = tuple(replace(column, gaps=gaps) for column in columns)
    return _encoded(table, columns, rows, left_out)


def prepared_as(table: "pl.DataFrame", columns: Sequence[Column]) -> Prepared:
    """The same points from the same table once more."""
    without_gaps = [column.name for column in columns if not column.gaps]
    rows = _complete_rows(table, without_gaps, drop_missing=True)
    return _encoded(table, tuple(columns), rows, ())


def _encoded(
    table: "pl.DataFrame",
    columns: tuple[Column, ...],
    rows: Array,
    left_out: tuple[LeftOut, ...],
) -> Prepared:
    kept = table[rows]
    return Prepared(
        X=as_points(kept, columns),
        columns=columns,
        rows=rows,
        dropped=len(table) - len(rows),
        left_out=left_out,
    )


def as_points(table: "pl.DataFrame", columns: Sequence[Column]) -> "Array | pl.DataFrame":
    """Rows as points; as a frame where columns of text stay text."""
    if any(each.kind == "text" for each in columns):
        return table.select([each.as_it_is(table[each.name]) for each in columns])
    return encode(table, columns)


def encode(table: "pl.DataFrame", columns: Sequence[Column]) -> Array:
    """Rows as points, each column as numbers."""
    return np.ascontiguousarray(np.hstack([each.encoded(table[each.name]) for each in columns]))


def _complete_rows(table: "pl.DataFrame", features: Sequence[str], drop_missing: bool) -> Array:
    missing = np.zeros(len(table), dtype=bool)
    for name in features:
        column = table[name]
        lacks = column.is_null().to_numpy()
        if column.dtype.is_float():
            lacks = lacks | column.is_nan().fill_null(True).to_numpy()
        if lacks.any() and not drop_missing:
            or_else = ", or drop these rows (--drop-missing)"
            raise missing_values(name, int(lacks.sum()), len(table), or_else)
        missing |= lacks
    rows = np.flatnonzero(~missing)
    if not len(rows):
        raise InvalidArgument("features", "no row has all of them.", "Choose other columns.")
    return rows
