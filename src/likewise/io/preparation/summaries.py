"""What there is to know about a column before it is decided what becomes of it.

Small, and two summaries of parts make one of the whole: a table that comes in blocks is summed up
block by block. Only the number of different values is an upper bound then.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from likewise._typing import Array
from likewise.errors import InvalidArgument
from likewise.io.number_format import PLAIN, NumberFormat
from likewise.io.preparation.columns import as_text
from likewise.io.preparation.dates import DATE, readings
from likewise.io.preparation.doubts import doubt_about

if TYPE_CHECKING:
    import polars as pl

MOST_KEPT = 1_000  # different values: as many as categories may have that are asked for
SAMPLE = 1_000  # numbers that are kept, to see how they lie


@dataclass(frozen=True)
class Numbers:
    """Of a column of numbers."""

    count: int
    mean: float
    variance: float
    least: float
    largest: float
    whole: bool  # no decimals anywhere
    sample: Array  # some of them

    @classmethod
    def of(cls, values: Array) -> "Numbers":
        """Of numbers in memory, at least one."""
        with np.errstate(over="ignore", invalid="ignore"):
            return cls(
                count=len(values),
                mean=float(values.mean()),
                variance=float(values.var()),
                least=float(values.min()),
                largest=float(values.max()),
                whole=bool((values == np.floor(values)).all()),
                sample=_some(values),
            )

    def joined(self, other: "Numbers") -> "Numbers":
        """Of both together."""
        count = self.count + other.count
        ours, theirs = self.count / count, other.count / count
        with np.errstate(over="ignore", invalid="ignore"):
            apart = other.mean - self.mean
            variance = ours * self.variance + theirs * other.variance + ours * theirs * apart**2
            mean = self.mean + theirs * apart
        return Numbers(
            count=count,
            mean=mean,
            variance=variance,
            least=min(self.least, other.least),
            largest=max(self.largest, other.largest),
            whole=self.whole and other.whole,
            sample=_some(np.concatenate([self.sample, other.sample])),
        )


@dataclass(frozen=True)
class Summary:
    """Of a column of any kind."""

    rows: int  # with a value
    missing: int
    distinct: int  # different values
    is_flat: bool = True  # no lists and the like
    dates: Mapping[str, "Numbers"] | None = None  # as days, by the formats that fit; None: no dates
    numbers: Numbers | None = None  # where all values are numbers
    values: frozenset[str] | None = None  # as text; None where they are too many for categories
    doubt: InvalidArgument | None = None  # why its texts are taken neither for numbers nor for text

    @classmethod
    def of(
        cls, series: "pl.Series", numbers: NumberFormat = PLAIN, places: Array | None = None
    ) -> "Summary":
        """Of values that stand at these places of a column; without any, of all its values."""
        import polars as pl

        there = present(series)
        kind, rows, missing = series.dtype, len(there), len(series) - len(there)
        if kind.is_nested() or kind in (pl.Binary, pl.Object):
            return cls(rows, missing, rows, is_flat=False)
        at = np.arange(len(series)) if places is None else places
        is_text = kind == pl.String and rows > 0
        distinct = there.n_unique()
        found = None
        if rows and (kind.is_numeric() or (is_text and numbers.holds(there))):
            found = Numbers.of(_as_floats(there, numbers))
        return cls(
            rows,
            missing,
            distinct,
            dates=_dates(there) if rows else None,
            numbers=found,
            values=frozenset(as_text(there.unique()).tolist()) if distinct <= MOST_KEPT else None,
            doubt=doubt_about(series, numbers, at) if is_text and found is None else None,
        )

    def joined(self, other: "Summary") -> "Summary":
        """Of both parts together."""
        values = None
        if self.values is not None and other.values is not None:
            union = self.values | other.values
            values = union if len(union) <= MOST_KEPT else None
        numbers = _joined(self, other)
        return Summary(
            rows=self.rows + other.rows,
            missing=self.missing + other.missing,
            distinct=_distinct(self.distinct + other.distinct, values, numbers),
            is_flat=self.is_flat and other.is_flat,
            dates=_joined_dates(self, other),
            numbers=numbers,
            values=values,
            doubt=self.doubt or other.doubt,
        )

    @property
    def share_distinct(self) -> float:
        """Different values among all that there are."""
        return self.distinct / self.rows if self.rows else 0.0


def _dates(there: "pl.Series") -> dict[str, Numbers] | None:
    """Of dates as days, for each format that fits; None where they are no dates."""
    import polars as pl

    is_text = there.dtype == pl.String
    if not there.dtype.is_temporal() and not (is_text and there.str.contains(DATE).all()):
        return None
    return {written: Numbers.of(days) for written, days in readings(there).items()}


def _joined_dates(one: Summary, other: Summary) -> Mapping[str, Numbers] | None:
    """Formats that fit both parts; a part without any value does not matter."""
    if not one.rows or not other.rows:
        return other.dates if not one.rows else one.dates
    if one.dates is None or other.dates is None:
        return None
    both = one.dates.keys() & other.dates.keys()
    return {written: one.dates[written].joined(other.dates[written]) for written in both}


def present(series: "pl.Series") -> "pl.Series":
    """The values that are there: neither null nor NaN."""
    there = series.drop_nulls()
    return there.drop_nans() if series.dtype.is_float() else there


def _as_floats(there: "pl.Series", numbers: NumberFormat) -> Array:
    found = there if there.dtype.is_numeric() else numbers.numbers(there)
    return found.to_numpy().astype(np.float64)


def _joined(one: Summary, other: Summary) -> Numbers | None:
    """Numbers where both are; a part without any value does not matter."""
    if not one.rows or not other.rows:
        return other.numbers if not one.rows else one.numbers
    if one.numbers is None or other.numbers is None:
        return None
    return one.numbers.joined(other.numbers)


def _distinct(at_most: int, values: frozenset[str] | None, numbers: Numbers | None) -> int:
    """How many different values there are: known, or at most so many."""
    if values is not None:
        return len(values)
    if numbers is not None and numbers.whole:
        return int(min(at_most, numbers.largest - numbers.least + 1))
    return at_most


def _some(values: Array) -> Array:
    """Evenly from all of them."""
    return values[:: -(-len(values) // SAMPLE)]
