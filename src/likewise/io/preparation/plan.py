"""Which columns are clustered on, and what becomes of each: decided from their summaries alone, so
that a table in memory and one that comes in blocks are treated alike.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from likewise.errors import InvalidArgument
from likewise.io.preparation.columns import Column, LeftOut
from likewise.io.preparation.keys import is_code, reason_to_leave_out
from likewise.io.preparation.summaries import MOST_KEPT, Numbers, Summary

MOST_VALUES = 100  # a column of text with more different values is no category but a name


@dataclass(frozen=True)
class Wanted:
    """Which columns to cluster on and how, as users say it."""

    features: tuple[str, ...] = ()  # none: all that are nothing else, and no keys
    exclude: tuple[str, ...] = ()
    categorical: tuple[str, ...] = ()  # as text, whatever they are
    taken: tuple[str, ...] = ()  # for something else: protected, ids, weights
    scale: bool = True
    one_hot: bool = True
    mixed: bool = False  # for a distance that compares numbers, text and gaps as they are

    def candidates(self, columns: Sequence[str]) -> tuple[str, ...]:
        """The columns that may be features, once the names have been checked."""
        check_columns("features", self.features, columns)
        check_columns("exclude", self.exclude, columns)
        check_columns("categorical", self.categorical, columns)
        both = [name for name in self.exclude if name in (*self.features, *self.categorical)]
        if both:
            raise InvalidArgument(
                "exclude", f"{both[0]!r} is asked for as well.", "Name it in one of the two."
            )
        if not self.features:
            others = {*self.exclude, *self.taken} - {*self.categorical}
            return tuple(name for name in columns if name not in others)
        strange = [name for name in self.categorical if name not in self.features]
        if strange:
            raise InvalidArgument(
                "categorical",
                f"{strange[0]!r} is not among the features.",
                "Name it there too, or leave it out here.",
            )
        return self.features

    def is_named(self, name: str) -> bool:
        """Whether somebody asked for this column."""
        return name in self.features or name in self.categorical

    def features_among(
        self, summaries: Mapping[str, Summary]
    ) -> tuple[tuple[str, ...], tuple[LeftOut, ...]]:
        """Of the candidates those that are clustered on, and those that are not unless somebody
        asks for them.
        """
        reasons = {
            name: _reason(name, summary)
            for name, summary in summaries.items()
            if not self.is_named(name)
        }
        said = [LeftOut(name, "as was asked for") for name in self.exclude]
        found = [LeftOut(name, why) for name, why in reasons.items() if why is not None]
        features = tuple(name for name in summaries if reasons.get(name) is None)
        if not features:
            why_none = "; ".join(str(each) for each in found) or "no column is left"
            raise InvalidArgument(
                "features", f"there are none ({why_none}).", "Name the columns to cluster on."
            )
        return features, (*said, *found)

    def column(self, name: str, summary: Summary) -> Column:
        """What becomes of a column."""
        is_asked = name in self.categorical
        is_category = is_asked or (not self.is_named(name) and is_code(name, summary))
        if not summary.is_flat:
            raise InvalidArgument(
                "features", f"{name!r} is neither number nor text.", "Leave it out."
            )
        scale = self.scale and not self.mixed
        if summary.dates and not is_category:
            return _date(name, summary.dates, scale)
        if summary.doubt is not None and not is_category:
            raise summary.doubt
        if summary.numbers is not None and not is_category:
            return _number(name, summary.numbers, scale)
        if self.mixed:
            return replace(_category(name, summary, MOST_KEPT), kind="text")
        if not self.one_hot:
            raise InvalidArgument(
                "features",
                f"{name!r} is not a number.",
                "Leave it out, or allow one column a value (without --no-one-hot).",
            )
        return _category(name, summary, MOST_KEPT if is_asked else MOST_VALUES)


def check_columns(argument: str, names: Sequence[str], columns: Sequence[str]) -> None:
    """Raise if the table lacks one of them, or one is named twice."""
    for name in names:
        if name not in columns:
            listed = ", ".join(repr(each) for each in columns[:60])
            remedy = f"There is {listed}."
            if any("," in each for each in columns):
                remedy += " A name with a comma in it needs an option of its own."
            raise InvalidArgument(argument, f"there is no column {name!r}.", remedy)
        if names.count(name) > 1:
            raise InvalidArgument(argument, f"{name!r} is named twice.", "Name each once.")


def missing_values(name: str, missing: int, rows: int, or_else: str) -> InvalidArgument:
    """The error for a column with gaps."""
    return InvalidArgument(
        "features",
        f"{name!r} is missing in {missing:,} of {rows:,} rows.",
        f"Fill them in, leave the column out{or_else}.",
    )


def _reason(name: str, summary: Summary) -> str | None:
    """Why a column is no feature unless it is asked for."""
    if not summary.rows:
        return "it has no values"
    if not summary.is_flat:
        return "neither number nor text"
    if summary.dates is not None:
        if len(summary.dates) == 1:
            return None
        return "dates that can be read in several ways, or in none: write them as 2024-05-31"
    return reason_to_leave_out(name, summary)


def _date(name: str, dates: Mapping[str, Numbers], scale: bool) -> Column:
    if len(dates) > 1:
        ways = " or ".join(sorted(dates))
        raise InvalidArgument(
            "features",
            f"{name!r} has dates that can be read in several ways ({ways}).",
            "Write them as 2024-05-31, or leave the column out.",
        )
    ((written, days),) = dates.items()
    return replace(_number(name, days, scale), kind="date", written=written)


def _number(name: str, numbers: Numbers, scale: bool) -> Column:
    if not np.isfinite([numbers.least, numbers.largest]).all():
        raise InvalidArgument("features", f"{name!r} has infinite values.", "Mend the file.")
    if not scale:
        return Column(name, "number")
    spread = float(np.sqrt(numbers.variance))
    if not np.isfinite([numbers.mean, spread]).all():
        raise InvalidArgument(
            "features",
            f"{name!r} has numbers that are too large to be computed with ({numbers.largest:g}).",
            "Mend the file, or leave the column out.",
        )
    return Column(name, "number", numbers.mean, spread if spread > 0 else 1.0)


def _category(name: str, summary: Summary, most: int) -> Column:
    if summary.values is None or len(summary.values) > most:
        more = f"; --categorical {name!r} allows {MOST_KEPT:,}" if most < MOST_KEPT else ""
        raise InvalidArgument(
            "features",
            f"{name!r} has {summary.distinct:,} different values: that is no category.",
            f"Leave it out, or turn it into a number or a few categories first{more}.",
        )
    return Column(name, "category", values=tuple(sorted(summary.values)))
