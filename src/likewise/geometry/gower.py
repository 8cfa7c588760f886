"""Gower's distance of rows with numbers, categories and missing values.

The mean over the columns that neither row lacks: of numbers the difference as a share of the
column's range, of categories 0 where they are the same and 1 where they are not (J. C. Gower, "A
general coefficient of similarity and some of its properties", Biometrics 27, 1971). Nothing has to
be scaled, and no category to be spread over columns of 0 and 1. Two rows that have no column in
common are at distance 1.
"""

from dataclasses import dataclass

import numpy as np

from likewise._typing import Array
from likewise.errors import InvalidArgument
from likewise.geometry import measures


@dataclass(frozen=True, eq=False)
class GowerMetric:
    """Gower's distance of rows with columns like these: as a function of two rows, and for loops.

    Rows are arrays of numbers: categories by their codes, what is missing as NaN.
    """

    ranges: Array  # of each column; 0 where all are the same
    origins: Array  # their least values: differences from there keep all digits
    is_category: Array
    has_gaps: bool

    @classmethod
    def of(cls, X: Array, is_category: Array | None = None) -> "GowerMetric":
        """The metric of these rows; without a word about categories all columns are numbers."""
        X = np.asarray(X, dtype=np.float64)
        if is_category is None:
            is_category = np.zeros(X.shape[1], dtype=bool)
        is_missing = np.isnan(X)
        if is_missing.all(axis=1).any():
            row = int(is_missing.all(axis=1).argmax())
            raise InvalidArgument(
                "X",
                f"row {row} has no value in any column.",
                "Leave out rows of which nothing is known.",
            )
        if np.isinf(X).any():
            raise InvalidArgument(
                "X", "some numbers are infinite.", "Leave them out, or mark them as missing."
            )
        least = np.where(is_missing, np.inf, X).min(axis=0)
        largest = np.where(is_missing, -np.inf, X).max(axis=0)
        has_values = least <= largest
        ranges = np.subtract(largest, least, out=np.zeros(len(least)), where=has_values)
        ranges = np.where(is_category, 1.0, ranges)
        origins = np.where(has_values & ~np.asarray(is_category, dtype=bool), least, 0.0)
        return cls(ranges, origins, np.asarray(is_category, dtype=bool), bool(is_missing.any()))

    @property
    def parameters(self) -> dict[str, Array]:
        """What it takes to make it again."""
        gaps = np.array(self.has_gaps)
        return {
            "ranges": self.ranges,
            "origins": self.origins,
            "is_category": self.is_category,
            "has_gaps": gaps,
        }

    @classmethod
    def from_(cls, parameters: dict[str, Array]) -> "GowerMetric":
        """From what ``parameters`` said."""
        has_gaps = bool(parameters["has_gaps"])
        is_category = parameters["is_category"].astype(bool)
        return cls(parameters["ranges"], parameters["origins"], is_category, has_gaps)

    def __call__(self, one: Array, other: Array) -> float:
        both = ~(np.isnan(one) | np.isnan(other))
        if not both.any():
            return 1.0
        step = np.abs(one - other)[both]
        share = step / np.where(self.ranges > 0, self.ranges, 1.0)[both]
        return float(np.where(self.is_category[both], step > 0, share).mean())

    def measure(self, *rows: Array) -> object:
        """What loops take for it between rows like these."""
        n_numbers = int((~self.is_category).sum())
        has_gaps = self.has_gaps or any(bool(np.isnan(each).any()) for each in rows)
        return measures.GowerWithGaps(n_numbers) if has_gaps else measures.Gower(n_numbers)

    def coordinates(self, X: Array) -> Array:
        """Where a picture puts the rows: numbers as shares of their ranges, a column for each
        category, gaps in the middle of the others.
        """
        numbers = self.scaled(X)
        n_numbers = int((~self.is_category).sum())
        columns = [numbers[:, :n_numbers]]
        for codes in numbers[:, n_numbers:].T:
            values = np.unique(codes[~np.isnan(codes)])
            of_value = (codes[:, None] == values).astype(np.float64)
            columns.append(np.where(np.isnan(codes)[:, None], np.nan, of_value))
        table = np.hstack(columns)
        known = np.where(np.isnan(table), 0.0, table).sum(axis=0)
        middle = known / np.maximum((~np.isnan(table)).sum(axis=0), 1)
        return np.where(np.isnan(table), middle, table)

    def scaled(self, X: Array) -> Array:
        """The rows with numbers first, as shares of their ranges, and the categories after them."""
        unit = np.where(self.ranges > 0, self.ranges, 1.0)
        shares = (np.asarray(X, dtype=np.float64) - self.origins) / unit
        return np.column_stack([shares[:, ~self.is_category], shares[:, self.is_category]])
