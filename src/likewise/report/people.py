"""People as the page shows them: a few of their columns, and their probabilities."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from likewise._typing import Array
from likewise.divergences.registry import as_divergence
from likewise.io.preparation.columns import as_numbers
from likewise.report.numbers import ColumnFormat
from likewise.report.run import Run

SHOWN_COLUMNS = 6  # of a person: more do not fit on paper


@dataclass(frozen=True)
class Person:
    """A row of the table."""

    id: object
    cells: list[str]  # the first columns
    x: list[float]


@dataclass(frozen=True)
class Pair:
    """Two people, how differently they may be treated, and how differently they are."""

    people: tuple[Person, Person]
    bound: float
    differ: float
    saving: float | None = None  # what more of this bound would save


@dataclass(frozen=True)
class People:
    """The people of a run."""

    run: Run

    @property
    def columns(self) -> tuple[str, ...]:
        """Those that are shown."""
        return self.run.record.features[:SHOWN_COLUMNS]

    def person(self, row: int) -> Person:
        """One of them."""
        cells = [self._cell(name, row) for name in self.columns]
        return Person(self.run.ids[row], cells, self.run.distributions[row].tolist())

    def pair(self, i: int, j: int, bound: float, saving: float | None = None) -> Pair:
        """Two of them."""
        x = self.run.distributions
        measure = as_divergence(self.run.record.parameters.divergence)
        differ = float(measure.values(x[[i]], x[[j]])[0])
        return Pair((self.person(i), self.person(j)), bound, differ, saving)

    def _cell(self, name: str, row: int) -> str:
        if name not in self._numbers:
            return value_in_words(self.run.table[name][row])
        values, written = self._numbers[name]
        return "missing" if np.isnan(values[row]) else written.text(float(values[row]))

    @cached_property
    def _numbers(self) -> dict[str, tuple[Array, ColumnFormat]]:
        """The columns of numbers, and how these are written."""
        names = [each.name for each in self.run.record.columns if each.kind == "number"]
        shown = [name for name in names if name in self.columns]
        arrays = [as_numbers(self.run.table[name]) for name in shown]
        formats = [ColumnFormat.of(values[~np.isnan(values)]) for values in arrays]
        return dict(zip(shown, zip(arrays, formats, strict=True), strict=True))


def value_in_words(value: object) -> str:
    """A value of the table that is no number."""
    return "missing" if value is None else str(value)
