"""A table that need not fit in memory, some rows at a time: text as it stands there, or Parquet."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from likewise.io.tables import MISSING, Reading, damage, is_parquet, parquet_files, unreadable
from likewise.io.tables import with_numbers as as_said
from likewise.io.text import Dialect, record_blocks
from likewise.io.text.opening import PIECE, open_bytes

if TYPE_CHECKING:
    import polars as pl

BLOCK_ROWS = 50_000


def table_blocks(
    path: Path, dialect: Dialect, texts: Sequence[str], rows: int = BLOCK_ROWS
) -> "Iterator[pl.DataFrame]":
    """The rows in order; columns of numbers are such, but for those that are to stay texts."""
    reading = Reading(dialect.numbers, tuple(texts), dialect.encoding)
    blocks = _of_parquet(path, rows) if is_parquet(path) else _of_text(path, dialect, rows)
    try:
        for block in blocks:
            yield as_said(block, reading)
    except damage() as problem:
        raise unreadable(path, "FILE", problem) from problem


def count_rows(path: Path) -> int:
    """How many rows there are; of text, lines below the header."""
    import polars as pl

    if is_parquet(path):
        files = parquet_files(path)
        return sum(pl.scan_parquet(file).select(pl.len()).collect().item() for file in files)
    with open_bytes(path) as file:
        lines = sum(piece.count(b"\n") for piece in iter(lambda: file.read(PIECE), b""))
    return max(lines - 1, 1)


def _of_text(path: Path, dialect: Dialect, rows: int) -> "Iterator[pl.DataFrame]":
    import polars as pl

    for block in record_blocks(path, dialect, rows):
        missing = pl.all().is_in(MISSING)
        yield block.with_columns(pl.when(~missing).then(pl.all()).name.keep())


def _of_parquet(path: Path, rows: int) -> "Iterator[pl.DataFrame]":
    import polars as pl

    for file in parquet_files(path):
        scan = pl.scan_parquet(file)
        for start in range(0, scan.select(pl.len()).collect().item(), rows):
            yield scan.slice(start, rows).collect()
