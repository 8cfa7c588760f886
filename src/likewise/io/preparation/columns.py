"""What a column of the table became: numbers, scaled or not, one column of 0 and 1 for each value,
or text as it is; or nothing, and why.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from likewise._typing import Array
from likewise.io.number_format import PLAIN
from likewise.io.preparation.dates import as_days

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True)
class Column:
    """A column of the table and what it became."""

    name: str
    kind: str  # "number", "date", "category" or, where it stays one column, "text"
    mean: float | None = None
    spread: float | None = None
    values: tuple[str, ...] = ()
    written: str = ""  # of dates in text: in which format
    gaps: bool = False  # whether values may be missing

    @property
    def feature_names(self) -> list[str]:
        """Of the columns of X that it became."""
        if self.kind == "category":
            return [f"{self.name}={value}" for value in self.values]
        return [self.name]

    def encoded(self, series: "pl.Series") -> Array:
        """(n, columns): what these values of it became."""
        if self.kind == "category":
            code = np.searchsorted(self.values, as_text(series))
            return np.eye(len(self.values))[code]
        values = as_days(series, self.written) if self.kind == "date" else as_numbers(series)
        if self.mean is not None and self.spread is not None:
            values = (values - self.mean) / self.spread
        return values[:, None]

    def as_it_is(self, series: "pl.Series") -> "pl.Series":
        """One column for one, for distances that compare text too."""
        import polars as pl

        if self.kind == "text":
            return series.cast(str)
        return pl.Series(self.name, self.encoded(series)[:, 0])

    def __str__(self) -> str:
        if self.kind == "text":
            return f"{self.name}: the same or not, of {len(self.values)} values"
        if self.kind == "category":
            return f"{self.name}: one column for each of {len(self.values)} values"
        what = "dates as numbers of days" if self.kind == "date" else ""
        if self.mean is None:
            return f"{self.name}: {what or 'as it is'}"
        scaled = f"less {self.mean:.6g}, divided by {self.spread:.6g}"
        return f"{self.name}: {', '.join(filter(None, [what, scaled]))}"


@dataclass(frozen=True)
class LeftOut:
    """A column that was not clustered on though nobody named it for anything else."""

    name: str
    reason: str

    def __str__(self) -> str:
        return f"{self.name}: left out, {self.reason}"


def as_text(series: "pl.Series") -> Array:
    """Values as the words that stand for them."""
    return series.cast(str).to_numpy().astype(str)


def as_numbers(series: "pl.Series") -> Array:
    """Numbers, also those that are written as text in a file of another kind."""
    is_number = series.dtype.is_numeric()
    return (series if is_number else PLAIN.numbers(series)).to_numpy().astype(np.float64)
