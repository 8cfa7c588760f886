"""The compiled loop over every pair of points.

Plain on purpose: the divergence and the bound of every pair, as they are defined, and nothing that
is passed over. Columns lie together, so that the compiler works on several pairs at a time, and
the pairs of a few rows with a few hundred others are done together, while those are at hand.
"""

from typing import NamedTuple

import numpy as np
from numba.extending import overload

from likewise._typing import Array
from likewise.compute.jit import compiled_strictly
from likewise.divergences.formulas import term
from likewise.divergences.total_variation import HalfDifferences
from likewise.geometry.measures import distance_of, fill_sums

TOGETHER = 512  # others at a time: what is read of them stays in the nearest memory


class Answer(NamedTuple):
    """Points, one column each, and what they got."""

    measure: object  # says by its type how distances follow from X
    generator: object  # says by its type how divergences follow from x
    X: Array  # (d, n) or a table of distances
    x: Array  # (k, n)
    per_distance: Array  # (n,) 1 / radius: the bound of a pair (i, j) is that of i times d, ...
    largest_bound: float  # ... but at most this
    symmetric: bool
    masks: Array  # (n, words) only points that share a bit are compared; without words, all


class Found(NamedTuple):
    """What was seen of the pairs of each point with later ones."""

    excess: Array  # the largest divergence - bound
    other: Array  # the point with which; -1 less than it, negative, where that is the first
    n_pairs: Array  # how many there are


def fill_divergences(generator, x, i, begin, stop, back, out):
    """out[t] = D of the points i and begin + t; with ``back``, of begin + t and i."""


@overload(fill_divergences)
def _fill_divergences(generator, x, i, begin, stop, back, out):
    if generator.instance_class is HalfDifferences:
        return _half_differences
    return _by_formulas


def _half_differences(generator, x, i, begin, stop, back, out):
    m = stop - begin
    out[:m] = 0.0
    for c in range(x.shape[0]):
        column, own = x[c, begin:stop], x[c, i]
        for t in range(m):
            out[t] += abs(column[t] - own)
    for t in range(m):
        out[t] *= 0.5


def _by_formulas(generator, x, i, begin, stop, back, out):
    m = stop - begin
    out[:m] = 0.0
    for c in range(x.shape[0]):
        column, own = x[c, begin:stop], max(x[c, i], 0.0)
        for t in range(m):
            other = max(column[t], 0.0)
            out[t] += term(generator, other, own) if back else term(generator, own, other)


@compiled_strictly
def check_rows(lo, hi, first_row, answer, found):
    """The pairs of the points first_row + lo..hi with all later ones, in both orders."""
    n = answer.x.shape[1]
    distance, apart = np.empty(TOGETHER), np.empty(TOGETHER)
    for start in range(first_row + lo + 1, n, TOGETHER):
        stop = min(start + TOGETHER, n)
        for i in range(first_row + lo, first_row + hi):
            begin = max(start, i + 1)
            if stop <= begin:
                continue
            fill_sums(answer.measure, answer.X, i, answer.X, begin, stop, distance)
            for t in range(stop - begin):
                distance[t] = distance_of(answer.measure, distance[t])
            fill_divergences(answer.generator, answer.x, i, begin, stop, False, apart)
            column, own = answer.per_distance[begin:stop], answer.per_distance[i]
            if answer.symmetric:  # the smaller of the two bounds is what counts
                for t in range(stop - begin):
                    apart[t] -= bound_of(distance[t], min(column[t], own), answer.largest_bound)
                note_worst(answer, i, begin, stop, False, apart, first_row, found)
                continue
            for t in range(stop - begin):
                apart[t] -= bound_of(distance[t], own, answer.largest_bound)
            note_worst(answer, i, begin, stop, False, apart, first_row, found)
            fill_divergences(answer.generator, answer.x, i, begin, stop, True, apart)
            for t in range(stop - begin):
                apart[t] -= bound_of(distance[t], column[t], answer.largest_bound)
            note_worst(answer, i, begin, stop, True, apart, first_row, found)


@compiled_strictly
def bound_of(distance, per_distance, largest):
    """The bound of a pair; 0 of two points at the same place, whatever their radii."""
    return min(distance * per_distance, largest) if distance > 0.0 else 0.0


@compiled_strictly
def note_worst(answer, i, begin, stop, back, excess, first_row, found):
    """Remember the worst of these pairs of the point i, and how many there were."""
    masks, place = answer.masks, i - first_row
    words, count, worst, where = masks.shape[1], 0, found.excess[place], -1
    for t in range(stop - begin):
        if words > 0:
            shared = False
            for word in range(words):
                shared = shared or (masks[i, word] & masks[begin + t, word]) != 0
            if not shared:
                continue
            count += 1
        if excess[t] > worst:
            worst, where = excess[t], begin + t
    if not back:
        found.n_pairs[place] += count if words > 0 else stop - begin
    if where >= 0:
        found.excess[place] = worst
        found.other[place] = -1 - where if back else where
