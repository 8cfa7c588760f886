"""Tables in files, CSV and Parquet after the ending of the name.

CSV is text in UTF-8 with one header line, fields between commas, semicolons, tabs or bars,
whichever splits the header into most columns. A folder of Parquet files is one table, its files
in the order of their names.
"""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from likewise._typing import Array
from likewise.errors import InvalidArgument
from likewise.io.atomic import write_atomically

if TYPE_CHECKING:
    import polars as pl

ENDINGS = (".csv", ".parquet")
SEPARATORS = ",;\t|"
FORMULA = r"^[=+\-@\t\r]"  # how text begins that spreadsheets run
MISSING = ["", "NA", "NaN", "nan", "null", "NULL"]  # fields of CSV files that are no values
Columns: TypeAlias = "Mapping[str, Sequence[object] | Array | pl.Series]"
Rows: TypeAlias = Iterable[Mapping[str, object]]


def read_table(path: Path, argument: str = "FILE") -> "pl.DataFrame":
    """A CSV (whatever its separator) or Parquet file, or a folder of Parquet files."""
    if not path.is_dir():
        _check_ending(path, argument)
    if not path.exists():
        raise FileNotFoundError(f"{argument}: there is no file {path}. Check the name.")
    try:
        table = _read_parquet(path) if path.is_dir() or _is_parquet(path) else _read_csv(path)
    except damage() as problem:
        first = str(problem).strip().splitlines()[0]
        raise InvalidArgument(
            argument,
            f"{path} cannot be read as a table ({first}).",
            "It must be text in UTF-8 with one header line and as many fields in every row.",
        ) from problem
    if table.width == 0 or table.height == 0:
        raise InvalidArgument(argument, f"{path} has no rows.", "Check the file.")
    return table


def damage() -> tuple[type[BaseException], ...]:
    """What files raise that are not what they should be. The panics of polars, for some damaged
    Parquet files, are no ordinary exceptions: nothing else would catch them.
    """
    import polars as pl

    return (
        pl.exceptions.PolarsError,
        pl.exceptions.PanicException,
        UnicodeDecodeError,
        csv.Error,
    )


def _read_parquet(path: Path) -> "pl.DataFrame":
    import polars as pl

    return pl.read_parquet(parquet_files(path))


def parquet_files(path: Path, argument: str = "FILE") -> list[Path]:
    """The files of a table: one, or all in a folder, by name."""
    files = sorted(path.glob("*.parquet")) if path.is_dir() else [path]
    if not files or not files[0].exists():
        raise FileNotFoundError(
            f"{argument}: there are no Parquet files at {path}. Name a .parquet file, or a folder"
            " of them."
        )
    return files


def _read_csv(path: Path) -> "pl.DataFrame":
    import polars as pl

    separator = _separator(path)
    names = _column_names(path, separator)
    table = pl.read_csv(
        path,
        separator=separator,
        new_columns=names,  # polars leaves doubled quotes in names as they are
        infer_schema_length=None,  # the whole file: no surprise after the first thousand rows
        null_values=MISSING,
    )
    written = table.select(~pl.all_horizontal(pl.all().is_null())).to_series()
    last = written.arg_true()
    kept = table.head(int(last[-1]) + 1 if len(last) else 0)  # without blank lines at the end
    return kept.with_columns(pl.col(pl.String).str.strip_chars())


def _column_names(path: Path, separator: str) -> list[str]:
    """The first line. Columns of the same name would be taken for one another: an error."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        names = next(csv.reader(file, delimiter=separator), [])
    repeated = [name for name, count in Counter(names).items() if count > 1]
    if repeated:
        some = ", ".join(repr(name) for name in sorted(repeated)[:5])
        raise InvalidArgument(
            "FILE", f"{path} has several columns named {some}.", "Give each its own name."
        )
    return names


def write_table(content: "Columns | Rows | pl.DataFrame", path: Path) -> None:
    """Columns of the same length, or rows, whole or not at all. In CSV, text that a spreadsheet
    would run as a formula gets an apostrophe before it; Parquet has everything as it is.
    """
    import polars as pl

    _check_ending(path, "path")
    buffer = io.BytesIO()
    frame = pl.DataFrame(content)
    if _is_parquet(path):
        frame.write_parquet(buffer)
    else:
        _harmless(frame).write_csv(buffer)
    write_atomically(path, buffer.getvalue())


def _harmless(frame: "pl.DataFrame") -> "pl.DataFrame":
    """With an apostrophe before text and names that spreadsheets would run."""
    import polars as pl

    def marked(name: str) -> "pl.Expr":
        text = pl.col(name).cast(pl.String)
        is_number = text.cast(pl.Float64, strict=False).is_not_null()  # signs begin numbers too
        runs = text.str.contains(FORMULA) & ~is_number
        return pl.when(runs).then(pl.lit("'") + text).otherwise(text).alias(name)

    kinds = (pl.String, pl.Categorical, pl.Enum)
    texts = [name for name, kind in frame.schema.items() if isinstance(kind, kinds)]
    names = {name: f"'{name}" for name in frame.columns if re.search(FORMULA, name)}
    return frame.with_columns(map(marked, texts)).rename(names)


def _is_parquet(path: Path) -> bool:
    return path.suffix.lower() == ".parquet"


def _check_ending(path: Path, argument: str) -> None:
    if path.suffix.lower() not in ENDINGS:
        raise InvalidArgument(
            argument, f"{path.name!r} is neither CSV nor Parquet.", "Name it .csv or .parquet."
        )


def _separator(path: Path) -> str:
    """The one that splits the first line into most columns."""
    with path.open(encoding="utf-8-sig", errors="replace") as file:
        first = file.readline()
    return max(SEPARATORS, key=first.count)
