"""Every block of code on README and site is run as it stands, or is marked as output (``text``).

Blocks of one page share their names, from top to bottom. Commands run in a folder with a table of
people. What would take minutes, a cluster, or the internet is read by the program's own parser.
"""

import re
import shlex
from importlib.metadata import metadata
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import typer.main
from support.commands import run_main

import likewise
from likewise import LikewiseClustering
from likewise.cli.app import app

ROOT = Path(__file__).resolve().parents[2]
OF_OTHERS = {"architecture.md"}  # its examples change the package: tests/test_how_to_add.py
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *(
        path
        for path in sorted((ROOT / "docs").rglob("*.md"))
        if path.name not in OF_OTHERS and not {"_build", "gallery"} & set(path.parts)
    ),
]
FENCE = re.compile(
    r"^(?P<indent> *)```(?P<language>[^\n]*)\n" r"(?P<code>.*?)^(?P=indent)```", re.M | re.S
)
OUTPUT, DIRECTIVE = "text", re.compile(r"\{.*")
RUN = {"audit", "demo", "draw", "fit", "report", "--version"}  # the other commands take long


def blocks(path):
    """(language, code) of each block, from top to bottom."""
    found = FENCE.finditer(path.read_text(encoding="utf-8"))
    return [(each["language"].strip(), each["code"]) for each in found]


def commands(path):
    """The lines of its shell blocks, without comments."""
    for language, code in blocks(path):
        if language == "sh":
            for line in code.replace("\\\n", " ").splitlines():
                if words := shlex.split(line, comments=True):
                    yield words


@pytest.fixture(scope="module")
def people():
    rng = np.random.default_rng(0)
    return pd.DataFrame(
        {
            "age": rng.integers(20, 70, 60),
            "income": rng.lognormal(10, 0.4, 60).round(),
            "sex": rng.choice(["f", "m"], 60),
            "marital_status": rng.choice(["married", "single"], 60),
            "cluster": rng.integers(0, 3, 60),
        }
    )


@pytest.fixture
def folder(people, tmp_path, monkeypatch):
    """Where a reader stands: in a folder with a table, after what the page tells to run first."""
    people.to_csv(tmp_path / "people.csv", index=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def names_of_readers(people):
    """What pages take for granted: points, protected values, labels, a model, people who come."""
    scaled = people[["age", "income"]].to_numpy(dtype=float)
    X = (scaled - scaled.mean(axis=0)) / scaled.std(axis=0)
    return {
        "X": X,
        "people": people,
        "sex": people["sex"].to_numpy(),
        "labels": people["cluster"].to_numpy(),
        "X_new": X[:3] + 0.01,
        "model": LikewiseClustering(3, similarity="local", random_state=0).fit(X),
        "LikewiseClustering": LikewiseClustering,
    }


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_block_is_code_that_is_run_or_marked_as_output(path):
    for language, _ in blocks(path):
        known = language in ("python", "sh", OUTPUT) or DIRECTIVE.match(language)
        assert known, f"a block of {language or 'nothing'!r}"


WITH_COMMANDS = [path for path in PAGES if any(True for _ in commands(path))]
WITH_PYTHON = [path for path in PAGES if any(kind == "python" for kind, _ in blocks(path))]


@pytest.mark.parametrize("path", WITH_COMMANDS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_commands(path, folder):
    for words in commands(path):
        program, *rest = words
        CHECKS[program](rest)


def runs_likewise(words):
    if words[0] in RUN and "--dask" not in words:
        done = run_main(*words)
        assert done.returncode == 0, done.stderr
    else:  # refused if there is no such command, argument or option
        typer.main.get_command(app).commands[words[0]].make_context(words[0], words[1:])


def is_a_target(words):
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = re.search(r"^\.PHONY: (.*)$", makefile, re.M)[1].split()
    assert words[0] in targets
    for setting in words[1:]:
        assert f"\n{setting.partition('=')[0]} ?= " in makefile


def installs_this(words):
    name = re.fullmatch(r"likewise(?:\[(.*)\])?", words[-1])
    extras = set((name[1] or "").split(",")) - {""}
    assert extras <= set(metadata("likewise").get_all("Provides-Extra"))


def is_a_module(words):
    assert words[0] == "-m"
    place = ROOT / words[1].replace(".", "/")
    assert place.with_suffix(".py").is_file() or (place / "__main__.py").is_file()


def is_installed_with(name):
    def check(_words):
        required = " ".join(metadata("likewise").get_all("Requires-Dist"))
        assert name in required

    return check


CHECKS = {
    "likewise": runs_likewise,
    "make": is_a_target,
    "pip": installs_this,
    "python": is_a_module,
    ".venv/bin/pre-commit": is_installed_with("pre-commit"),
}


@pytest.mark.parametrize("path", WITH_PYTHON, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_python(path, folder, people):
    prepare(path, folder)
    names = names_of_readers(people)
    for language, code in blocks(path):
        if language == "python":
            exec(compile(code, path.name, "exec"), names)


def prepare(path, folder):
    """Python beside commands reads what they have written."""
    if path.name in ("first-steps.md", "files.md"):
        fit = ["--features", "age,bmi,bp", "-k", "4", "--similarity", "local", "--out", "run"]
        assert run_main("demo", "--quiet").returncode == 0
        assert run_main("fit", "demo/patients.csv", *fit, "--quiet").returncode == 0


@pytest.mark.parametrize("name", likewise.__all__)
def test_every_public_name_has_an_example_that_is_run(name):
    """On a page, or in a docstring."""
    of_pages = [code for path in WITH_PYTHON for kind, code in blocks(path) if kind == "python"]
    sources = (ROOT / "src" / "likewise").rglob("*.py")
    of_docstrings = [
        line
        for path in sources
        for line in path.read_text(encoding="utf-8").splitlines()
        if line.strip().startswith((">>>", "..."))
    ]
    assert any(re.search(rf"\b{name}\b", each) for each in (*of_pages, *of_docstrings))
