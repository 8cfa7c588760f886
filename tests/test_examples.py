"""The gallery is documentation: each of its scripts runs, is certified, and draws something."""

import ast
import runpy
from pathlib import Path

import matplotlib
import matplotlib.pyplot as plt
import pytest

EXAMPLES = sorted((Path(__file__).resolve().parents[1] / "examples").glob("*.py"))


@pytest.fixture(autouse=True)
def no_windows(monkeypatch):
    matplotlib.use("Agg")
    monkeypatch.setattr(plt, "show", lambda: None)
    plt.close("all")  # what other tests have left is none of theirs
    yield
    plt.close("all")


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example_runs(path, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(path), run_name="__main__")
    assert "every bound kept" in capsys.readouterr().out
    assert list(tmp_path.iterdir()) == []
    drawn = [axis for number in plt.get_fignums() for axis in plt.figure(number).axes]
    assert drawn
    assert all(axis.get_title() for axis in drawn)  # what the picture says to those who cannot see


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example_tells_its_story(path):
    """The gallery's form: a heading with its line, and text between the code."""
    text = path.read_text(encoding="utf-8")
    title, line, *rest = ast.get_docstring(ast.parse(text)).splitlines()
    assert line == "=" * len(title)
    assert rest
    assert "\n# %%\n" in text
