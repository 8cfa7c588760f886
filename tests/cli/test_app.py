"""All commands together: help, versions, failures told apart by exit code and message."""

import json
import sys

import pytest
from support.commands import invoke, run_main, said

from likewise.cli import errors as failures
from likewise.cli import main
from likewise.cli.app import app


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["fit", "absent.csv", "-k", "2", "-o", "x"], failures.FILES, "no file absent.csv"),
        (["fit", "people.docx", "-o", "x"], failures.INPUT, "neither CSV nor Parquet"),
        (["fit", "people.csv", "--features", "wage", "-o", "x"], failures.INPUT, "column 'wage'"),
        (["fit", "people.csv", "--features", "age", "-k", "500", "-o", "x"], failures.INPUT, "500"),
        (["fit", "people.csv", "--similarity", "globl", "--features", "age", "-o", "x"],
         failures.INPUT, "Did you mean 'global'"),
        (["fit", "people.csv", "--features", "name", "-o", "x"], failures.INPUT, "no category"),
        (["fit", "people.csv", "--features", "age", "--p", "two", "-o", "x"],
         failures.INPUT, "'two' is not a number"),
        (["fit", "people.csv", "-k", "2"], 2, "--out"),
        (["fit", "people.csv", "--bogus", "-o", "x"], 2, "bogus"),
        (["audit", "people.csv"], failures.INPUT, "--labels, --probabilities"),
        (["draw", "nowhere", "-o", "x.csv"], failures.FILES, "assignments.parquet"),
        (["report", "nowhere"], failures.FILES, "run.json"),
        (["reproduce", "--data", "nowhere"], failures.INPUT, "not a folder"),
    ],
)  # fmt: skip
def test_failures_are_told_apart(people, arguments, code, message):
    done = run_main(*arguments, cwd=people.parent)
    assert done.returncode == code, done.stderr
    assert message in said(done)
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
    assert not (people.parent / "x").exists()


def test_errors_for_machines(people):
    done = run_main("fit", "absent.csv", "-o", "x", "--json", cwd=people.parent)
    assert json.loads(done.stderr)["exit_code"] == failures.FILES


def test_version_and_help():
    assert invoke("--version").stdout.startswith("likewise 0.")
    helped = invoke("--help").stdout
    for command in app.registered_commands:
        name = command.callback.__name__
        assert name in helped
        assert invoke(name, "--help").exit_code == 0


def test_mistakes_of_ours_keep_their_traceback(monkeypatch):
    monkeypatch.setattr(sys, "argv", ["likewise", "datasets"])

    def broken(*_):
        raise AssertionError("ours")

    monkeypatch.setattr("likewise.datasets.files.folder_of", broken)
    with pytest.raises(AssertionError, match="ours"):
        main()
