"""Data that need not fit in memory, in blocks that workers read when they need them.

A folder of Parquet files (or one file), a dask array or a dask DataFrame. A block is a few hundred
thousand rows; nobody ever holds more than the blocks being worked on.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from likewise._typing import Array
from likewise.errors import InvalidArgument
from likewise.io.tables import parquet_files

if TYPE_CHECKING:
    from pyarrow import DataType
    from pyarrow.parquet import FileMetaData

BLOCK_ROWS = 500_000  # at least, where the file has more: 40 MB in ten columns


class Reader(Protocol):
    """Makes rows of numbers, on a worker; small itself."""

    def read(self, given: object) -> Array:
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
class ParquetBlock:
    """Row groups first..last of a Parquet file."""

    path: str
    first: int
    last: int
    columns: tuple[str, ...]
    wanted = None

    @property
    def reader(self) -> "ParquetBlock":
        return self

    def read(self, given: object) -> Array:
        import pyarrow.parquet as parquet

        with parquet.ParquetFile(self.path) as file:
            groups = list(range(self.first, self.last))
            table = file.read_row_groups(groups, columns=list(self.columns), use_threads=False)
        rows = np.empty((table.num_rows, len(self.columns)))
        for place, name in enumerate(self.columns):
            rows[:, place] = table.column(name).to_numpy()
        return check_rows(rows, self.path)


@dataclass(frozen=True)
class DaskBlock:
    """A partition of a dask collection."""

    wanted: object
    columns: tuple[str, ...] | None = None

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


def _of_parquet(path: Path, columns: Sequence[str] | None) -> list[Block]:
    import pyarrow as arrow
    import pyarrow.parquet as parquet

    blocks: list[Block] = []
    chosen = None if columns is None else tuple(columns)
    for file_path in parquet_files(path, "source"):
        try:
            file = parquet.ParquetFile(file_path)
        except (arrow.ArrowInvalid, OSError) as error:
            raise InvalidArgument(
                "source", f"{file_path} cannot be read ({error}).", "Write it again."
            ) from None
        with file:
            schema = file.schema_arrow
            if chosen is None:
                chosen = tuple(f.name for f in schema if _is_number(f.type))
            _check_there(chosen, schema.names, file_path.name)
            numbers = [f.name for f in schema if _is_number(f.type)]
            _check_there(chosen, numbers, f"{file_path.name} (among its numbers)")
            blocks += _grouped(file.metadata, str(file_path.resolve()), chosen)
    return blocks


def _grouped(metadata: "FileMetaData", path: str, columns: tuple[str, ...]) -> list[ParquetBlock]:
    """The row groups of a file, joined to blocks of about BLOCK_ROWS rows."""
    blocks, first, rows = [], 0, 0
    for group in range(metadata.num_row_groups):
        rows += metadata.row_group(group).num_rows
        if rows >= BLOCK_ROWS or group + 1 == metadata.num_row_groups:
            if rows:
                blocks.append(ParquetBlock(path, first, group + 1, columns))
            first, rows = group + 1, 0
    return blocks


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
        raise InvalidArgument(
            "source",
            f"some values in {where} are missing, infinite or not a number.",
            "Fill them in, or leave those rows out.",
        )
    return rows
