"""Compiled loops that look for pairs above their bounds among all pairs.

Points stand in an order in which neighbours are together, in boxes of a few (``boxes``), one column
each: the pairs of a point with a run of others are computed several at a time. How they are
compared is a matter of types (``comparisons``), and no question when a loop runs.
"""

from typing import NamedTuple

import numpy as np

from likewise._typing import Array
from likewise.compute.jit import compiled
from likewise.solvers.separation.comparisons import (
    Run,
    allocate,
    compare,
    take_above,
)
from likewise.solvers.separation.reach import is_out_of_reach

TOGETHER = 512  # others at a time: what is read of them stays in the nearest memory


class Worst(NamedTuple):
    """The worst pairs of all points, a row each: the first ``split`` by divergence - bound, the
    others by 1 - bound / divergence, which is what pairs of tiny bounds are large in.
    """

    name: Array  # of the other point; -1 less than it, negative, where that is the first of the two
    bound: Array
    key: Array
    counts: Array  # how many there are of each kind, and how many others were looked at
    split: int


@compiled
def belongs(first, second, n_boxes):
    """Whether the pairs of two boxes belong to the first: those of half of all boxes do, the next
    ones in a circle, so that everybody has as many.
    """
    ahead = (second - first) % n_boxes
    return 2 * ahead < n_boxes or (2 * ahead == n_boxes and first < second)


@compiled
def look_at(way, points, rows, others, start, stop, room, worst):
    """Compare points with the others start..stop, and keep the worst pairs; the largest mixing
    weight that one of them needs. The others may be the points themselves: then each with the later
    ones.
    """
    within = points.name[rows.start] == others.name[start]
    weight = way.least_weight
    for i in rows:
        begin = start + i - rows.start + 1 if within else start
        if begin < stop:
            run = Run(begin, stop)
            compare(way, points, i, others, run, room)
            weight = take_above(way, points, i, others, run, room, worst, weight)
            worst.counts[i, 2] += stop - begin
    return weight


@compiled
def every_above(lo, hi, way, points, others, boxes, other_boxes, worst):
    """For each point of the boxes lo..hi its worst other points with a divergence above the bound,
    of the pairs that belong to it: as many as ``worst`` has columns.

    Only points that share a bit of their masks are compared. Boxes of others that are out of reach
    are passed over. Returns the largest mixing weight that a pair needs.
    """
    room = allocate(TOGETHER)
    n, size, weight = len(others.name), boxes.size, way.least_weight
    for r in range(lo, hi):
        here = boxes.first + r
        rows = range(r * size, min((r + 1) * size, len(points.name)))
        run = -1  # the first of some boxes one after the other, all of them to be looked at
        for s in range(len(other_boxes.x) + 1):
            there = other_boxes.first + s
            wanted = (
                s < len(other_boxes.x)
                and belongs(here, there, boxes.of_all)
                and not is_out_of_reach(way, boxes, r, other_boxes, s)
            )
            is_full = run >= 0 and (s + 1 - run) * size > TOGETHER
            # a box with itself is a run of its own
            if run >= 0 and (not wanted or is_full or there == here or there == here + 1):
                start, stop = run * size, min(s * size, n)
                needed = look_at(way, points, rows, others, start, stop, room, worst)
                weight = max(weight, needed)
                run = -1
            if wanted and run < 0:
                run = s
    return weight


@compiled
def mark_largest(lo, hi, edges, values, most, marked):
    """Of each run of values, between edges[r] and edges[r + 1] for r in lo..hi, mark the largest,
    ``most`` at most: of equal ones those that come first.
    """
    for r in range(lo, hi):
        begin, end = edges[r], edges[r + 1]
        if end - begin <= most:
            marked[begin:end] = True
            continue
        least = np.partition(values[begin:end], end - begin - most)[end - begin - most]
        left = most
        for place in range(begin, end):
            marked[place] = values[place] > least
            left -= marked[place]
        for place in range(begin, end):
            if left > 0 and values[place] == least:
                marked[place] = True
                left -= 1
