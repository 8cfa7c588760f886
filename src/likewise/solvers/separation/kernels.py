"""Compiled loops that look for pairs above their bounds among all pairs, for total variation."""

from typing import NamedTuple

import numpy as np

from likewise._typing import Array
from likewise.compute.jit import compiled


class TreatedPoints(NamedTuple):
    """Points, and how they are treated."""

    x: Array  # distributions
    X: Array  # coordinates
    radius: Array
    masks: Array  # only points that share a bit are compared
    name: Array


class Boxes(NamedTuple):
    """Boxes round every ``size`` points: their (lowest, highest) corners, and the largest radius of
    the points in each.
    """

    size: int
    x: Array  # (boxes, 2, k)
    X: Array  # (boxes, 2, d)
    radius: Array


class Worst(NamedTuple):
    """The worst pairs so far, largest key first: of all points, or a row of one of them."""

    name: Array  # of the other point
    bound: Array
    key: Array


@compiled
def divergence_between(x, i, y, j):
    """TV of row i of x and row j of y."""
    total = 0.0
    for c in range(x.shape[1]):
        total += abs(x[i, c] - y[j, c])
    return 0.5 * total


@compiled
def share_a_bit(masks, i, others, j):
    """Whether two rows have a bit in common; they count as having one without any bits."""
    words = masks.shape[1]
    for word in range(words):
        if masks[i, word] & others[j, word]:
            return True
    return words == 0


@compiled
def is_out_of_reach(x, X, i, box_x, box_X, box, reach):
    """Whether no point of a box can be above its bound with the point i: see ``boxes``."""
    value = 0.0
    for c in range(x.shape[1]):
        value += max(abs(x[i, c] - box_x[box, 0, c]), abs(x[i, c] - box_x[box, 1, c]))
    limit = 0.5 * value * reach * (1.0 + 1e-12)  # room for rounding
    limit *= limit
    total = 0.0
    for c in range(X.shape[1]):
        step = max(box_X[box, 0, c] - X[i, c], X[i, c] - box_X[box, 1, c], 0.0)
        total += step * step
        if total >= limit:
            return True
    return total >= limit


@compiled
def keep_worst(kept, count, key, name, bound):
    """Keep a pair among those of the largest keys, largest first; how many there are now."""
    most = len(kept.key)
    if count == most and key <= kept.key[most - 1]:
        return count
    place = count if count < most else most - 1
    while place > 0 and kept.key[place - 1] < key:
        kept.key[place] = kept.key[place - 1]
        kept.name[place] = kept.name[place - 1]
        kept.bound[place] = kept.bound[place - 1]
        place -= 1
    kept.key[place] = key
    kept.name[place] = name
    kept.bound[place] = bound
    return min(count + 1, most)


@compiled
def every_above(lo, hi, points, others, boxes, worst, counts, split):
    """For each point lo..hi its worst other points of later names with TV > d / max(radius).

    Names are in no order that has to do with places: each pair belongs to the one or the other of
    its points by chance, so that everybody gets some.

    Only points that share a bit of their masks are compared. At most as many pairs per point as
    ``worst`` has columns: the first ``split`` by TV - bound, the others by 1 - bound / TV, which is
    what pairs of tiny bounds are large in; ``counts`` has how many there are of each kind.
    Boxes of other points that are out of reach are passed over (``counts`` has how many are not),
    and distances are only computed as far as is needed to see that the pair is within its bound.
    Returns the largest 1 - bound / TV.
    """
    # taken apart here: numba counts references at each access to a field
    x, X, radius, masks, name = points
    other_x, other_X, other_radius, other_masks, other_name = others
    size, box_x, box_X, box_radius = boxes
    n, d = other_X.shape
    weight = 0.0
    for i in range(lo, hi):
        by_excess = Worst(worst.name[i, :split], worst.bound[i, :split], worst.key[i, :split])
        by_part = Worst(worst.name[i, split:], worst.bound[i, split:], worst.key[i, split:])
        first, second, opened = 0, 0, 0
        for box in range(len(box_x)):
            reach = max(radius[i], box_radius[box])
            if is_out_of_reach(x, X, i, box_x, box_X, box, reach):
                continue
            opened += 1
            for j in range(box * size, min((box + 1) * size, n)):
                if other_name[j] <= name[i] or not share_a_bit(masks, i, other_masks, j):
                    continue
                value = divergence_between(x, i, other_x, j)
                reach = max(radius[i], other_radius[j])
                limit = value * reach
                limit *= limit
                total = 0.0
                for c in range(d):
                    step = X[i, c] - other_X[j, c]
                    total += step * step
                    if total >= limit:
                        break
                if total >= limit:
                    continue
                bound = np.sqrt(total) / reach
                needed = 1.0 - bound / value if value > bound else 0.0
                weight = max(weight, needed)
                first = keep_worst(by_excess, first, value - bound, other_name[j], bound)
                second = keep_worst(by_part, second, needed, other_name[j], bound)
        counts[i, 0] = first
        counts[i, 1] = second
        counts[i, 2] = opened
    return weight
