"""People far from everybody else, who may set the scale for all."""

import numpy as np

from likewise._typing import Array

FAR = 4.0  # times the distance within which nine of ten are
MOST = 3  # that are named


def far_from_everybody(from_the_middle: Array) -> tuple[int, ...]:
    """The rows that are very much farther from a row in the middle than nine of ten others, the
    farthest first; a few of them.
    """
    ordinary = float(np.quantile(from_the_middle, 0.9))
    farthest = np.argsort(-from_the_middle, kind="stable")[:MOST]
    return tuple(int(row) for row in farthest if from_the_middle[row] > FAR * ordinary > 0)
