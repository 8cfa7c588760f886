"""Commands as a user types them: in this process, or in one of their own."""

import signal
import sys
import warnings
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from typer.testing import CliRunner

from likewise.cli import errors, main
from likewise.cli.app import app
from likewise.cli.signals import signals_to_end

MAIN = (sys.executable, "-c", "from likewise.cli import main; main()")


def invoke(*arguments, **options):
    """In this process; exceptions are kept in the result."""
    return CliRunner().invoke(app, [str(each) for each in arguments], **options)


@dataclass(frozen=True)
class Done:
    """How a command ended, as the shell sees it."""

    returncode: int
    stdout: str
    stderr: str


def run_main(*arguments, cwd=None):
    """``main`` in this process, which stays as it was; ``MAIN`` is for a process of its own."""
    with (
        pytest.MonkeyPatch.context() as patch,
        warnings.catch_warnings(),
        redirect_stdout(StringIO()) as out,
        redirect_stderr(StringIO()) as err,
        _own_signals(),
    ):
        patch.setattr(sys, "argv", ["likewise", *map(str, arguments)])
        patch.setattr(errors, "as_json", False)
        patch.chdir(cwd or Path.cwd())
        warnings.resetwarnings()
        try:
            main()
            code = 0
        except SystemExit as end:
            code = end.code or 0
    return Done(code, out.getvalue(), err.getvalue())


@contextmanager
def _own_signals():
    before = {number: signal.getsignal(number) for number in signals_to_end()}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


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
