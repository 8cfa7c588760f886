"""Data that need not fit in memory, in blocks that workers read when they need them.

A folder of Parquet files (or one file), a dask array or a dask DataFrame. A block is a few hundred
thousand rows; nobody ever holds more than the blocks being worked on.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from likewise._typing import Array
from likewise.errors import InvalidArgument
from likewise.io.preparation import Column, encode
from likewise.io.tables import AS_USUAL, Reading, parquet_files, with_numbers

if TYPE_CHECKING:
    import polars as pl
    from pyarrow import DataType, Schema
    from pyarrow.parquet import FileMetaData

BLOCK_ROWS = 500_000  # at least, where the file has more: 40 MB in ten columns
BLOCK_CELLS = 5_000_000  # for wider tables


class Reader(Protocol):
    """Makes rows of a block, on a worker; small itself."""

    def read(self, given: object) -> object:
        """The rows; ``given`` is what Dask made of the block's ``wanted``."""
        ...


class Block(Protocol):
    """Some rows of the data."""

    @property
    def reader(self) -> Reader:
        """What makes its rows."""
        ...

    @property
    def wanted(self) -> object:
        """What Dask has to compute before the rows can be read; None: nothing."""
        ...


@dataclass(frozen=True)
class ParquetRows:
    """Row groups first..last of a Parquet file, as they stand there."""

    path: str
    first: int
    last: int
    start: int  # the place of their first row in the whole table
    columns: tuple[str, ...]
    reading: Reading
    wanted = None

    @property
    def reader(self) -> "ParquetRows":
        return self

    def read(self, given: object) -> "pl.DataFrame":
        import polars as pl
        import pyarrow.parquet as parquet

        with parquet.ParquetFile(self.path) as file:
            groups = list(range(self.first, self.last))
            table = file.read_row_groups(groups, columns=list(self.columns), use_threads=False)
        frame = pl.from_arrow(table)
        assert isinstance(frame, pl.DataFrame)  # of a table, not of a column
        return with_numbers(frame, self.reading)


@dataclass(frozen=True)
class ParquetBlock:
    """Rows of a Parquet file as points."""

    rows: ParquetRows
    columns: tuple[Column, ...]
    wanted = None

    @property
    def names(self) -> tuple[str, ...]:
        """Of the points' coordinates."""
        return tuple(name for column in self.columns for name in column.feature_names)

    @property
    def reader(self) -> "ParquetBlock":
        return self

    def read(self, given: object) -> Array:
        table = self.rows.read(given)
        if sum(table.null_count().row(0)):
            raise _unusable(self.rows.path)
        return check_rows(encode(table, self.columns), self.rows.path)


@dataclass(frozen=True)
class DaskBlock:
    """A partition of a dask collection."""

    wanted: object
    names: tuple[str, ...] | None = None  # of a table's columns

    @property
    def reader(self) -> "GivenRows":
        return GivenRows()


@dataclass(frozen=True)
class GivenRows:
    """Rows that Dask has computed."""

    def read(self, given: object) -> Array:
        if hasattr(given, "to_numpy"):
            given = given.to_numpy(dtype=np.float64, na_value=np.nan)
        return check_rows(np.asarray(given, dtype=np.float64), "a partition")


def blocks_of(source: Any, columns: Sequence[str] | None = None) -> list[Block]:
    """The data in blocks. ``columns``: which of a table's to use; all numeric ones by default."""
    if isinstance(source, str | Path):
        return _of_parquet(Path(source), columns)
    if isinstance(source, PreparedTable):
        return source.in_blocks()
    if not hasattr(source, "to_delayed"):
        raise InvalidArgument(
            "source",
            f"{type(source).__name__} does not come in blocks.",
            "Pass a folder of Parquet files, a dask array or a dask DataFrame; for what fits in"
            " memory use LikewiseClustering or hard_clustering.",
        )
    if hasattr(source, "columns"):
        chosen = _chosen(source, columns)
        names = tuple(map(str, chosen.columns))
        return [DaskBlock(part, names) for part in chosen.to_delayed()]
    if columns is not None:
        raise InvalidArgument("columns", "an array has no names.", "Leave them out.")
    if source.ndim != 2:
        raise InvalidArgument("source", f"it has {source.ndim} dimensions.", "Pass a table.")
    return [DaskBlock(part) for part in source.rechunk({1: -1}).to_delayed()[:, 0]]


@dataclass(frozen=True)
class PreparedTable:
    """Parquet files, and what is to become of their columns."""

    path: Path
    columns: tuple[Column, ...]
    reading: Reading = AS_USUAL

    def in_blocks(self) -> list[Block]:
        """The rows as points."""
        names = [column.name for column in self.columns]
        width = sum(len(column.feature_names) for column in self.columns)
        found = parquet_rows(self.path, names, self.reading, width)
        return [ParquetBlock(rows, self.columns) for rows in found]


def parquet_rows(
    path: Path, columns: Sequence[str], reading: Reading, width: int
) -> list[ParquetRows]:
    """The rows of Parquet files as they stand there, in blocks that become ``width`` numbers a
    row.
    """
    blocks: list[ParquetRows] = []
    most, start = min(BLOCK_ROWS, BLOCK_CELLS // max(width, 1)), 0
    for file_path in parquet_files(path, "source"):
        metadata, schema = _opened(file_path)
        _check_there(columns, schema.names, file_path.name)
        place = str(file_path.resolve())
        for first, last, rows in _grouped(metadata, most):
            blocks.append(ParquetRows(place, first, last, start, tuple(columns), reading))
            start += rows
    return blocks


def _of_parquet(path: Path, columns: Sequence[str] | None) -> list[Block]:
    """Columns that are numbers, as they are."""
    chosen = columns
    for file_path in parquet_files(path, "source"):
        numbers = [field.name for field in _opened(file_path)[1] if _is_number(field.type)]
        chosen = numbers if chosen is None else chosen
        if columns is not None:
            _check_there(columns, _opened(file_path)[1].names, file_path.name)
        _check_there(chosen, numbers, f"{file_path.name} (among its numbers)")
    return PreparedTable(path, tuple(Column(name, "number") for name in chosen or ())).in_blocks()


def _opened(path: Path) -> "tuple[FileMetaData, Schema]":
    import pyarrow as arrow
    import pyarrow.parquet as parquet

    try:
        with parquet.ParquetFile(path) as file:
            return file.metadata, file.schema_arrow
    except (arrow.ArrowInvalid, OSError) as error:
        raise InvalidArgument(
            "source", f"{path} cannot be read ({error}).", "Write it again."
        ) from None


def _grouped(metadata: "FileMetaData", most: int) -> Iterator[tuple[int, int, int]]:
    """The row groups of a file, joined to blocks of about so many rows: first, last, rows."""
    first, rows = 0, 0
    for group in range(metadata.num_row_groups):
        rows += metadata.row_group(group).num_rows
        if rows >= most or group + 1 == metadata.num_row_groups:
            if rows:
                yield first, group + 1, rows
            first, rows = group + 1, 0


def _is_number(kind: "DataType") -> bool:
    from pyarrow import types

    return bool(types.is_floating(kind) or types.is_integer(kind))


def _chosen(table: Any, columns: Sequence[str] | None) -> Any:
    """The columns of a dask DataFrame that are asked for; without any, those that are numbers."""
    if columns is None:
        return table.select_dtypes("number")
    _check_there(list(columns), list(table.columns), "the table")
    return table[list(columns)]


def _check_there(wanted: Sequence[str], there: Sequence[str], where: str) -> None:
    missing = [name for name in wanted if name not in there]
    if missing or not wanted:
        raise InvalidArgument(
            "columns",
            f"{where} has no {', '.join(map(repr, missing)) or 'numbers'}.",
            f"It has {', '.join(map(repr, there))}.",
        )


def check_rows(rows: Array, where: str) -> Array:
    """The rows, if all of them can be computed with."""
    if not np.isfinite(rows).all():
        raise _unusable(where)
    return rows


def _unusable(where: str) -> InvalidArgument:
    return InvalidArgument(
        "source",
        f"some values in {where} are missing, infinite or not a number.",
        "Fill them in, or leave those rows out.",
    )
