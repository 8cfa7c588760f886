"""The examples are documentation: they must run."""

import runpy
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).resolve().parents[1] / "examples").glob("*.py"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example_runs(path, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # where pictures go
    runpy.run_path(str(path), run_name="__main__")
    assert "every bound kept" in capsys.readouterr().out
    if "savefig" in path.read_text():
        assert (tmp_path / f"{path.stem}.svg").stat().st_size > 5_000
