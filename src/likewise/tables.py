"""Tables in files: CSV and Parquet, read by column, written whole or not at all."""

import io
from pathlib import Path
from typing import TYPE_CHECKING, Any

from likewise.errors import InvalidArgument
from likewise.files import write_atomically

if TYPE_CHECKING:
    import polars as pl

ENDINGS = (".csv", ".parquet")


def read_table(path: Path, argument: str = "FILE") -> "pl.DataFrame":
    """A CSV (whatever its separator) or Parquet file."""
    import polars as pl

    _check_ending(path, argument)
    if not path.is_file():
        raise FileNotFoundError(f"{argument}: there is no file {path}. Check the name.")
    try:
        if path.suffix.lower() == ".parquet":
            return pl.read_parquet(path)
        return pl.read_csv(
            path,
            separator=_separator(path),
            infer_schema_length=None,  # the whole file: no surprise after the first thousand rows
            null_values=["", "NA", "NaN", "nan", "null", "NULL"],
        )
    except (pl.exceptions.PolarsError, UnicodeDecodeError) as problem:
        raise InvalidArgument(
            argument, f"{path} cannot be read as a table ({problem}).", "Check the file."
        ) from problem


def write_table(columns: dict[str, Any], path: Path) -> None:
    """Columns of the same length, as CSV or Parquet after the ending of the name."""
    import polars as pl

    _check_ending(path, "path")
    buffer = io.BytesIO()
    frame = pl.DataFrame(columns)
    if path.suffix.lower() == ".parquet":
        frame.write_parquet(buffer)
    else:
        frame.write_csv(buffer)
    write_atomically(path, buffer.getvalue())


def _check_ending(path: Path, argument: str) -> None:
    if path.suffix.lower() not in ENDINGS:
        raise InvalidArgument(
            argument, f"{path.name!r} is neither CSV nor Parquet.", "Name it .csv or .parquet."
        )


def _separator(path: Path) -> str:
    """The one that splits the first line into most columns."""
    with path.open(encoding="utf-8-sig", errors="replace") as file:
        first = file.readline()
    return max(",;\t|", key=first.count)
