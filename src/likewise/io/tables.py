"""Tables in files, text and Parquet after the ending of the name.

Text has one header line and fields between commas, semicolons, tabs or bars; how it is written is
found out where nobody says it (``text``). A folder of Parquet files is one table, its files in the
order of their names.
"""

import csv
import gzip
import io
import re
import zlib
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from likewise._typing import Array
from likewise.errors import InvalidArgument
from likewise.io.atomic import write_atomically
from likewise.io.number_format import PLAIN, NumberFormat
from likewise.io.text import Dialect, as_utf8, check_not_ragged, is_plain_utf8, sniff
from likewise.io.text.opening import open_text

if TYPE_CHECKING:
    import polars as pl

PARQUET, TEXT = ".parquet", (".csv", ".tsv", ".tab", ".txt")
ENDINGS = (*TEXT, PARQUET)  # text may be compressed: .csv.gz
COMPRESSED = ".gz"
WRITTEN = (".csv", PARQUET)
FORMULA = r"^[=+\-@\t\r]"  # how text begins that spreadsheets run
MISSING = ["", "NA", "NaN", "nan", "null", "NULL"]  # fields of CSV files that are no values
Columns: TypeAlias = "Mapping[str, Sequence[object] | Array | pl.Series]"
Rows: TypeAlias = Iterable[Mapping[str, object]]


@dataclass(frozen=True)
class Reading:
    """How a file is read, where it does not say so itself."""

    numbers: NumberFormat = PLAIN
    texts: tuple[str, ...] = ()  # columns of names: 02139 is not 2139
    encoding: str | None = None  # None: told by the file


AS_USUAL = Reading()


def read_table(path: Path, argument: str = "FILE", reading: Reading = AS_USUAL) -> "pl.DataFrame":
    """A CSV (whatever its separator) or Parquet file, or a folder of Parquet files."""
    check_table(path, argument)
    try:
        table = _read_parquet(path) if is_parquet(path) else _read_csv(path, reading)
        table = with_numbers(table, reading)
    except damage() as problem:
        raise unreadable(path, argument, problem) from problem
    if table.width == 0 or table.height == 0:
        raise InvalidArgument(argument, f"{path} has no rows.", "Check the file.")
    return table


def column_names(path: Path, argument: str = "FILE", encoding: str | None = None) -> list[str]:
    """The names of a table's columns, read without the rest of it."""
    check_table(path, argument)
    if is_parquet(path):
        return parquet_columns(path, argument)
    try:
        return _header(path, sniff(path, encoding, PLAIN))
    except damage() as problem:
        raise unreadable(path, argument, problem) from problem


def parquet_columns(path: Path, argument: str = "FILE") -> list[str]:
    """The same of Parquet files: the first of them."""
    import polars as pl

    first = parquet_files(path, argument)[0]
    if not is_parquet(first):
        raise InvalidArgument(
            argument, f"{first.name!r} is no Parquet file.", "Name a .parquet file, or a folder."
        )
    try:
        return list(pl.read_parquet_schema(first))
    except damage() as problem:
        raise unreadable(first, argument, problem) from problem


def check_table(path: Path, argument: str = "FILE") -> None:
    """Raise unless there is a file or folder that may be a table."""
    if not path.is_dir():
        _check_ending(path, argument)
    if not path.exists():
        raise FileNotFoundError(f"{argument}: there is no file {path}. Check the name.")


def unreadable(path: Path, argument: str, problem: BaseException) -> InvalidArgument:
    """The error for a file that is not what it should be."""
    first = str(problem).strip().splitlines()[0]
    remedy = "It must be text with one header line and as many fields in every row (--encoding)."
    if is_parquet(path):
        remedy = "Write it again."
    return InvalidArgument(argument, f"{path} cannot be read as a table ({first}).", remedy)


def damage() -> tuple[type[BaseException], ...]:
    """What files raise that are not what they should be. The panics of polars, for some damaged
    Parquet files, are no ordinary exceptions: nothing else would catch them.
    """
    import polars as pl

    return (
        pl.exceptions.PolarsError,
        pl.exceptions.PanicException,
        UnicodeError,
        csv.Error,
        EOFError,  # a compressed file that was cut off
        gzip.BadGzipFile,
        zlib.error,
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


def parquet_rows_at(path: Path, places: Sequence[int]) -> "pl.DataFrame":
    """Some rows of a table in Parquet files that need not fit in memory."""
    import polars as pl

    files = parquet_files(path)
    sizes = [pl.scan_parquet(file).select(pl.len()).collect().item() for file in files]
    ends = list(accumulate(sizes))
    found = []
    for place in places:
        number = bisect_right(ends, place)
        within = place - (ends[number] - sizes[number])
        found.append(pl.scan_parquet(files[number]).slice(within, 1).collect())
    return pl.concat(found, how="diagonal_relaxed")


def _read_csv(path: Path, said: Reading) -> "pl.DataFrame":
    import polars as pl

    dialect = sniff(path, said.encoding, said.numbers)
    names = _header(path, dialect)
    is_plain = is_plain_utf8(path, dialect.encoding)
    try:
        table = _parsed(path if is_plain else as_utf8(path, dialect.encoding), dialect, names, said)
    except pl.exceptions.PolarsError:
        check_not_ragged(path, dialect)
        raise
    if table.width and table[:, -1].null_count():  # fewer fields than the header are no error there
        check_not_ragged(path, dialect)
    written = table.select(~pl.all_horizontal(pl.all().is_null())).to_series()
    last = written.arg_true()
    kept = table.head(int(last[-1]) + 1 if len(last) else 0)  # without blank lines at the end
    return kept.with_columns(pl.col(pl.String).str.strip_chars())


def _parsed(
    source: Path | bytes, dialect: Dialect, names: Sequence[str], said: Reading
) -> "pl.DataFrame":
    import polars as pl

    return pl.read_csv(
        source,
        separator=dialect.separator,
        new_columns=names,  # polars leaves doubled quotes in names as they are
        infer_schema=said.numbers.is_plain,  # polars would take 1.234 for 1 and a bit
        infer_schema_length=None,  # the whole file: no surprise after the first thousand rows
        schema_overrides={name: pl.String for name in said.texts if name in names},
        null_values=MISSING,
    )


def with_numbers(table: "pl.DataFrame", said: Reading) -> "pl.DataFrame":
    """Columns of text that are numbers as was said, as numbers. Of the columns of names only whole
    numbers that look the same as text.
    """
    import polars as pl

    found = [
        _whole_numbers(column) if column.name in said.texts else _numbers(column, said.numbers)
        for column in table
        if column.dtype == pl.String
    ]
    return table.with_columns(found)


def _numbers(column: "pl.Series", written: NumberFormat) -> "pl.Series":
    import polars as pl

    if written.is_plain or not written.holds(column):
        return column
    numbers = written.numbers(column).rename(column.name)
    whole = numbers.cast(pl.Int64, strict=False)
    return whole if (whole == numbers).all() else numbers


def _whole_numbers(column: "pl.Series") -> "pl.Series":
    import polars as pl

    whole = column.cast(pl.Int64, strict=False)
    return whole if whole.cast(pl.String).eq_missing(column).all() else column


def _header(path: Path, dialect: Dialect) -> list[str]:
    """The first line. Columns of the same name would be taken for one another: an error."""
    with open_text(path, dialect.encoding) as file:
        names = [name.strip() for name in next(csv.reader(file, delimiter=dialect.separator), [])]
    repeated = [name for name, count in Counter(names).items() if count > 1]
    if repeated:
        some = ", ".join(repr(name) for name in sorted(repeated)[:5])
        raise InvalidArgument(
            "FILE", f"{path} has several columns named {some}.", "Give each its own name."
        )
    return names


def write_table(
    content: "Columns | Rows | pl.DataFrame", path: Path, argument: str = "path"
) -> None:
    """Columns of the same length, or rows, whole or not at all. In CSV, text that a spreadsheet
    would run as a formula gets an apostrophe before it; Parquet has everything as it is.
    """
    import polars as pl

    if path.suffix.lower() not in WRITTEN:
        raise InvalidArgument(
            argument, f"{path.name!r} is neither CSV nor Parquet.", "Name it .csv or .parquet."
        )
    frame = pl.DataFrame(content)
    if is_parquet(path):
        buffer = io.BytesIO()
        frame.write_parquet(buffer)
        write_atomically(path, buffer.getvalue())
    else:
        write_atomically(path, csv_lines(frame))


def csv_lines(frame: "pl.DataFrame", header: bool = True) -> bytes:
    """A table as CSV, harmless to spreadsheets; without the header to go on below another."""
    buffer = io.BytesIO()
    _harmless(frame).write_csv(buffer, include_header=header)
    return buffer.getvalue()


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


def is_parquet(path: Path) -> bool:
    """Whether it is a Parquet file, or a folder of them."""
    return path.is_dir() or path.suffix.lower() == PARQUET


def _ending(path: Path) -> str:
    """The ending of the name, that of compression aside."""
    return Path(path.stem if path.suffix.lower() == COMPRESSED else path.name).suffix.lower()


def _check_ending(path: Path, argument: str) -> None:
    is_compressed = path.suffix.lower() == COMPRESSED
    if _ending(path) not in (TEXT if is_compressed else ENDINGS):
        raise InvalidArgument(
            argument,
            f"{path.name!r} is neither CSV nor Parquet.",
            "Name it .csv or .parquet; .tsv, .txt and .csv.gz are read too.",
        )
