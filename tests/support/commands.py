"""Commands as a user types them: in this process, or in one of their own."""

import subprocess
import sys

import numpy as np
import polars as pl
from typer.testing import CliRunner

from likewise.cli.app import app

MAIN = (sys.executable, "-c", "from likewise.cli import main; main()")


def invoke(*arguments, **options):
    """In this process; exceptions are kept in the result."""
    return CliRunner().invoke(app, [str(each) for each in arguments], **options)


def run_main(*arguments, cwd=None):
    """In a process of its own, with exit codes as the shell sees them."""
    return subprocess.run(
        [*MAIN, *map(str, arguments)], capture_output=True, text=True, cwd=cwd, check=False
    )


def said(done):
    """What a process printed on standard error, without the breaks and frames of its lines."""
    return " ".join(done.stderr.replace("│", " ").split())


def fitted(people, out, *more):
    """`fit` on the table of people (``cli/conftest.py``)."""
    chosen = ["--features", "age,income,city", "--protected", "sex,<b>status</b>", "--id", "name"]
    return invoke("fit", people, *chosen, "-k", 3, "--out", out, *more)


def parquet_folder(folder, n=120, columns=("x", "y")):
    """A table of random numbers in two files."""
    random = np.random.default_rng(0)
    folder.mkdir()
    for number in range(2):
        table = pl.DataFrame(random.normal(size=(n // 2, len(columns))), schema=list(columns))
        table.write_parquet(folder / f"{number}.parquet")
    return folder
