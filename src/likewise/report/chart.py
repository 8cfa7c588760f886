"""The chart of what fairness costs: places on a sheet of 640 x 280."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from likewise.frontier import FrontierPoint

LEFT, WIDTH = 70, 540  # the axis across, from the first scale to the last
BOTTOM, HEIGHT = 220, 180  # the axis up, from a price of 1 to the largest


@dataclass(frozen=True)
class Mark:
    """A point of the frontier on the chart."""

    x: float
    y: float
    scale: str
    price: float
    asked: bool  # bounds as they were asked for


@dataclass(frozen=True)
class Chart:
    """Marks, and the line through them."""

    marks: list[Mark]
    line: str
    top: float


def frontier_chart(points: Sequence[FrontierPoint]) -> Chart:
    """Even steps across: scales grow by factors. Up: cost over that of hard clustering."""
    top = max(point.price for point in points)
    step = WIDTH / max(len(points) - 1, 1)
    marks = [
        Mark(
            x=LEFT + step * number,
            y=BOTTOM - HEIGHT * (point.price - 1) / max(top - 1, 1e-9),
            scale="none" if np.isinf(point.scale) else f"{point.scale:g}",
            price=point.price,
            asked=point.scale == 1.0,
        )
        for number, point in enumerate(points)
    ]
    return Chart(marks, " ".join(f"{mark.x:.1f},{mark.y:.1f}" for mark in marks), top)
