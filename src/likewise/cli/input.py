"""Reading the table that a command is about."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from likewise.cli.options import Names, named
from likewise.cli.output import Output

if TYPE_CHECKING:
    import polars as pl

    from likewise.io.number_format import NumberFormat
    from likewise.io.preparation import Column, LeftOut, Prepared, Wanted
    from likewise.io.tables import Reading
    from likewise.io.text import Dialect


@dataclass(frozen=True)
class ColumnOptions:
    """Which columns are clustered on, and how they become numbers, as the command line says it."""

    features: Names = None
    exclude: Names = None
    categorical: Names = None
    no_scale: bool = False
    no_one_hot: bool = False
    decimal: str | None = None
    thousands: str | None = None
    encoding: str | None = None
    metric: str = "euclidean"

    def wanted(self, columns: Sequence[str], taken: Sequence[str] = ()) -> "Wanted":
        """The same for a table with these columns, some of them taken for something else."""
        from likewise.io.preparation import Wanted

        return Wanted(
            features=named("--features", self.features, columns),
            exclude=named("--exclude", self.exclude, columns),
            categorical=named("--categorical", self.categorical, columns),
            taken=tuple(taken),
            scale=not self.no_scale,
            one_hot=not self.no_one_hot,
            mixed=self.metric == "gower",
        )

    @property
    def numbers(self) -> "NumberFormat | None":
        """How numbers are written in the file; None where nobody says it."""
        from likewise.io.number_format import NumberFormat

        if self.decimal is None and self.thousands is None:
            return None
        return NumberFormat(self.decimal or ".", self.thousands)

    def dialect(self, output: Output, file: Path) -> "Dialect":
        """How the file is written, as it is said or as the file itself tells, which is noted."""
        from likewise.io.number_format import PLAIN
        from likewise.io.tables import check_table, is_parquet
        from likewise.io.text import Dialect, sniff

        if is_parquet(file):
            return Dialect(numbers=self.numbers or PLAIN)
        check_table(file)
        found = sniff(file, self.encoding, self.numbers)
        if found.in_words is not None:
            output.note(f"  {file.name}: {found.in_words}")
        return found


@dataclass(frozen=True)
class TableOptions:
    """What the columns of a table are."""

    columns: ColumnOptions
    protected: Names
    id_column: str | None
    drop_missing: bool
    others: Mapping[str, Names | str] = field(default_factory=dict)  # by the options' names


@dataclass(frozen=True)
class People:
    """The rows that are clustered, as they stand in the file and as points."""

    table: "pl.DataFrame"
    prepared: "Prepared"
    protected: tuple[str, ...]
    id_column: str | None
    others: Mapping[str, tuple[str, ...]]  # the columns of other options
    reading: "Reading"

    @property
    def features(self) -> tuple[str, ...]:
        """The columns that were clustered on."""
        return tuple(column.name for column in self.prepared.columns)

    def columns(self, names: Sequence[str]) -> dict[str, list[object]] | None:
        """Protected attributes, as everything takes them; None where there are none."""
        return {name: self.table[name].to_list() for name in names} or None

    @cached_property
    def ids(self) -> "pl.Series":
        """The column that names people, or the numbers of their rows in the file."""
        import polars as pl

        from likewise.io.rows import row_numbers

        if self.id_column is None:
            return pl.Series(row_numbers(self.prepared.rows))
        return self.table[self.id_column]

    def in_words(self, place: int) -> str:
        """A person, for a message."""
        name = self.ids[place]
        return f"row {name}" if self.id_column is None else f"{name}"


def read_people(output: Output, file: Path, options: TableOptions) -> People:
    """Read, check and prepare. Without named features, all columns that are nothing else: neither
    protected, nor ids, nor named by one of the other options.
    """
    from likewise.io.preparation import is_named_like_a_key, prepare
    from likewise.io.tables import Reading, column_names, read_table

    dialect = options.columns.dialect(output, file)
    numbers = dialect.numbers
    with output.working(f"reading {file.name}"):
        columns = column_names(file, encoding=dialect.encoding)
        protected = named("--protected", options.protected, columns)
        ids = named("--id", options.id_column, columns)
        others = {name: named(name, texts, columns) for name, texts in options.others.items()}
        taken = [*protected, *ids, *(name for each in others.values() for name in each)]
        wanted = options.columns.wanted(columns, taken)
        codes = [name for name in columns if is_named_like_a_key(name)]
        texts = tuple(dict.fromkeys((*ids, *wanted.categorical, *codes)))
        reading = Reading(numbers, texts, dialect.encoding)
        table = read_table(file, reading=reading)
        prepared = prepare(table, wanted, drop_missing=options.drop_missing, numbers=numbers)
    say_columns(output, prepared.columns, prepared.left_out)
    if prepared.dropped:
        output.note(f"  {prepared.dropped:,} rows with missing features left out")
    kept = table[prepared.rows]
    return People(kept, prepared, protected, options.id_column, others, reading)


def say_columns(output: Output, columns: Sequence["Column"], left_out: Sequence["LeftOut"]) -> None:
    """What became of each column."""
    for column in columns:
        output.note(f"  {column}")
    for each in left_out:
        output.note(f"  {each}")
    if left_out:
        output.note("  name columns to cluster on them all the same: --features, --categorical")
