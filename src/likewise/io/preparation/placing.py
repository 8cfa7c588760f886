"""New rows as points among the fitted ones: what became of the columns then becomes of theirs now.

A row that has no place there is refused, with the column, the value and the reason: a category that
nobody had has no column, and a missing value no distance. Where distances compare text and gaps as
they are, both have a place.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from likewise._typing import Array
from likewise.errors import InvalidArgument
from likewise.io.number_format import PLAIN, NumberFormat
from likewise.io.preparation.columns import Column, as_numbers
from likewise.io.preparation.dates import as_days
from likewise.io.preparation.prepare import as_points

if TYPE_CHECKING:
    import polars as pl

YES_AND_NO = {"true", "false"}


@dataclass(frozen=True)
class Refusal:
    """Why a row has no place."""

    place: int  # of the row, in its table
    column: str
    value: str | None  # None: missing
    reason: str


@dataclass(frozen=True)
class Placed:
    """The rows that have a place, as points, and why the others have none."""

    X: "Array | pl.DataFrame"
    rows: Array  # places in the table
    refused: tuple[Refusal, ...]


def check_columns_there(columns: Sequence[str], there: Sequence[str]) -> None:
    """Raise if some are missing: all of them are named."""
    missing = [name for name in columns if name not in there]
    if missing:
        names = ", ".join(map(repr, missing))
        raise InvalidArgument(
            "FILE",
            f"it has no {names}, which the run was made with.",
            f"Add {'it' if len(missing) == 1 else 'them'}: nobody can be compared without.",
        )


def place(
    table: "pl.DataFrame", columns: Sequence[Column], numbers: NumberFormat = PLAIN
) -> Placed:
    """The rows of a table as points; text that should be numbers is written in this way."""
    read = table.with_columns([_as_fitted(each, table[each.name], numbers) for each in columns])
    refused = [
        each
        for column in columns
        for each in _refusals(column, read[column.name], table[column.name])
    ]
    has_place = np.ones(len(table), dtype=bool)
    has_place[[each.place for each in refused]] = False
    rows = np.flatnonzero(has_place)
    X = as_points(read[rows], columns)
    return Placed(X, rows, tuple(sorted(refused, key=lambda each: each.place)))


def _as_fitted(column: Column, series: "pl.Series", numbers: NumberFormat) -> "pl.Series":
    """Text as what it was in the file of the run."""
    import polars as pl

    if series.dtype != pl.String:
        return series
    if column.kind == "number":
        return numbers.numbers(series).rename(series.name)
    if column.kind in ("category", "text") and {*column.values} <= YES_AND_NO:
        return series.str.to_lowercase()
    return series


def _refusals(column: Column, read: "pl.Series", shown: "pl.Series") -> Iterator[Refusal]:
    """The rows that a column leaves without a place, with values as they are shown."""
    missing = shown.is_null().to_numpy()
    if shown.dtype.is_float():
        missing = missing | shown.is_nan().fill_null(True).to_numpy()
    strange, reason = _strange(column, read)
    for row in np.flatnonzero(strange & ~missing if column.gaps else missing | strange):
        value = None if missing[row] else str(shown[int(row)])
        yield Refusal(int(row), column.name, value, "missing" if missing[row] else reason)


def _strange(column: Column, series: "pl.Series") -> tuple[Array, str]:
    """Which values cannot be told by what the run knew, and in words why."""
    if column.kind == "text":
        return np.zeros(len(series), dtype=bool), ""
    if column.kind == "category":
        texts = series.cast(str)
        return ~texts.is_in(list(column.values)).fill_null(True).to_numpy(), "nobody had it"
    if column.kind == "date":
        return ~np.isfinite(as_days(series, column.written)), "no date as the run had them"
    return ~np.isfinite(as_numbers(series)), "no number"
