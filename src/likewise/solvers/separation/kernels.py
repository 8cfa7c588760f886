"""Compiled loops that look for pairs above their bounds among all pairs, for total variation.

Points stand in an order in which neighbours are together, in boxes of a few (``boxes``), one column
each: the pairs of a point with a run of others are computed several at a time.
"""

from typing import NamedTuple

import numpy as np

from likewise._typing import Array
from likewise.compute.jit import compiled

TOGETHER = 512  # others at a time: what is read of them stays in the nearest memory


class TreatedPoints(NamedTuple):
    """Points, one column each, and how they are treated."""

    x: Array  # (k, n) distributions
    X: Array  # (d, n) coordinates
    radius: Array
    masks: Array  # (n, words) only points that share a bit are compared
    name: Array


class Boxes(NamedTuple):
    """Boxes round every ``size`` points: their (lowest, highest) corners, and the largest radius of
    the points in each.
    """

    size: int
    first: int  # the number of the first of them, among all boxes
    x: Array  # (boxes, 2, k)
    X: Array  # (boxes, 2, d)
    radius: Array


class Room(NamedTuple):
    """Room for what is computed of a point and a run of others."""

    squared: Array  # distances
    apart: Array  # twice the total variations


class Kept(NamedTuple):
    """The worst pairs of one point so far, largest key first."""

    name: Array  # of the other point
    bound: Array
    key: Array


class Worst(NamedTuple):
    """The same of all points, a row each: the first ``split`` by TV - bound, the others by
    1 - bound / TV, which is what pairs of tiny bounds are large in.
    """

    name: Array
    bound: Array
    key: Array
    counts: Array  # how many there are of each kind, and how many others were looked at
    split: int


@compiled
def share_a_bit(masks, i, others, j):
    """Whether two rows have a bit in common; they count as having one without any bits."""
    words = masks.shape[1]
    for word in range(words):
        if masks[i, word] & others[j, word]:
            return True
    return words == 0


@compiled
def belongs(first, second, n_boxes):
    """Whether the pairs of two boxes belong to the first: those of half of all boxes do, the next
    ones in a circle, so that everybody has as many.
    """
    ahead = (second - first) % n_boxes
    return 2 * ahead < n_boxes or (2 * ahead == n_boxes and first < second)


@compiled
def is_out_of_reach(boxes, r, others, s):
    """Whether no pair of points of two boxes can be above its bound: see ``boxes``."""
    value = 0.0
    for c in range(boxes.x.shape[2]):
        up = others.x[s, 1, c] - boxes.x[r, 0, c]
        value += max(up, boxes.x[r, 1, c] - others.x[s, 0, c])
    reach = max(boxes.radius[r], others.radius[s])
    limit = 0.5 * value * reach * (1.0 + 1e-12)  # room for rounding
    limit *= limit
    total = 0.0
    for c in range(boxes.X.shape[2]):
        step = max(others.X[s, 0, c] - boxes.X[r, 1, c], boxes.X[r, 0, c] - others.X[s, 1, c], 0.0)
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
def compare(points, i, others, begin, stop, room):
    """Write the point i and others begin..stop compared into the room."""
    squared, apart = room
    m = stop - begin
    squared[:m] = 0.0
    apart[:m] = 0.0
    for c in range(points.X.shape[0]):
        column, own = others.X[c, begin:stop], points.X[c, i]
        for t in range(m):
            step = column[t] - own
            squared[t] += step * step
    for c in range(points.x.shape[0]):
        column, own = others.x[c, begin:stop], points.x[c, i]
        for t in range(m):
            apart[t] += abs(column[t] - own)


@compiled
def take_above(points, i, others, begin, stop, room, worst):
    """Keep the worst pairs of the point i with the others begin..stop, which ``room`` has compared;
    the largest 1 - bound / TV of them.
    """
    squared, apart = room
    counts, split = worst.counts, worst.split
    own, weight = points.radius[i], 0.0
    first, second = counts[i, 0], counts[i, 1]
    by_excess = Kept(worst.name[i, :split], worst.bound[i, :split], worst.key[i, :split])
    by_part = Kept(worst.name[i, split:], worst.bound[i, split:], worst.key[i, split:])
    for t in range(stop - begin):
        j = begin + t
        value, reach = 0.5 * apart[t], max(own, others.radius[j])
        limit = value * reach
        if squared[t] >= limit * limit or not share_a_bit(points.masks, i, others.masks, j):
            continue
        bound = np.sqrt(squared[t]) / reach
        needed = 1.0 - bound / value if value > bound else 0.0
        weight = max(weight, needed)
        first = keep_worst(by_excess, first, value - bound, others.name[j], bound)
        second = keep_worst(by_part, second, needed, others.name[j], bound)
    counts[i, 0] = first
    counts[i, 1] = second
    counts[i, 2] += stop - begin
    return weight


@compiled
def look_at(points, rows, others, start, stop, room, worst):
    """Compare points with the others start..stop, and keep the worst pairs; the largest
    1 - bound / TV of them. The others may be the points themselves: then each with the later ones.
    """
    within = points.name[rows.start] == others.name[start]
    weight = 0.0
    for i in rows:
        begin = start + i - rows.start + 1 if within else start
        if begin < stop:
            compare(points, i, others, begin, stop, room)
            weight = max(weight, take_above(points, i, others, begin, stop, room, worst))
    return weight


@compiled
def every_above(lo, hi, points, others, boxes, other_boxes, n_boxes, worst):
    """For each point of the boxes lo..hi its worst other points with TV > d / max(radius), of the
    pairs that belong to it: as many as ``worst`` has columns.

    Only points that share a bit of their masks are compared. Boxes of others that are out of reach
    are passed over. Returns the largest 1 - bound / TV.
    """
    room = Room(np.empty(TOGETHER), np.empty(TOGETHER))
    n, size, weight = others.X.shape[1], boxes.size, 0.0
    for r in range(lo, hi):
        here = boxes.first + r
        rows = range(r * size, min((r + 1) * size, points.X.shape[1]))
        run = -1  # the first of some boxes one after the other, all of them to be looked at
        for s in range(len(other_boxes.x) + 1):
            there = other_boxes.first + s
            wanted = (
                s < len(other_boxes.x)
                and belongs(here, there, n_boxes)
                and not is_out_of_reach(boxes, r, other_boxes, s)
            )
            is_full = run >= 0 and (s + 1 - run) * size > TOGETHER
            # a box with itself is a run of its own
            if run >= 0 and (not wanted or is_full or there == here or there == here + 1):
                start, stop = run * size, min(s * size, n)
                weight = max(weight, look_at(points, rows, others, start, stop, room, worst))
                run = -1
            if wanted and run < 0:
                run = s
    return weight
