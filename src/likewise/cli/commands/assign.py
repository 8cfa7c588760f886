"""``likewise assign``: probabilities for people who come later, from the folder of a run alone."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from likewise.cli import errors as failures
from likewise.cli.input import ColumnOptions
from likewise.cli.options import (
    Dask,
    Decimal,
    Encoding,
    Force,
    Format,
    IdColumn,
    Json,
    OutFolder,
    Quiet,
    RunFolder,
    TableFile,
    Thousands,
    engine_of,
)
from likewise.cli.output import Output
from likewise.cli.signals import heed
from likewise.cli.wording import in_options

if TYPE_CHECKING:
    from likewise.assigning import Summary


def assign(
    run: RunFolder,
    file: TableFile,
    out: OutFolder,
    kind: Format = "parquet",
    id_column: IdColumn = None,
    dask: Dask = None,
    decimal: Decimal = None,
    thousands: Thousands = None,
    encoding: Encoding = None,
    force: Force = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Give people who come later their probabilities, fair to everybody who was fitted.

    Needs nothing but the folder that `fit` left and the new table, of any size. Rows that have no
    place (a category nobody had, a missing value) are refused, and listed in refused.csv.
    """
    from likewise.assigning import LaterPeople, Writer, assigned_blocks
    from likewise.io.run_folder import check_out, new_folder
    from likewise.io.table_blocks import count_rows

    output = Output(json, quiet)
    check_out(out, replace=force)
    dialect = ColumnOptions(decimal=decimal, thousands=thousands, encoding=encoding).dialect(
        output, file
    )
    later = LaterPeople.of(run, id_column)
    with new_folder(out, replace=force) as folder, output.counter("assigning") as bar:
        writer = Writer(folder, kind)
        task = bar.add_task("people", total=count_rows(file))
        for block in assigned_blocks(file, dialect, later, engine_of(dask)):
            heed()
            writer.write(block)
            bar.update(task, advance=len(block.labels) + len(block.refused))
        writer.close({"run": str(run.resolve()), "file": str(file.resolve())})
    _show(output, writer.summary, out)
    output.result({"out": str(out), **asdict(writer.summary)})
    if writer.summary.refused:
        raise typer.Exit(failures.REFUSED)


def _show(output: Output, summary: "Summary", out: Path) -> None:
    from likewise.prediction.predictor import in_percent

    for message in summary.warnings:
        output.note(in_options(message))
    output.say(f"{summary.assigned:,} people assigned")
    if summary.relaxed:
        output.say(
            f"{summary.relaxed:,} of them cannot be within all of their bounds: theirs were relaxed"
            f" by up to {in_percent(summary.largest_factor)} (column relaxation)"
        )
    elif summary.assigned:
        output.say("every bound with the people who were fitted is kept")
    if summary.refused:
        rows = "row" if summary.refused == 1 else "rows"
        output.say(f"{summary.refused:,} {rows} refused, without a place among those fitted:")
        for line in summary.examples:
            output.say(f"  {line}")
        output.say(f"  all of them: {out / 'refused.csv'}")
    output.say(f"\n{out}", style="bold")
