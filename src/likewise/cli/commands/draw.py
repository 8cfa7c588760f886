"""``likewise draw``: labels from the distributions of a run."""

from pathlib import Path
from typing import Annotated

import typer

from likewise.cli.options import Force, Json, Quiet, RunFolder
from likewise.cli.output import Output


def draw(
    run: RunFolder,
    out: Annotated[Path, typer.Option("--out", "-o", help="CSV or Parquet file for the labels.")],
    draws: Annotated[int, typer.Option(min=1, help="How many times everybody is drawn.")] = 1,
    independent: Annotated[
        bool,
        typer.Option("--independent", help="Draw everybody alone: may part even identical people."),
    ] = False,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same labels.")] = 0,
    force: Force = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Draw everybody's cluster, so that like people mostly get the same one.

    People share their luck: two of them end up apart with probability at most 2 TV / (1 + TV).
    """
    import polars as pl

    from likewise.io.atomic import check_free
    from likewise.io.run_folder import Assignments
    from likewise.io.tables import write_table
    from likewise.sampling import draw_labels

    output = Output(json, quiet)
    check_free(out, replace=force)
    kept = Assignments.read(run)
    labels = draw_labels(kept.distributions, draws, coupled=not independent, random_state=seed)
    columns = {"id": kept.ids}
    columns |= {f"draw{number}": pl.Series(each) for number, each in enumerate(labels)}
    write_table(columns, out, "out")
    drawn = f"{draws:,} draw{'s' if draws > 1 else ''}"
    output.say(f"{drawn} for {len(kept.ids):,} people: {out}")
    output.result({"out": str(out), "draws": draws, "people": len(kept.ids), "seed": seed})
