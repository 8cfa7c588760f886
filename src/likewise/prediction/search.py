"""Whom a distribution is too far from: compiled, and most fitted points are never looked at.

The fitted points stand in boxes of a few. Of a box two things are known: the least probability that
anybody in it has at each centre, and a number that none of its bounds is below. So nobody in it can
be above the bound by more than sum_c max(x_c - lowest_c, 0) - least, and where that is less than
the worst excess that was found already, the box is passed over. Bounds themselves are worked out
when a box is looked into for the first time.
"""

from typing import NamedTuple

import numpy as np

from likewise._typing import Array
from likewise.compute.jit import compiled_strictly
from likewise.solvers.separation.boxes import BOX_SIZE, corners

ALWAYS_KEPT = 1.0  # no two distributions are farther apart in total variation


class Fitted(NamedTuple):
    """The fitted points' distributions, in the order of the boxes."""

    distributions: Array  # (n, k)
    lowest: Array  # (boxes, k): the least probability in the box


class Quotients(NamedTuple):
    """How bounds follow from distances, scale * min(cap, d / radius), and who is compared.

    The smaller of the two orders' bounds counts: that of the new point's radius where the fitted
    one is within the new point's reach, that of the fitted one's where it is within that one's.
    """

    radius: Array  # (n,) of the fitted points
    reach: Array  # (n,) how far away others may be to be compared with
    masks: Array  # (n, words) two points are compared where their bits have one in common
    scale: float
    cap: float


class Bounds(NamedTuple):
    """The bounds of one new point with all fitted ones."""

    value: Array  # (n,) those of boxes that were looked into; infinite where not compared
    least: Array  # (boxes,) none in the box is below it
    known: Array  # (boxes,) whether the box was looked into
    squared: Array  # (n,) squared distances
    own: Array  # the new point's radius and reach
    mask: Array  # its groups
    quotients: Quotients


def in_boxes(distributions: Array) -> Fitted:
    """The fitted points in boxes, in the order in which they are."""
    lowest = np.ascontiguousarray(corners(distributions)[:, 0])
    return Fitted(np.ascontiguousarray(distributions), lowest)


NO_QUOTIENTS = Quotients(np.empty(0), np.empty(0), np.empty((0, 0), np.uint64), 1.0, np.inf)


@compiled_strictly
def listed_bounds(value, nothing):
    """Bounds that are all known."""
    n_boxes = -(-len(value) // BOX_SIZE)
    least, known = np.empty(n_boxes), np.ones(n_boxes, dtype=np.bool_)
    for box in range(n_boxes):
        least[box] = value[box * BOX_SIZE : (box + 1) * BOX_SIZE].min()
    none, nobody = np.empty(0), np.empty(0, dtype=np.uint64)
    return Bounds(value, least, known, none, none, nobody, nothing)


@compiled_strictly
def share_a_bit(mask, other):
    """Whether two points are compared."""
    for word in range(len(mask)):
        if mask[word] & other[word]:
            return True
    return False


@compiled_strictly
def look_into(box, bounds):
    """Work out the bounds of a box."""
    radius, reach, masks, scale, cap = bounds.quotients
    own_radius, own_reach = bounds.own[0], bounds.own[1]
    for i in range(box * BOX_SIZE, min((box + 1) * BOX_SIZE, len(radius))):
        d = np.sqrt(bounds.squared[i])
        widest = -1.0  # the smaller bound is that of the larger radius
        if d <= own_reach:
            widest = own_radius
        if d <= reach[i]:
            widest = max(widest, radius[i])
        if widest < 0.0 or not share_a_bit(bounds.mask, masks[i]):
            bounds.value[i] = np.inf
        elif d == 0.0:
            bounds.value[i] = 0.0
        else:
            bounds.value[i] = scale * (min(cap, d / widest) if widest > 0.0 else cap)
    bounds.known[box] = True


@compiled_strictly
def farthest_above(x, k, lowest, least, factor):
    """No excess in the box is above this."""
    above = -factor * least
    for c in range(k):
        if x[c] > lowest[c]:
            above += x[c] - lowest[c]
    return above


@compiled_strictly
def excess_of(x, k, other, bound, factor):
    """By how much total variation is above the bound."""
    above = -factor * bound
    for c in range(k):
        if x[c] > other[c]:
            above += x[c] - other[c]
    return above


@compiled_strictly
def worst_in_box(x, k, box, fitted, bounds, factor):
    """(the worst excess in a box, whose it is)."""
    if not bounds.known[box]:
        look_into(box, bounds)
    worst, at = -np.inf, -1
    for i in range(box * BOX_SIZE, min((box + 1) * BOX_SIZE, len(bounds.value))):
        if bounds.value[i] < ALWAYS_KEPT:
            excess = excess_of(x, k, fitted.distributions[i], bounds.value[i], factor)
            if excess > worst:
                worst, at = excess, i
    return worst, at


@compiled_strictly
def worst_excess(x, k, fitted, bounds, factor, worst):
    """(the worst excess that is above ``worst``, whose it is); -1 where there is none.

    The box that could hold the worst of all comes first: most others cannot hold a worse one then.
    """
    n_boxes, at = len(bounds.least), -1
    most, first = np.empty(n_boxes), 0
    for box in range(n_boxes):
        most[box] = -np.inf
        if bounds.least[box] < ALWAYS_KEPT:
            most[box] = farthest_above(x, k, fitted.lowest[box], bounds.least[box], factor)
        if most[box] > most[first]:
            first = box
    for place in range(-1, n_boxes):
        box = first if place < 0 else place
        if most[box] > worst and not (place == first):
            excess, whose = worst_in_box(x, k, box, fitted, bounds, factor)
            if excess > worst:
                worst, at = excess, whose
    return worst, at


@compiled_strictly
def factor_needed(x, fitted, bounds, kept):
    """By what the bounds that x exceeds by more than ``kept`` would have to be multiplied; 1 where
    it exceeds none.
    """
    k, factor = len(x), 1.0
    for box in range(len(bounds.least)):
        if farthest_above(x, k, fitted.lowest[box], bounds.least[box], 1.0) > kept:
            if not bounds.known[box]:
                look_into(box, bounds)
            for i in range(box * BOX_SIZE, min((box + 1) * BOX_SIZE, len(bounds.value))):
                excess = excess_of(x, k, fitted.distributions[i], bounds.value[i], 1.0)
                if excess > kept:
                    bound = bounds.value[i]
                    ratio = (excess + bound) / bound if bound > 0.0 else np.inf
                    factor = max(factor, ratio)
    return factor
