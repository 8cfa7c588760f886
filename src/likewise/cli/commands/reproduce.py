"""``likewise reproduce``: the paper's tables and figures, with the truth beside the print."""

from pathlib import Path
from typing import Annotated

import typer

from likewise.cli.errors import Interrupted
from likewise.cli.options import Json, Names, Quiet, split
from likewise.cli.output import Output


def reproduce(
    quick: Annotated[
        bool,
        typer.Option("--quick", help="Only n = 80, and n = 1000 once for each data set."),
    ] = False,
    data: Annotated[
        Path | None,
        typer.Option(help="Folder with the raw files or samples; default: LIKEWISE_DATA."),
    ] = None,
    out: Annotated[Path, typer.Option(help="Where results go.")] = Path("reproduction"),
    datasets: Annotated[
        Names,
        typer.Option(
            metavar="NAMES",
            help="Some of the data sets only: commas between, or the option again.",
        ),
    ] = None,
    workers: Annotated[
        int | None, typer.Option(min=1, help="Processes; default: one for each core.")
    ] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Run the paper's experiments again: every table and figure, claims judged.

    Can be stopped and started again in the same folder: finished cells are kept.
    """
    from likewise import experiments
    from likewise.experiments.claims import judge

    output = Output(json, quiet)
    with output.counter("reproducing") as bar:
        task = bar.add_task("", total=None)
        try:
            done = experiments.reproduce(
                out,
                quick=quick,
                data_home=data,
                datasets=split(datasets) or None,
                workers=workers,
                started=lambda cells: bar.update(task, total=len(cells)),
                progress=lambda cell, _: bar.update(task, advance=1, description=cell.name),
            )
        except KeyboardInterrupt:
            raise Interrupted(
                f"what was finished is in {out}; the same command goes on from there."
            ) from None
    for name, reason in done.skipped.items():
        output.note(f"without {name}: {reason}")
    verdicts = judge(done.results)
    for each in verdicts:
        output.say(f"{each.word:>14}  {each.claim}")
        output.say(f"{'':>14}  {each.figure}", style="dim")
    output.say(f"\n{done.document}", style="bold")
    output.result(
        {
            "document": str(done.document),
            "cells": len(done.results.found),
            "skipped": done.skipped,
            "claims": [
                {"claim": each.claim, "verdict": each.word, "measured": each.figure}
                for each in verdicts
            ],
        }
    )
