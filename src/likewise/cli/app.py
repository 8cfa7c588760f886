"""The commands, in the order people meet them."""

from typing import Annotated

import typer

from likewise import __version__
from likewise.cli.commands.assign import assign
from likewise.cli.commands.audit import audit
from likewise.cli.commands.choose import choose
from likewise.cli.commands.datasets import datasets
from likewise.cli.commands.demo import demo
from likewise.cli.commands.draw import draw
from likewise.cli.commands.fit import fit
from likewise.cli.commands.hard import hard
from likewise.cli.commands.report import report
from likewise.cli.commands.reproduce import reproduce

app = typer.Typer(
    name="likewise",
    help="Clustering that treats like individuals alike: exactly fair, certified, fast.",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_show_locals=False,  # values from people's files stay out of tracebacks
)
for command in (choose, fit, report, draw, assign, audit, demo, hard, datasets, reproduce):
    app.command()(command)


def _version(wanted: bool) -> None:
    if wanted:
        print(f"likewise {__version__}")
        raise typer.Exit


@app.callback()
def _common(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    pass
