"""Reading the table that a command is about."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from likewise.cli.options import split
from likewise.cli.output import Output


@dataclass(frozen=True)
class People:
    """The rows that are clustered, as they stand in the file and as points."""

    table: Any
    prepared: Any
    features: list[str]

    def columns(self, names: list[str]) -> dict[str, list[Any]] | None:
        """Protected attributes, as everything takes them; None where there are none."""
        return {name: self.table[name].to_list() for name in names} or None

    def ids(self, column: str | None) -> Any:
        """The column that names people, or their row numbers."""
        import polars as pl

        return self.table[column] if column is not None else pl.Series(self.prepared.rows)


def read_people(
    output: Output,
    file: Path,
    features: str | None,
    other_columns: list[str],
    *,
    no_scale: bool,
    no_one_hot: bool,
    drop_missing: bool,
) -> People:
    """Read, check and prepare; without named features, all columns that are nothing else."""
    from likewise.io.preparation import check_columns, prepare
    from likewise.io.tables import read_table

    with output.working(f"reading {file.name}"):
        table = read_table(file)
        check_columns("columns", other_columns, table)
        chosen = split(features) or [c for c in table.columns if c not in set(other_columns)]
        prepared = prepare(
            table, chosen, scale=not no_scale, one_hot=not no_one_hot, drop_missing=drop_missing
        )
    for column in prepared.columns:
        output.note(f"  {column}")
    if prepared.dropped:
        output.note(f"  {prepared.dropped:,} rows with missing features left out")
    return People(table[prepared.rows], prepared, chosen)
