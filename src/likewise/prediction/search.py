"""Whom a distribution is too far from: compiled, and most fitted points are never looked at.

The fitted points stand in boxes of a few. Of a box two things are known: the least probability that
anybody in it has at each centre, and a number that none of its bounds is below. So nobody in it can
be above the bound by more than sum_c max(x_c - lowest_c, 0) - least, and where that is less than
the worst excess that was found already, the box is passed over. In a box that is looked into, total
variation is worked out for everybody at once, and bounds only where they may be exceeded: that of a
point at distance d can be only if (variation * radius)^2 > d^2, which takes no root.
"""

from typing import NamedTuple

import numpy as np

from likewise._typing import Array
from likewise.compute.jit import compiled_strictly
from likewise.solvers.separation.boxes import BOX_SIZE, corners

ALWAYS_KEPT = 1.0  # no two distributions are farther apart in total variation


class Fitted(NamedTuple):
    """The fitted points' distributions, in the order of the boxes."""

    boxes: Array  # (boxes, k, BOX_SIZE); the last one is filled up with its last point
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
    """The bounds of one new point with all fitted ones: listed, or as quotients of distances."""

    least: Array  # (boxes,) none in the box is below it
    listed: Array  # (n,) infinite where not compared; empty where they are quotients
    squared: Array  # (n,) squared distances
    own: Array  # the new point's radius and reach
    mask: Array  # its groups
    quotients: Quotients


def in_boxes(distributions: Array) -> Fitted:
    """The fitted points in boxes, in the order in which they are."""
    n_boxes = -(-len(distributions) // BOX_SIZE)
    places = np.minimum(np.arange(n_boxes * BOX_SIZE), len(distributions) - 1)
    boxes = distributions[places].reshape(n_boxes, BOX_SIZE, -1).transpose(0, 2, 1)
    return Fitted(np.ascontiguousarray(boxes), np.ascontiguousarray(corners(distributions)[:, 0]))


NO_QUOTIENTS = Quotients(np.empty(0), np.empty(0), np.empty((0, 0), np.uint64), 1.0, np.inf)


@compiled_strictly
def listed_bounds(listed, nothing):
    """Bounds that are all known."""
    least = np.empty(-(-len(listed) // BOX_SIZE))
    for box in range(len(least)):
        least[box] = listed[box * BOX_SIZE : (box + 1) * BOX_SIZE].min()
    none, nobody = np.empty(0), np.empty(0, dtype=np.uint64)
    return Bounds(least, listed, none, none, nobody, nothing)


@compiled_strictly
def share_a_bit(mask, other):
    """Whether two points are compared."""
    shared = False
    for word in range(len(mask)):
        shared |= (mask[word] & other[word]) != 0
    return shared


@compiled_strictly
def bound_of(i, bounds):
    """The bound of the fitted point i; infinite where it is not compared."""
    if len(bounds.listed) > 0:
        return bounds.listed[i]
    radius, reach, masks, scale, cap = bounds.quotients
    d = np.sqrt(bounds.squared[i])
    widest = -1.0  # the smaller bound is that of the larger radius
    if d <= bounds.own[1]:
        widest = bounds.own[0]
    if d <= reach[i]:
        widest = max(widest, radius[i])
    if widest < 0.0 or not share_a_bit(bounds.mask, masks[i]):
        return np.inf
    if d == 0.0:
        return 0.0
    return scale * (min(cap, d / widest) if widest > 0.0 else cap)


@compiled_strictly
def farthest_above(x, k, lowest, least, factor, out):
    """For each box what no excess in it is above."""
    for box in range(len(least)):
        above = -factor * least[box]
        for c in range(k):
            above += max(x[c] - lowest[box, c], 0.0)
        out[box] = above if least[box] < ALWAYS_KEPT else -np.inf


@compiled_strictly
def variations(x, k, box, out):
    """Total variation of x with everybody in a box."""
    out[:] = 0.0
    for c in range(k):
        of_x = x[c]
        of_box = box[c]
        for j in range(BOX_SIZE):
            out[j] += max(of_x - of_box[j], 0.0)


@compiled_strictly
def may_exceed(box, apart, above, bounds, found):
    """How many in a box may have a bound below their variation less ``above``, as far as that can
    be told at once; their places are written into ``found``.
    """
    listed, squared, radius = bounds.listed, bounds.squared, bounds.quotients.radius
    scale, cap, own = bounds.quotients.scale, bounds.quotients.cap, 0.0
    first, count = box * BOX_SIZE, 0
    if len(listed) > 0:
        for j in range(min(BOX_SIZE, len(listed) - first)):
            if apart[j] - above > listed[first + j]:
                found[count] = first + j
                count += 1
        return count
    own = bounds.own[0]
    for j in range(min(BOX_SIZE, len(squared) - first)):
        exceeds = apart[j] - above
        reached = exceeds * max(own, radius[first + j])
        is_far = squared[first + j] * scale * scale >= reached * reached
        if exceeds > 0.0 and not (is_far and scale * cap >= exceeds):
            found[count] = first + j
            count += 1
    return count


@compiled_strictly
def worst_excess(x, k, fitted, bounds, factor, worst):
    """(the worst excess that is above ``worst``, whose it is); -1 where there is none.

    The box that could hold the worst of all comes first: most others cannot hold a worse one then.
    """
    n_boxes, at, apart = len(bounds.least), -1, np.empty(BOX_SIZE)
    found = np.empty(BOX_SIZE, dtype=np.int64)
    most, first = np.empty(n_boxes), 0
    farthest_above(x, k, fitted.lowest, bounds.least, factor, most)
    first = np.argmax(most)
    for place in range(-1, n_boxes):
        box = first if place < 0 else place
        if most[box] <= worst or place == first:
            continue
        variations(x, k, fitted.boxes[box], apart)
        # bounds are multiplied by the factor: what is above them is above them without it
        for which in range(may_exceed(box, apart, worst, bounds, found)):
            i = found[which]
            bound, here = bound_of(i, bounds), apart[i - box * BOX_SIZE]
            if bound < ALWAYS_KEPT and here - factor * bound > worst:
                worst, at = here - factor * bound, i
    return worst, at


@compiled_strictly
def factor_needed(x, fitted, bounds, kept):
    """By what the bounds that x exceeds by more than ``kept`` would have to be multiplied; 1 where
    it exceeds none.
    """
    k, factor, apart = len(x), 1.0, np.empty(BOX_SIZE)
    most, found = np.empty(len(bounds.least)), np.empty(BOX_SIZE, dtype=np.int64)
    farthest_above(x, k, fitted.lowest, bounds.least, 1.0, most)
    for box in range(len(most)):
        if most[box] <= kept:
            continue
        variations(x, k, fitted.boxes[box], apart)
        for which in range(may_exceed(box, apart, kept, bounds, found)):
            i = found[which]
            bound, here = bound_of(i, bounds), apart[i - box * BOX_SIZE]
            if here > bound + kept:
                factor = max(factor, here / bound if bound > 0.0 else np.inf)
    return factor
