"""Dates as numbers: days since the beginning of 1970, with a fraction for the time of day.

5/6/2024 is in May in one country and in June in the next. A column of such dates is taken for dates
only where some value leaves but one way to read all of them.
"""

from typing import TYPE_CHECKING

import numpy as np

from likewise._typing import Array

if TYPE_CHECKING:
    import polars as pl

MICROSECONDS = 86_400_000_000  # of a day
# 2024-05-31 and 2024-05-31T12:00:00, 31.5.2024, 5/31/24, 2024-05
DATE = r"^(\d{4}[-/.]\d{1,2}([-/.]\d{1,2}([T ].*)?)?|\d{1,2}[-/.]\d{1,2}[-/.](\d{2}|\d{4}))$"
FORMATS = (
    "%Y-%m-%d",
    "%Y-%m-%dT%H:%M:%S",
    "%Y-%m-%d %H:%M:%S",
    "%Y-%m-%d %H:%M",
    "%Y/%m/%d",
    "%Y.%m.%d",
    "%d.%m.%Y",
    "%d.%m.%y",
    "%d/%m/%Y",
    "%m/%d/%Y",
    "%d-%m-%Y",
    "%m-%d-%Y",
    "%d/%m/%y",
    "%m/%d/%y",
)


def as_days(series: "pl.Series", written: str) -> Array:
    """The numbers; NaN where text is no date in this format."""
    import polars as pl

    if series.dtype == pl.String:
        series = series.str.strptime(pl.Datetime("us"), written, strict=False)
    if series.dtype in (pl.Duration, pl.Time):
        days = series.to_physical().cast(pl.Float64)
        unit = {"ms": 1e3, "us": 1e6, "ns": 1e9}[getattr(series.dtype, "time_unit", None) or "ns"]
        return days.to_numpy() / (unit * 86_400)
    micros = series.cast(pl.Datetime("us")).to_physical().cast(pl.Float64).to_numpy()
    return np.asarray(micros, dtype=np.float64) / MICROSECONDS


def readings(there: "pl.Series") -> "dict[str, Array]":
    """The days by format, for each format in which all values are dates; "" for a column that has
    dates and not text.
    """
    import polars as pl

    if there.dtype.is_temporal():
        return {"": as_days(there, "")}
    if there.dtype != pl.String or not len(there) or not there.str.contains(DATE).all():
        return {}
    found = {written: as_days(there, written) for written in FORMATS}
    return {written: days for written, days in found.items() if not np.isnan(days).any()}
