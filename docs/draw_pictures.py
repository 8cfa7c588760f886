"""Draws the picture of the README from the gallery's script of the same name.

    python docs/draw_pictures.py

The site itself takes its pictures from the gallery as it is built.
"""

import runpy
from pathlib import Path

import matplotlib
import matplotlib.pyplot as plt

from likewise.experiments.figures import style

HERE = Path(__file__).parent
DRAWN = ("boundary_points",)


def main() -> None:
    matplotlib.use("Agg")
    plt.show = lambda: None
    for name in DRAWN:
        with style():
            runpy.run_path(str(HERE.parent / "examples" / f"{name}.py"))
            plt.savefig(HERE / "pictures" / f"{name}.svg", metadata={"Date": None})
            plt.close("all")


if __name__ == "__main__":
    main()
