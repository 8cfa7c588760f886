"""How a text file is written, told by the file itself.

The separator is the one that splits the header into most columns. Decimal commas are taken for such
where the file leaves no doubt: its fields are not separated by commas, some column has nothing but
numbers if they are read that way and shows it (``12,5``: no group of three digits), and no column
has numbers with decimal points. Whatever is left in doubt is an error later on (``doubts``).
"""

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from likewise.io.number_format import PLAIN, NumberFormat
from likewise.io.text.opening import UTF8, check_encoding, encoding_of, open_text

if TYPE_CHECKING:
    import polars as pl

SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
LOOKED_AT = 1_000  # records
FEWEST = 3  # numbers with marks before a column shows anything
_WITH_COMMAS = (NumberFormat(","), NumberFormat(",", "."), NumberFormat(",", " "))
# decimals that are no group of three digits, with or without thousands before them
_SHOWS_COMMAS = r"^[+-]?[\d. ]*,(\d{1,2}|\d{4,})$|^[+-]?\d{1,3}[. ]\d{3},\d+$"
_SHOWS_POINTS = r"^[+-]?\d*\.(\d{1,2}|\d{4,})$"


@dataclass(frozen=True)
class Dialect:
    """How the fields of a file are written."""

    encoding: str = UTF8
    separator: str = ","
    numbers: NumberFormat = PLAIN
    sniffed: tuple[str, ...] = ()  # what nobody said, in words

    @property
    def in_words(self) -> str | None:
        """What was found out and is not as usual; None where everything is."""
        return f"read with {' and '.join(self.sniffed)}" if self.sniffed else None


def sniff(path: Path, encoding: str | None = None, numbers: NumberFormat | None = None) -> Dialect:
    """The dialect of a file; what is given is taken as it is."""
    found = encoding_of(path) if encoding is None else check_encoding(encoding)
    separator = separator_of(path, found)
    written = numbers_of(path, found, separator) if numbers is None else numbers
    sniffed = []
    if encoding is None and found != UTF8:
        sniffed.append(f"the encoding {found} (--encoding)")
    if separator != ",":
        sniffed.append(f"{SEPARATORS[separator]} between fields")
    if numbers is None and not written.is_plain:
        sniffed.append(f"decimal commas ({written.as_options()})")
    return Dialect(found, separator, written, tuple(sniffed))


def separator_of(path: Path, encoding: str) -> str:
    """The one that splits the first line into most columns; within quotes it splits nothing."""
    with open_text(path, encoding) as file:
        first = file.readline()

    def columns(separator: str) -> int:
        return len(next(csv.reader([first], delimiter=separator), []))

    return max(SEPARATORS, key=columns)


def numbers_of(path: Path, encoding: str, separator: str) -> NumberFormat:
    """How numbers are written, as far as the first records leave no doubt; else as in Python."""
    import polars as pl

    if separator == ",":
        return PLAIN
    with open_text(path, encoding) as file:
        rows = list(islice(csv.reader(file, delimiter=separator), 1, 1 + LOOKED_AT))
    width = max(map(len, rows), default=0)
    fields = ([row[c].strip() for row in rows if c < len(row)] for c in range(width))
    columns = [pl.Series(list(filter(None, each)), dtype=pl.String) for each in fields]
    if any(_shows(column, _SHOWS_POINTS, (PLAIN,)) for column in columns):
        return PLAIN
    shown = [column for column in columns if _shows(column, _SHOWS_COMMAS, _WITH_COMMAS)]
    every = [each for each in _WITH_COMMAS if all(each.holds(column) for column in shown)]
    return every[0] if shown and every else PLAIN


def _shows(column: "pl.Series", pattern: str, formats: Sequence[NumberFormat]) -> bool:
    """Whether it has nothing but numbers in one of the formats, and shows that it is that one."""
    enough = min(FEWEST, len(column))
    return (
        len(column) > 0
        and int(column.str.contains(pattern).sum()) >= enough
        and any(each.holds(column) for each in formats)
    )
