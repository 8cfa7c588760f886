"""Reading the table that a command is about."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from likewise.cli.options import split
from likewise.cli.output import Output

if TYPE_CHECKING:
    import polars as pl

    from likewise.io.preparation import Prepared


@dataclass(frozen=True)
class TableOptions:
    """What the columns of a table are, and how they become numbers, as the command line says it."""

    features: str | None
    protected: str | None
    id_column: str | None
    no_scale: bool
    no_one_hot: bool
    drop_missing: bool


@dataclass(frozen=True)
class People:
    """The rows that are clustered, as they stand in the file and as points."""

    table: "pl.DataFrame"
    prepared: "Prepared"
    features: list[str]
    protected: list[str]
    id_column: str | None

    def columns(self, names: Sequence[str]) -> dict[str, list[object]] | None:
        """Protected attributes, as everything takes them; None where there are none."""
        return {name: self.table[name].to_list() for name in names} or None

    @property
    def ids(self) -> "pl.Series":
        """The column that names people, or their row numbers."""
        import polars as pl

        if self.id_column is None:
            return pl.Series(self.prepared.rows)
        return self.table[self.id_column]


def read_people(
    output: Output, file: Path, options: TableOptions, others: Sequence[str | None] = ()
) -> People:
    """Read, check and prepare. Without named features, all columns that are nothing else: neither
    protected, nor ids, nor one of the ``others``.
    """
    from likewise.io.preparation import check_columns, prepare
    from likewise.io.tables import read_table

    protected = split(options.protected)
    taken = [*protected, *(name for name in (options.id_column, *others) if name is not None)]
    with output.working(f"reading {file.name}"):
        table = read_table(file)
        check_columns("columns", taken, table)
        features = split(options.features) or [c for c in table.columns if c not in set(taken)]
        prepared = prepare(
            table,
            features,
            scale=not options.no_scale,
            one_hot=not options.no_one_hot,
            drop_missing=options.drop_missing,
        )
    for column in prepared.columns:
        output.note(f"  {column}")
    if prepared.dropped:
        output.note(f"  {prepared.dropped:,} rows with missing features left out")
    return People(table[prepared.rows], prepared, features, protected, options.id_column)
