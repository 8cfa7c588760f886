"""How scans over every pair compare two points: compiled, by type.

The measure says how distances come about, the generator how divergences do. Total variation is
computed for several pairs at a time. So are divergences that come apart, up to rounding; of any
other only a quadratic is that no pair exceeds (``divergences.shortcuts``). Where these are within
the bound the pair is let go, and few are left of which the divergence itself is asked.
"""

from typing import Any, NamedTuple

import numpy as np
from numba.extending import overload

from likewise._typing import Array
from likewise.compute.jit import compiled
from likewise.divergences.formulas import divergence_of_rows
from likewise.divergences.shortcuts.factors import (
    Factors,
    is_factored,
    surely_above,
    surely_within,
)
from likewise.divergences.shortcuts.majorants import majorant_term
from likewise.divergences.total_variation import HalfDifferences
from likewise.geometry.measures import Precomputed, distance_of, fill_sums, sum_of
from likewise.solvers.divergence_ops.f_divergence_kernels import mixed_divergence, mixing_weight_for

# Infinite divergences are told apart by what is left of them after mixing with this much.
HAIR = 1e-3
INLINED: Any = {"fastmath": {"contract", "nsz", "arcp"}}


class Way(NamedTuple):
    """How pairs are compared."""

    measure: object
    generator: object
    symmetric: bool
    largest_bound: float
    reference: Array  # the distribution common to all that mixing weights are weights of
    least_weight: float  # of it: a pair that needs no more is not weighed


class TreatedPoints(NamedTuple):
    """Points, one column each, and how they are treated."""

    x: Array  # (k, n) distributions
    rows: Array  # (n, k) the same
    factors: Factors  # of the distributions, where divergences come apart
    X: Array  # (d, n) what their distances follow from
    radius: Array
    masks: Array  # (n, words) only points that share a bit are compared
    name: Array
    first: int  # the place of the first of them among all


class Run(NamedTuple):
    """Others from one to before another, that are compared with a point together."""

    begin: int
    stop: int


class Room(NamedTuple):
    """Room for what is computed of a point and a run of others."""

    sums: Array  # that distances follow from
    apart: Array  # twice the total variations; or divergences, or what these do not exceed
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


@overload(compare, jit_options=INLINED)
def _compare(way, points, i, others, run, room):
    if is_total_variation(way):
        return _compare_tv
    return _compare_by_factors if _comes_apart(way) else _compare_by_majorants


def is_total_variation(way):
    return way.types[1].instance_class is HalfDifferences


def _comes_apart(way):
    return is_factored(way.types[1])


def _compare_tv(way, points, i, others, run, room):
    apart, begin, stop = room.apart, run.begin, run.stop
    m = stop - begin
    fill_distances(way, points, i, others, run, room.sums)
    apart[:m] = 0.0
    for c in range(points.x.shape[0]):
        column, own = others.x[c, begin:stop], points.x[c, i]
        for t in range(m):
            apart[t] += abs(column[t] - own)


def _compare_by_factors(way, points, i, others, run, room):
    sums, there, back = room
    own, them, begin, stop = points.factors, others.factors, run.begin, run.stop
    m = stop - begin
    fill_distances(way, points, i, others, run, sums)
    add_products(own.left, own.alone_left[i], i, them.right, them.alone_right, run, there)
    if not way.symmetric:
        add_products(own.right, own.alone_right[i], i, them.left, them.alone_left, run, back)
    for t in range(m):
        sums[t] = distance_of(way.measure, sums[t])


@compiled
def add_products(own, alone, i, columns, alone_of_others, run, out):
    """Write divergences, by their factors, of the point i and a run of others."""
    begin, stop = run
    for t in range(stop - begin):
        out[t] = alone + alone_of_others[begin + t]
    for c in range(own.shape[0]):
        column, factor = columns[c, begin:stop], own[c, i]
        for t in range(stop - begin):
            out[t] += factor * column[t]


def may_be_above(way, value, bound):
    """Whether the divergence has to be asked, by what was computed of the pair."""


@overload(may_be_above, jit_options=INLINED)
def _may_be_above(way, value, bound):
    if _comes_apart(way):
        return lambda way, value, bound: not surely_within(value, bound)
    return lambda way, value, bound: value > bound


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


@overload(take_above, jit_options=INLINED)
def _take_above(way, points, i, others, run, room, worst, weight):
    return _take_above_tv if is_total_variation(way) else _take_above_if_asked


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


def _take_above_if_asked(way, points, i, others, run, room, worst, weight):
    """Views of arrays are made outside of the loop, and functions that take arrays are called where
    they are needed only: measured, where most pairs are above, a third of the time.
    """
    largest, own, counts, split = way.largest_bound, points.radius[i], worst.counts, worst.split
    x, y, name = points.rows, others.rows, others.name
    first, second = counts[i, 0], counts[i, 1]
    by_excess = Kept(worst.name[i, :split], worst.bound[i, :split], worst.key[i, :split])
    by_part = Kept(worst.name[i, split:], worst.bound[i, split:], worst.key[i, split:])
    for t in range(run.stop - run.begin):
        j = run.begin + t
        ours = bound_of(room.sums[t], own, largest)
        theirs = bound_of(room.sums[t], others.radius[j], largest)
        if way.symmetric:
            ours = min(ours, theirs)
        unclear = may_be_above(way, room.apart[t], ours)
        unclear_back = not way.symmetric and may_be_above(way, room.back[t], theirs)
        if not (unclear or unclear_back) or not share_a_bit(points.masks, i, others.masks, j):
            continue
        if unclear:
            value = divergence_of(way, room.apart[t], ours, x, i, y, j)
            if value > ours:
                if (1.0 - weight) * value > ours:  # else that much mixing is enough: D is convex
                    weight = weight_for(way, x, i, y, j, ours, weight)
                if np.isinf(value):
                    value = told_apart(way, x, i, y, j)
                first = keep_worst(by_excess, first, value - ours, name[j], ours)
                second = keep_worst(by_part, second, 1.0 - ours / value, name[j], ours)
        if unclear_back:
            value = divergence_of(way, room.back[t], theirs, y, j, x, i)
            if value > theirs:
                if (1.0 - weight) * value > theirs:
                    weight = weight_for(way, y, j, x, i, theirs, weight)
                if np.isinf(value):
                    value = told_apart(way, y, j, x, i)
                first = keep_worst(by_excess, first, value - theirs, -1 - name[j], theirs)
                second = keep_worst(by_part, second, 1.0 - theirs / value, -1 - name[j], theirs)
    counts[i, 0] = first
    counts[i, 1] = second
    return weight


def divergence_of(way, computed, bound, x, a, y, b):
    """What was computed of a pair where that is sure to be above the bound, else the divergence."""


@overload(divergence_of, jit_options=INLINED)
def _divergence_of(way, computed, bound, x, a, y, b):
    if not _comes_apart(way):
        return lambda way, computed, bound, x, a, y, b: divergence_of_rows(
            way.generator, x, a, y, b
        )

    def by_factors(way, computed, bound, x, a, y, b):
        if surely_above(computed, bound):
            return computed
        return divergence_of_rows(way.generator, x, a, y, b)

    return by_factors


@compiled
def weight_for(way, x, a, y, b, bound, least):
    """The mixing weight that a pair needs, or ``least`` if that is more."""
    return mixing_weight_for(way.generator, x, a, y, b, bound, way.reference, least)


@compiled
def told_apart(way, x, a, y, b):
    """What is left of an infinite divergence after mixing with a hair."""
    return mixed_divergence(way.generator, x, a, y, b, HAIR, way.reference)
