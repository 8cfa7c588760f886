"""Pictures on the pages: drawn by code that runs, shown somewhere, and said in words."""

import re
import runpy
from pathlib import Path

import matplotlib
import matplotlib.pyplot as plt
import pytest

from likewise.experiments.figures import style

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
DIAGRAMS = runpy.run_path(str(DOCS / "diagrams.py"))["DIAGRAMS"]
OF_OTHERS = {"boundary_points", "rooms"}  # from the gallery, and draw_rooms.py
SHOWN = re.compile(
    r"!\[(?P<text>[^\]]+)\]\((?P<path>[^)]*pictures/[^)]*)\)"
    r"|```\{image\} (?P<other>\S*pictures/\S*)\n:alt: (?P<alt>.+)\n"
)


def shown():
    """The names of all pictures on the pages that have a text."""
    for page in (ROOT / "README.md", *sorted(DOCS.rglob("*.md"))):
        for each in SHOWN.finditer(page.read_text(encoding="utf-8")):
            place = page.parent / (each["path"] or each["other"])
            assert place.is_file(), f"{page.name}: there is no {place.name}"
            yield place.stem


def test_every_picture_is_drawn_by_code_and_shown_with_a_text():
    there = {path.stem for path in (DOCS / "pictures").iterdir()}
    assert there == {draw.__name__ for draw in DIAGRAMS} | OF_OTHERS
    assert there == set(shown())


@pytest.mark.parametrize("draw", DIAGRAMS, ids=lambda draw: draw.__name__)
def test_diagram(draw):
    matplotlib.use("Agg")
    with style():
        figure = draw()
        figure.draw_without_rendering()
        assert any(axis.get_title() for axis in figure.axes)
        plt.close(figure)
