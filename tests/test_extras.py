"""What only some need: the library does without it, and says what to install where it is wanted."""

import os
import re
import subprocess
import sys
from importlib.metadata import packages_distributions, requires

import numpy as np
import pytest
from support.commands import run_main, said

import likewise
from likewise.cli import errors as failures
from likewise.errors import EXTRAS, MissingExtra, require_extra

# a process in which no extra is installed, as far as it can tell
WITHOUT = """
import importlib.machinery, sys

class WithoutExtras:
    @staticmethod
    def find_spec(name, *where):
        hidden = name.partition(".")[0] in {names!r}
        return None if hidden else importlib.machinery.PathFinder.find_spec(name, *where)

sys.meta_path = [WithoutExtras if each is importlib.machinery.PathFinder else each
                 for each in sys.meta_path]
"""
OPTIONAL = sorted({name for names in EXTRAS.values() for name in names})
POINTS = np.array([[0.0], [1.0], [2.0], [9.0], [10.0]])


@pytest.fixture
def hidden(monkeypatch):
    """Hides packages: an import of them fails as if they had never been installed."""

    def hide(*names):
        for name in names:
            monkeypatch.setitem(sys.modules, name, None)

    return hide


def without_extras(code):
    """How the code ends where none of the extras is there."""
    return subprocess.run(
        [sys.executable, "-c", WITHOUT.format(names=OPTIONAL) + code],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONWARNINGS": "error"},
    )


def test_extras_are_those_of_the_package():
    """``EXTRAS`` has what ``pyproject.toml`` declares, by the names that are imported."""
    imported = {}
    for name, distributions in packages_distributions().items():
        for distribution in distributions:
            imported.setdefault(distribution.lower(), set()).add(name)
    declared = {extra: set() for extra in EXTRAS}
    for line in requires("likewise"):
        found = re.fullmatch(r"([\w-]+)(\[.*\])?[^;]*; extra == ['\"](\w+)['\"]", line)
        if found and found[3] in EXTRAS and found[1] != "likewise":
            declared[found[3]] |= imported[found[1].lower()]
            if found[1] == "dask":  # dask[distributed]
                declared[found[3]] |= imported["distributed"]
    for extra, names in EXTRAS.items():
        assert set(names) <= declared[extra], extra


def test_the_library_alone_fits_certifies_and_predicts():
    done = without_extras(
        "from likewise import *\n"
        "import numpy as np\n"
        "X = np.arange(12.0)[:, None] ** 1.2\n"
        "model = LikewiseClustering(2, centers=[2, 9]).fit(X)\n"
        "print(model.certificate_.is_fair, model.predict_proba(X[:3] + 0.1).shape)\n"
        "print(model.sample(2).shape, lower_bound(X, n_clusters=2).objective <= model.objective_)\n"
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["True", "(3,", "2)", "(2,", "12)", "True"]


def test_public_rooms_can_be_imported_without_extras():
    rooms = list(likewise._ROOMS)
    done = without_extras(
        f"import likewise\nfor room in {rooms}: print(getattr(likewise, room).__name__)"
    )
    assert done.stdout.split() == [f"likewise.{room}" for room in rooms], done.stderr


@pytest.mark.parametrize(
    "start",
    [
        "from likewise.cli import main; main()",
        "import runpy; runpy.run_module('likewise', run_name='__main__')",
    ],
)
def test_the_command_line_says_what_to_install(start):
    done = without_extras(start)
    assert done.returncode == failures.INPUT
    assert done.stderr == (
        "error: likewise: this needs jinja2, polars, rich and typer, which are not installed."
        " Install with: pip install 'likewise[cli]'\n"
    )


def test_a_command_on_a_cluster_says_what_to_install(hidden, tmp_path):
    from support.commands import parquet_folder

    folder = parquet_folder(tmp_path / "data")
    hidden("distributed")
    done = run_main("hard", folder, "-k", "2", "--out", tmp_path / "out")
    assert done.returncode == failures.INPUT
    assert "--dask: this needs distributed, which is not installed" in said(done)
    assert "pip install 'likewise[dask]'" in said(done)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("package", "extra", "use"),
    [
        ("ot", "transport", lambda: likewise.metrics.earth_movers_distance(POINTS, list("aabba"))),
        ("pooch", "datasets", lambda: likewise.datasets.load_bank()),
        ("matplotlib", "plots", lambda: likewise.experiments.reproduce("nowhere")),
        ("dask", "dask", lambda: likewise.cluster_blocks("nowhere", 2)),
        ("distributed", "dask",
         lambda: likewise.LikewiseClustering(2, engine="dask").fit(POINTS)),
    ],
)  # fmt: skip
def test_what_needs_an_extra_says_which(hidden, package, extra, use):
    hidden(package)
    with pytest.raises(MissingExtra, match=rf"needs {package}, .*'likewise\[{extra}\]'"):
        use()


def test_several_packages_are_named_together(hidden):
    require_extra("cli", "a command")
    hidden("rich", "typer")
    with pytest.raises(MissingExtra, match="a command: this needs rich and typer, which are not"):
        require_extra("cli", "a command")


def test_run_as_a_module():
    done = subprocess.run(
        [sys.executable, "-m", "likewise", "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout == f"likewise {likewise.__version__}\n"
