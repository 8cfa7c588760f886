"""How numbers are written in a file: which mark begins the decimals, and which groups thousands.

``1,234`` is a thousand in one country and a little more than one in the next. Nothing is guessed: a
column whose texts would be numbers if they were read in another way is an error that says in which.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from likewise.errors import InvalidArgument

if TYPE_CHECKING:
    import polars as pl

DECIMALS = (".", ",")
THOUSANDS = (None, ",", ".", " ", "'")
_LOOKALIKES = {
    " ": "[\u00a0\u2009\u202f]",
    "'": "\u2019",
}  # spaces that do not break, a typographic '


@dataclass(frozen=True)
class NumberFormat:
    """The mark before decimals, and the one between groups of three digits, if there is any."""

    decimal: str = "."
    thousands: str | None = None

    def __post_init__(self) -> None:
        if self.decimal not in DECIMALS:
            raise InvalidArgument("decimal", f"{self.decimal!r} is no mark.", "Use '.' or ','.")
        if self.thousands not in THOUSANDS:
            raise InvalidArgument(
                "thousands", f"{self.thousands!r} is no mark.", "Use ',', '.', ' ' or \"'\"."
            )
        if self.decimal == self.thousands:
            raise InvalidArgument(
                "thousands",
                f"{self.thousands!r} cannot group thousands and begin decimals.",
                "Say which of the two it does: leave out one of --decimal and --thousands.",
            )

    @property
    def is_plain(self) -> bool:
        """As in Python: 1234.5."""
        return self == PLAIN

    def marks_unlike(self, said: "NumberFormat") -> list[str]:
        """Those that make it another reading than the one that was said."""
        pairs = [(self.decimal, said.decimal), (self.thousands, said.thousands)]
        return [ours for ours, theirs in pairs if ours is not None and ours != theirs]

    def numbers(self, texts: "pl.Series") -> "pl.Series":
        """What the texts stand for; null where they are no numbers in this format."""
        import polars as pl

        if self.is_plain:
            return texts.str.strip_chars().cast(pl.Float64, strict=False)
        written = texts.str.strip_chars()
        for mark, alike in _LOOKALIKES.items():
            written = written.str.replace_all(alike, mark)
        is_number = written.str.contains(self._pattern).fill_null(False)
        if self.thousands is not None:
            written = written.str.replace_all(self.thousands, "", literal=True)
        plain = written.str.replace(self.decimal, ".", literal=True)
        numbers = plain.cast(pl.Float64, strict=False)
        return numbers.to_frame("n").select(pl.when(is_number).then(pl.col("n"))).to_series()

    def holds(self, texts: "pl.Series") -> bool:
        """Whether all of them are numbers in this format, and there are any."""
        return texts.count() > 0 and self.numbers(texts).null_count() == texts.null_count()

    @property
    def _pattern(self) -> str:
        group = "" if self.thousands is None else re.escape(self.thousands)
        whole = rf"\d{{1,3}}(?:{group}\d{{3}})+|\d+" if group else r"\d+"
        decimals = rf"{re.escape(self.decimal)}\d"
        return rf"^[+-]?(?:(?:{whole})(?:{decimals}*)?|{decimals}+)(?:[eE][+-]?\d+)?$"

    def as_options(self) -> str:
        """What to say on the command line."""
        said = [("--decimal", self.decimal, "."), ("--thousands", self.thousands, None)]
        return " ".join(f"{name} {_quoted(mark)}" for name, mark, usual in said if mark != usual)


PLAIN = NumberFormat()
FORMATS = tuple(
    NumberFormat(decimal, mark) for mark in THOUSANDS for decimal in DECIMALS if mark != decimal
)


def other_readings(texts: "pl.Series", said: NumberFormat) -> list[NumberFormat]:
    """Formats in which all texts are numbers, where the one that was said does not do. Only those
    whose marks are there: any other would change nothing.
    """
    return [each for each in _with_marks(texts, said) if each.holds(texts)]


def share_in_any(texts: "pl.Series", said: NumberFormat) -> float:
    """The share of texts that are numbers in one format or another."""
    known = said.numbers(texts).is_not_null()
    for each in _with_marks(texts, said):
        known = known | each.numbers(texts).is_not_null()
    return float(known.sum()) / max(texts.count(), 1)


def _with_marks(texts: "pl.Series", said: NumberFormat) -> Iterator[NumberFormat]:
    for each in FORMATS:
        if each != said and all(_is_used(mark, texts) for mark in each.marks_unlike(said)):
            yield each


def _is_used(mark: str, texts: "pl.Series") -> bool:
    alike = _LOOKALIKES.get(mark)
    pattern = re.escape(mark) if alike is None else f"{re.escape(mark)}|{alike}"
    return bool(texts.str.contains(pattern).any())


def _quoted(mark: str | None) -> str:
    """As a shell takes it."""
    return f'"{mark}"' if mark == "'" else f"'{mark}'"
