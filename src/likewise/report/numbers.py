"""Numbers as people write them: 35,250 and not 3.525e+04."""

import math
from dataclasses import dataclass

import numpy as np

from likewise._typing import Array

SIGNIFICANT = 4  # digits of a number that need not be exact
GROUPED_FROM = 10_000  # years and the like stand in tables too: 2019, not 2,019
LARGEST = 1e15  # from here on, and as far below 1, powers of ten are easier to read
MOST_DECIMALS = 6


def percent(share: float, digits: int = 1) -> str:
    """A share; "-" where it is none. Not quite nothing and not quite all are told from both."""
    if not math.isfinite(share):
        return "-"
    least = 10.0**-digits
    if 0 < abs(share) < least / 200:
        return f"under {least:g}%"
    if 1 - least / 200 < share < 1:
        return f"over {100 - least:g}%"
    return f"{100 * share:,.{digits}f}%"


def percent_at_most(share: float) -> str:
    """An upper bound as a share: rounded up, so that it still is one."""
    digits = 2 if share < 0.01 else 1 if share < 1 else 0
    return f"{math.ceil(100 * share * 10**digits) / 10**digits:,g}%"


def excess(value: float) -> str:
    """How far a divergence is above its bound; some divergences have no largest value."""
    return f"{value:.2f}" if math.isfinite(value) else "infinite"


def count(value: float) -> str:
    """How many there are; expected numbers are rounded."""
    return f"{round(value):,}"


def number(value: float) -> str:
    """A number that stands alone."""
    return ColumnFormat.of(np.array([value])).text(value)


@dataclass(frozen=True)
class ColumnFormat:
    """How the numbers of a column are written: all in the same way."""

    decimals: int
    grouped: bool  # a comma between thousands

    @staticmethod
    def of(values: Array) -> "ColumnFormat":
        """As many decimals as tell the typical number, but none that are zero everywhere."""
        size = np.abs(values[np.isfinite(values)])
        typical = float(np.median(size[size > 0])) if (size > 0).any() else 1.0
        wanted = SIGNIFICANT - 1 - math.floor(math.log10(typical))
        most = min(max(wanted, 0), MOST_DECIMALS)
        exact = (d for d in range(most) if np.array_equal(size.round(d), size))
        return ColumnFormat(next(exact, most), bool(size.max(initial=0.0) >= GROUPED_FROM))

    def text(self, value: float) -> str:
        """One of the numbers."""
        if not math.isfinite(value):
            return "-"
        is_far_off = abs(value) >= LARGEST or 0 < abs(value) < 10.0**-MOST_DECIMALS
        if is_far_off:
            return f"{value:.{SIGNIFICANT}g}"
        return f"{value:{',' if self.grouped else ''}.{self.decimals}f}"
