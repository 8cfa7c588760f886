"""How scans over every pair compare two boxes of points: compiled, by type.

No pair of points of two boxes is above its bound if none could be that lies anywhere in them.
"""

from typing import NamedTuple

import numpy as np
from numba.extending import overload

from likewise._typing import Array
from likewise.divergences.formulas import term
from likewise.geometry.measures import distance_of, sum_between, sum_of
from likewise.solvers.separation.comparisons import INLINED, bound_of, is_total_variation

ROUNDING = 1.0 + 1e-12  # room for it


class Boxes(NamedTuple):
    """Boxes round every ``size`` points: their (lowest, highest) corners, and the largest radius of
    the points in each.
    """

    size: int
    first: int  # the number of the first of them, among all boxes
    of_all: int  # how many boxes there are
    x: Array  # (boxes, 2, k)
    X: Array  # (boxes, 2, d)
    radius: Array


def is_out_of_reach(way, boxes, r, others, s):
    """Whether no pair of points of two boxes can be above its bound: see ``boxes``."""


@overload(is_out_of_reach, jit_options=INLINED)
def _is_out_of_reach(way, boxes, r, others, s):
    return _is_out_of_reach_tv if is_total_variation(way) else _is_out_of_reach_by_corners


def _is_out_of_reach_tv(way, boxes, r, others, s):
    value = 0.0
    for c in range(boxes.x.shape[2]):
        up = others.x[s, 1, c] - boxes.x[r, 0, c]
        value += max(up, boxes.x[r, 1, c] - others.x[s, 0, c])
    reach = max(boxes.radius[r], others.radius[s])
    limit = sum_of(way.measure, 0.5 * value * reach * ROUNDING)
    is_far = sum_between(way.measure, boxes.X, r, others.X, s, limit) >= limit
    return is_far and 0.5 * value * ROUNDING <= way.largest_bound


def _is_out_of_reach_by_corners(way, boxes, r, others, s):
    """A term is convex: in a rectangle of (p, q) it is largest at a corner, and of these where p
    and q are furthest apart.
    """
    there, back = 0.0, 0.0
    for c in range(boxes.x.shape[2]):
        low, high = max(boxes.x[r, 0, c], 0.0), max(boxes.x[r, 1, c], 0.0)
        lower, higher = max(others.x[s, 0, c], 0.0), max(others.x[s, 1, c], 0.0)
        there += max(term(way.generator, high, lower), term(way.generator, low, higher))
        if not way.symmetric:
            back += max(term(way.generator, lower, high), term(way.generator, higher, low))
    total = sum_between(way.measure, boxes.X, r, others.X, s, np.inf)
    distance = distance_of(way.measure, total) / ROUNDING
    ours, theirs = boxes.radius[r], others.radius[s]
    if way.symmetric:
        return there * ROUNDING <= bound_of(distance, max(ours, theirs), way.largest_bound)
    return there * ROUNDING <= bound_of(
        distance, ours, way.largest_bound
    ) and back * ROUNDING <= bound_of(distance, theirs, way.largest_bound)
