"""``likewise reproduce``: the claims on the screen, and what Ctrl-C says."""

import json
from pathlib import Path

from support.commands import invoke

from likewise import experiments
from likewise.cli import errors as failures
from likewise.experiments import Reproduction
from likewise.experiments.plan import Cell
from likewise.experiments.results import Results


def test_claims_and_progress(tmp_path, monkeypatch):
    asked = {}

    def reproduced(out, *, started, progress, **options):
        cell = Cell("bound-if", "bank", "global", 80, 2)
        started([cell])
        progress(cell, False)
        asked.update(options)
        return Reproduction(Path(out) / "REPRODUCTION.md", Results({cell: {}}), {"adult": "gone"})

    monkeypatch.setattr(experiments, "reproduce", reproduced)
    done = invoke(
        "reproduce",
        "--quick",
        "--datasets",
        "bank, adult",
        "--datasets",
        "census1990",
        "--out",
        tmp_path,
        "--json",
    )
    assert done.exit_code == 0, done.output
    assert asked["datasets"] == ["bank", "adult", "census1990"]
    assert asked["quick"]
    result = json.loads(done.stdout)
    assert result["cells"] == 1
    assert result["skipped"] == {"adult": "gone"}
    assert {each["verdict"] for each in result["claims"]} == {"not measured"}


def test_ctrl_c_says_what_is_kept(tmp_path, monkeypatch):
    def stopped(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(experiments, "reproduce", stopped)
    done = invoke("reproduce", "--out", tmp_path)
    assert failures.exit_code(done.exception) == failures.INTERRUPTED
    assert str(tmp_path) in str(done.exception)


def test_unknown_data_sets_are_named(tmp_path):
    done = invoke("reproduce", "--datasets", "banks", "--out", tmp_path)
    assert "'banks' is not known" in str(done.exception)
