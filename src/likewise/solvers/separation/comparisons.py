"""How scans over every pair compare two points, and two boxes of points: compiled, by type.

The measure says how distances come about, the generator how divergences do. Total variation is
computed for several pairs at a time. Of any other divergence only a quadratic is that no pair
exceeds (``divergences.majorants``): where it is within the bound the pair is let go, and few are
left of which the divergence itself is asked.
"""

from typing import Any, NamedTuple

import numpy as np
from numba.extending import overload

from likewise._typing import Array
from likewise.compute.jit import compiled
from likewise.divergences.formulas import divergence_of_rows, term
from likewise.divergences.majorants import majorant_term
from likewise.divergences.total_variation import HalfDifferences
from likewise.geometry.measures import Precomputed, distance_of, fill_sums, sum_between, sum_of
from likewise.solvers.divergence_ops.f_divergence_kernels import mixed_divergence, mixing_weight_for

# Infinite divergences are told apart by what is left of them after mixing with this much.
HAIR = 1e-3
ROUNDING = 1.0 + 1e-12  # room for it where boxes are compared
_INLINED: Any = {"fastmath": {"contract", "nsz", "arcp"}}


class Way(NamedTuple):
    """How pairs are compared."""

    measure: object
    generator: object
    symmetric: bool
    largest_bound: float
    reference: Array  # the distribution common to all that mixing weights are weights of


class TreatedPoints(NamedTuple):
    """Points, one column each, and how they are treated."""

    x: Array  # (k, n) distributions
    rows: Array  # (n, k) the same
    X: Array  # (d, n) what their distances follow from
    radius: Array
    masks: Array  # (n, words) only points that share a bit are compared
    name: Array
    first: int  # the place of the first of them among all


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


class Run(NamedTuple):
    """Others from one to before another, that are compared with a point together."""

    begin: int
    stop: int


class Room(NamedTuple):
    """Room for what is computed of a point and a run of others."""

    sums: Array  # that distances follow from
    apart: Array  # twice the total variations, or what divergences do not exceed
    back: Array  # the same of the pairs in their other order


class Kept(NamedTuple):
    """The worst pairs of one point so far, largest key first."""

    name: Array  # of the other point
    bound: Array
    key: Array


@compiled
def allocate(size):
    """Room for that many others."""
    return Room(np.empty(size), np.empty(size), np.empty(size))


@compiled
def share_a_bit(masks, i, others, j):
    """Whether two rows have a bit in common; they count as having one without any bits."""
    words = masks.shape[1]
    for word in range(words):
        if masks[i, word] & others[j, word]:
            return True
    return words == 0


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
def bound_of(distance, radius, largest):
    """d / r, but at most the largest; where the radius is 0, the largest."""
    return distance / radius if distance < largest * radius else largest


@compiled
def fill_distances(way, points, i, others, run, out):
    """Write the sums of distances of the point i and a run of others."""
    first = first_column(way.measure, others)
    fill_sums(way.measure, points.X, i, others.X, first + run.begin, first + run.stop, out)


def first_column(measure, others):
    """Where points begin in what ``fill_sums`` reads: a table of distances has columns for all."""


@overload(first_column)
def _first_column(measure, others):
    if measure.instance_class is Precomputed:
        return lambda measure, others: others.first
    return lambda measure, others: 0


def compare(way, points, i, others, run, room):
    """Write the point i and a run of others compared into the room."""


@overload(compare, jit_options=_INLINED)
def _compare(way, points, i, others, run, room):
    return _compare_tv if _is_total_variation(way) else _compare_by_majorants


def _is_total_variation(way):
    return way.types[1].instance_class is HalfDifferences


def _compare_tv(way, points, i, others, run, room):
    apart, begin, stop = room.apart, run.begin, run.stop
    m = stop - begin
    fill_distances(way, points, i, others, run, room.sums)
    apart[:m] = 0.0
    for c in range(points.x.shape[0]):
        column, own = others.x[c, begin:stop], points.x[c, i]
        for t in range(m):
            apart[t] += abs(column[t] - own)


def _compare_by_majorants(way, points, i, others, run, room):
    sums, there, back = room
    begin, stop, majorant = run.begin, run.stop, way.generator.majorant
    m = stop - begin
    fill_distances(way, points, i, others, run, sums)
    there[:m] = 0.0
    back[:m] = 0.0
    for c in range(points.x.shape[0]):
        column, own = others.x[c, begin:stop], points.x[c, i]
        for t in range(m):
            there[t] += majorant_term(majorant, own, column[t])
        if not way.symmetric:
            for t in range(m):
                back[t] += majorant_term(majorant, column[t], own)
    for t in range(m):
        sums[t] = distance_of(way.measure, sums[t])


def take_above(way, points, i, others, run, room, worst, weight):
    """Keep the worst pairs of the point i with the a run of others, which ``room`` has compared;
    the largest mixing weight that one of them needs, or ``weight`` if that is more.
    """


@overload(take_above, jit_options=_INLINED)
def _take_above(way, points, i, others, run, room, worst, weight):
    return _take_above_tv if _is_total_variation(way) else _take_above_by_majorants


def _take_above_tv(way, points, i, others, run, room, worst, weight):
    counts, split = worst.counts, worst.split
    own = points.radius[i]
    first, second = counts[i, 0], counts[i, 1]
    by_excess = Kept(worst.name[i, :split], worst.bound[i, :split], worst.key[i, :split])
    by_part = Kept(worst.name[i, split:], worst.bound[i, split:], worst.key[i, split:])
    for t in range(run.stop - run.begin):
        j = run.begin + t
        value, reach = 0.5 * room.apart[t], max(own, others.radius[j])
        is_far = room.sums[t] >= sum_of(way.measure, value * reach)
        if (is_far and value <= way.largest_bound) or not share_a_bit(
            points.masks, i, others.masks, j
        ):
            continue
        bound = distance_of(way.measure, room.sums[t]) / reach
        bound = min(bound, way.largest_bound)
        needed = 1.0 - bound / value if value > bound else 0.0
        weight = max(weight, needed)
        first = keep_worst(by_excess, first, value - bound, others.name[j], bound)
        second = keep_worst(by_part, second, needed, others.name[j], bound)
    counts[i, 0] = first
    counts[i, 1] = second
    return weight


def _take_above_by_majorants(way, points, i, others, run, room, worst, weight):
    largest, own = way.largest_bound, points.radius[i]
    for t in range(run.stop - run.begin):
        j = run.begin + t
        ours = bound_of(room.sums[t], own, largest)
        theirs = bound_of(room.sums[t], others.radius[j], largest)
        if way.symmetric:
            ours = min(ours, theirs)
        unclear, unclear_back = room.apart[t] > ours, not way.symmetric and room.back[t] > theirs
        if not (unclear or unclear_back) or not share_a_bit(points.masks, i, others.masks, j):
            continue
        if unclear:
            value = divergence_of_rows(way.generator, points.rows, i, others.rows, j)
            if value > ours:
                pair = Pair(points.rows, i, others.rows, j, ours)
                weight = keep_pair(way, pair, value, i, others.name[j], worst, weight)
        if unclear_back:
            value = divergence_of_rows(way.generator, others.rows, j, points.rows, i)
            if value > theirs:
                pair = Pair(others.rows, j, points.rows, i, theirs)
                weight = keep_pair(way, pair, value, i, -1 - others.name[j], worst, weight)
    return weight


class Pair(NamedTuple):
    """Two rows of distributions, and the bound of the first with the second."""

    x: Array
    a: int
    y: Array
    b: int
    bound: float


@compiled
def keep_pair(way, pair, value, i, name, worst, weight):
    """Keep a pair that is above its bound among the worst of the point i, and the mixing weight."""
    x, a, y, b, bound = pair
    generator, reference = way.generator, way.reference
    if (1.0 - weight) * value > bound:  # else that much mixing is enough: D is convex
        weight = mixing_weight_for(generator, x, a, y, b, bound, reference, weight)
    if np.isinf(value):
        value = mixed_divergence(generator, x, a, y, b, HAIR, reference)
    split, counts = worst.split, worst.counts
    by_excess = Kept(worst.name[i, :split], worst.bound[i, :split], worst.key[i, :split])
    by_part = Kept(worst.name[i, split:], worst.bound[i, split:], worst.key[i, split:])
    counts[i, 0] = keep_worst(by_excess, counts[i, 0], value - bound, name, bound)
    counts[i, 1] = keep_worst(by_part, counts[i, 1], 1.0 - bound / value, name, bound)
    return weight


def is_out_of_reach(way, boxes, r, others, s):
    """Whether no pair of points of two boxes can be above its bound: see ``boxes``."""


@overload(is_out_of_reach, jit_options=_INLINED)
def _is_out_of_reach(way, boxes, r, others, s):
    return _is_out_of_reach_tv if _is_total_variation(way) else _is_out_of_reach_by_corners


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
