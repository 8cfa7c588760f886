"""Draws the pictures of README and pages: by the gallery's script of the same name, or `diagrams`.

    python docs/draw_pictures.py

The site itself takes its other pictures from the gallery as it is built.
"""

import runpy
from pathlib import Path

import matplotlib
import matplotlib.pyplot as plt
from diagrams import DIAGRAMS

from likewise.experiments.figures import style

HERE = Path(__file__).parent
DRAWN = ("boundary_points",)


def main() -> None:
    matplotlib.use("Agg")
    plt.show = lambda: None
    for name in DRAWN:
        with style():
            runpy.run_path(str(HERE.parent / "examples" / f"{name}.py"))
            _save(name)
    for draw in DIAGRAMS:
        with style():
            draw()
            _save(draw.__name__)


def _save(name: str) -> None:
    plt.savefig(HERE / "pictures" / f"{name}.svg", metadata={"Date": None})
    plt.close("all")


if __name__ == "__main__":
    main()
