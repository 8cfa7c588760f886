"""``likewise report``: a page about a run that anybody can read."""

from pathlib import Path
from typing import Annotated

import typer

from likewise.cli.options import Force, Json, Quiet, RunFolder
from likewise.cli.output import Output


def report(
    run: RunFolder,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="HTML file; default: report.html in DIR.")
    ] = None,
    data: Annotated[
        Path | None, typer.Option(help="The table of the run, if it has been moved.")
    ] = None,
    choice: Annotated[
        Path | None, typer.Option(help="Folder that `choose` left: shown in the report.")
    ] = None,
    force: Force = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Write a report as one HTML file: works offline, prints well.

    Without --out it is report.html in the folder of the run, and replaces the one before.
    """
    from likewise.io.atomic import check_free
    from likewise.io.run_folder import REPORT
    from likewise.report import make_report

    output = Output(json, quiet)
    path = out if out is not None else run / REPORT
    check_free(path, replace=force or out is None)
    with output.stages() as show:
        make_report(run, path, data, choice=choice, show=show)
    output.say(str(path), style="bold")
    output.result({"out": str(path), "bytes": path.stat().st_size})
