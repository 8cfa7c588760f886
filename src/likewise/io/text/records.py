"""A file record by record: each with as many fields as the header, or the line is named."""

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from likewise.errors import InvalidArgument
from likewise.io.text.dialect import Dialect
from likewise.io.text.opening import open_text

if TYPE_CHECKING:
    import polars as pl

LISTED = 5  # ragged lines that are named


def check_not_ragged(path: Path, dialect: Dialect, argument: str = "FILE") -> None:
    """Raise if a record has more or fewer fields than the header, naming its line."""
    ragged: list[str] = []
    width = count = 0
    for line, record in _records(path, dialect):
        width = width or len(record)
        if len(record) != width:
            count += 1
            if len(ragged) < LISTED:
                ragged.append(f"line {line} has {len(record)}")
    if ragged:
        more = f" and {count - LISTED:,} more" if count > LISTED else ""
        raise InvalidArgument(
            argument,
            f"{path} is ragged: the header has {width} fields, {', '.join(ragged)}{more}.",
            "Mend these lines: a field with a separator in it needs quotes round it.",
        )


def record_blocks(path: Path, dialect: Dialect, rows: int) -> "Iterator[pl.DataFrame]":
    """The records as tables of text of that many rows; missing fields are null."""
    records = _records(path, dialect)
    header = [name.strip() for name in next(records, (0, []))[1]]
    block: list[list[str]] = []
    for line, record in records:
        if len(record) != len(header):
            raise InvalidArgument(
                "FILE",
                f"{path} is ragged: the header has {len(header)} fields, line {line} has"
                f" {len(record)}.",
                "Mend the line: a field with a separator in it needs quotes round it.",
            )
        block.append(record)
        if len(block) == rows:
            yield _table(header, block)
            block = []
    if block:
        yield _table(header, block)


def _records(path: Path, dialect: Dialect) -> Iterator[tuple[int, list[str]]]:
    """(the line that it ends on, its fields), without blank lines."""
    with open_text(path, dialect.encoding) as file:
        reader = csv.reader(file, delimiter=dialect.separator)
        for record in reader:
            if record:
                yield reader.line_num, record


def _table(header: list[str], block: list[list[str]]) -> "pl.DataFrame":
    import polars as pl

    columns = zip(*block, strict=True)
    return pl.DataFrame(
        {
            name: pl.Series(values, dtype=pl.String)
            for name, values in zip(header, columns, strict=True)
        }
    ).with_columns(pl.all().str.strip_chars())
