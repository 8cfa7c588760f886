"""From a table with columns of all kinds to points: what was done to each column is kept.

A number v becomes (v - mean) / spread, with spread 1 for a constant column; text and yes/no become
one column of 0 and 1 for each value.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from likewise._typing import Array
from likewise.errors import InvalidArgument

if TYPE_CHECKING:
    import polars as pl

MOSTLY = 0.5  # this share of numbers, and a column of text is meant to be one of numbers
MOST_VALUES = 100  # a column of text with more different values is no category but a name


@dataclass(frozen=True)
class Column:
    """A column of the table and what it became."""

    name: str
    kind: str  # "number" or "category"
    mean: float | None = None
    spread: float | None = None
    values: tuple[str, ...] = ()

    @property
    def feature_names(self) -> list[str]:
        """Of the columns of X that it became."""
        return [f"{self.name}={value}" for value in self.values] or [self.name]

    def __str__(self) -> str:
        if self.kind == "category":
            return f"{self.name}: one column for each of {len(self.values)} values"
        if self.mean is None:
            return f"{self.name}: as it is"
        return f"{self.name}: less {self.mean:.6g}, divided by {self.spread:.6g}"


@dataclass(frozen=True)
class Prepared:
    """Points, and where they came from."""

    X: Array
    columns: tuple[Column, ...]
    feature_names: tuple[str, ...]  # of the columns of X
    rows: Array  # of the table, those that were kept
    dropped: int  # rows with missing features


def prepare(
    table: "pl.DataFrame",
    features: Sequence[str],
    *,
    scale: bool = True,
    one_hot: bool = True,
    drop_missing: bool = False,
) -> Prepared:
    """Numbers scaled to mean 0 and variance 1, text and yes/no as one column for each value.

    A category's columns are not scaled: two people of different values are sqrt(2) apart.
    """
    check_columns("features", features, table)
    if not features:
        raise InvalidArgument("features", "there are none.", "Name the columns to cluster on.")
    rows = _complete_rows(table, features, drop_missing)
    kept = table[rows]
    made = [_prepared(kept[name], name, scale, one_hot) for name in features]
    columns = tuple(column for column, _ in made)
    return Prepared(
        X=np.ascontiguousarray(np.hstack([block for _, block in made])),
        columns=columns,
        feature_names=tuple(name for column in columns for name in column.feature_names),
        rows=rows,
        dropped=len(table) - len(rows),
    )


def check_columns(argument: str, names: Sequence[str], table: "pl.DataFrame") -> None:
    """Raise if the table lacks one of them, or one is named twice."""
    for name in names:
        if name not in table.columns:
            listed = ", ".join(table.columns[:60])
            raise InvalidArgument(argument, f"there is no column {name!r}.", f"There is {listed}.")
    if len(set(names)) < len(names):
        raise InvalidArgument(argument, "a column is named twice.", "Name each once.")


def _complete_rows(table: "pl.DataFrame", features: Sequence[str], drop_missing: bool) -> Array:
    missing = np.zeros(len(table), dtype=bool)
    for name in features:
        column = table[name]
        lacks = column.is_null().to_numpy()
        if column.dtype.is_float():
            lacks = lacks | column.is_nan().fill_null(True).to_numpy()
        if lacks.any() and not drop_missing:
            raise InvalidArgument(
                "features",
                f"{name!r} is missing in {lacks.sum():,} of {len(table):,} rows.",
                "Fill them in, leave the column out, or drop these rows (--drop-missing).",
            )
        missing |= lacks
    rows = np.flatnonzero(~missing)
    if not len(rows):
        raise InvalidArgument("features", "no row has all of them.", "Choose other columns.")
    return rows


def _prepared(series: "pl.Series", name: str, scale: bool, one_hot: bool) -> tuple[Column, Array]:
    numbers = series if series.dtype.is_numeric() else _as_numbers(series, name)
    if numbers is not None:
        return _scaled(numbers.to_numpy().astype(np.float64), name, scale)
    if not one_hot:
        raise InvalidArgument(
            "features", f"{name!r} is not a number.", "Leave it out, or allow one-hot encoding."
        )
    values, code = np.unique(as_text(series), return_inverse=True)
    if len(values) > MOST_VALUES:
        raise InvalidArgument(
            "features",
            f"{name!r} has {len(values):,} different values: that is no category.",
            "Leave it out, or turn it into a number or a few categories first.",
        )
    return Column(name, "category", values=tuple(values.tolist())), np.eye(len(values))[code]


def as_text(series: "pl.Series") -> Array:
    """Values as the words that stand for them."""
    return series.cast(str).to_numpy().astype(str)


def _scaled(values: Array, name: str, scale: bool) -> tuple[Column, Array]:
    if not np.isfinite(values).all():
        raise InvalidArgument("features", f"{name!r} has infinite values.", "Mend the file.")
    if not scale:
        return Column(name, "number"), values[:, None]
    with np.errstate(over="ignore", invalid="ignore"):
        mean, spread = float(values.mean()), float(values.std())
    if not np.isfinite([mean, spread]).all():
        raise InvalidArgument(
            "features",
            f"{name!r} has numbers that are too large to be computed with ({values.max():g}).",
            "Mend the file, or leave the column out.",
        )
    spread = spread if spread > 0 else 1.0
    return Column(name, "number", mean, spread), ((values - mean) / spread)[:, None]


def _as_numbers(series: "pl.Series", name: str) -> "pl.Series | None":
    """Text that is numbers after all; None for text that is none. Text that is mostly numbers is a
    mistake in the file: taken for categories it would make every number as far from every other.
    """
    import polars as pl

    if series.dtype != pl.String:
        return None
    text = series.str.strip_chars()
    numbers = text.cast(pl.Float64, strict=False)
    bad = (numbers.is_null() & text.is_not_null()).to_numpy()
    if not bad.any():
        return numbers
    with_points = text.str.replace(",", ".").cast(pl.Float64, strict=False)
    if (with_points.is_not_null().to_numpy() & bad).sum() > MOSTLY * bad.sum():
        raise InvalidArgument(
            "features", f"{name!r} has numbers with decimal commas.", "Write them with points."
        )
    if 1 - bad.mean() > MOSTLY:
        row = int(bad.argmax())
        raise InvalidArgument(
            "features",
            f"{name!r} is a column of numbers, but {bad.sum():,} of its values are none"
            f" ({text[row]!r} in row {row}).",
            "Mend them, or leave the column out.",
        )
    return None
