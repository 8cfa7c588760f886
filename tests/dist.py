"""Whether the packages in ``dist`` work where nothing else is.

    python -m build && python -m tests.dist [--tag v0.2.0] [--tests tests/cli ...]

The source package builds the same wheel as the source tree, to the byte. The wheel alone, in an
environment of its own, fits, certifies and predicts, and brings none of the extras. With ``[cli]``
the demo runs. With ``[test]`` the quick tests pass, as they stand in the source package.
"""

import argparse
import subprocess
import sys
import tarfile
import tempfile
import venv
from pathlib import Path

import likewise

ROOT = Path(__file__).resolve().parents[1]
DIST = ROOT / "dist"
OPTIONAL = ("dask", "jinja2", "matplotlib", "ot", "polars", "pooch", "pyarrow", "rich", "typer")
ALONE = f"""
import importlib.util
import numpy as np
from likewise import *
there = [name for name in {OPTIONAL!r} if importlib.util.find_spec(name)]
assert there == [], there
X = np.random.default_rng(0).normal(size=(60, 2))
model = LikewiseClustering(3, random_state=0).fit(X)
assert model.certificate_.is_fair and model.gap_ <= 1e-4
assert np.allclose(model.predict_proba(X[:5]), model.distributions_[:5])
print(model.certificate_)
"""


def main() -> None:
    """Look at the packages one after the other; the first thing that is wrong ends it."""
    parser = argparse.ArgumentParser(description=__doc__, usage="python -m tests.dist")
    parser.add_argument("--tag")
    parser.add_argument("--tests", nargs="+", default=["tests"])
    chosen = parser.parse_args()
    (wheel,), (source,) = DIST.glob("*.whl"), DIST.glob("*.tar.gz")
    if chosen.tag:
        assert chosen.tag == f"v{likewise.__version__}", f"this is {likewise.__version__}"
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        same_wheel_from_the_tree(wheel, place / "wheel")
        python = new_environment(place / "env")
        install(python, str(wheel))
        run(python, "-W", "error", "-c", ALONE, cwd=place)
        said(f"{wheel.name} alone fits, certifies and predicts")
        install(python, f"{wheel}[cli]")
        run(python, "-m", "likewise", "demo", "--out", "demo", "--quiet", cwd=place)
        page = place / "demo" / "report.html"
        assert page.stat().st_size > 10_000
        said(f"with [cli] the demo writes a report of {page.stat().st_size:,} bytes")
        install(python, f"{wheel}[test]")
        with tarfile.open(source) as archive:
            archive.extractall(place, filter="data")
        unpacked = place / source.name.removesuffix(".tar.gz")
        run(python, "-m", "pytest", "-q", "-n", "auto", *chosen.tests, cwd=unpacked)
        said(f"the tests of {source.name} pass with the wheel")


def same_wheel_from_the_tree(wheel: Path, out: Path) -> None:
    """``python -m build`` makes the wheel from the source package; this one is from the tree."""
    run(sys.executable, "-m", "build", "--wheel", "--outdir", str(out), str(ROOT), quiet=True)
    (other,) = out.glob("*.whl")
    assert other.read_bytes() == wheel.read_bytes(), "the source package builds another wheel"
    said("the source package builds the same wheel as the tree")


def new_environment(place: Path) -> str:
    """An empty environment; its Python."""
    venv.create(place, with_pip=True)
    return str(place / ("Scripts" if sys.platform == "win32" else "bin") / "python")


def install(python: str, what: str) -> None:
    run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", what)


def run(*command: str, cwd: Path | None = None, quiet: bool = False) -> None:
    """A command that has to succeed."""
    subprocess.run(command, cwd=cwd, check=True, stdout=subprocess.DEVNULL if quiet else None)


def said(sentence: str) -> None:
    print(f"-- {sentence}", flush=True)


if __name__ == "__main__":
    main()
