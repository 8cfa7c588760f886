"""Distances that are computed as loops go, without any table of them.

A *measure* is a tuple whose type tells a loop, when it is compiled, what to add up over the columns
of two points, and how a distance follows from the sum. Points stand in columns of a table, and the
distances of one of them to a run of others are computed several at a time.

==================  =========================================================================
``Euclidean``       squares of differences; its distance is their root
``Manhattan``       differences
``Chebyshev``       the largest difference
``Cosine``          half the squares, of points at distance 1 from the origin (``unit_rows``)
``Gower``           differences of numbers as shares of their range, and 1 for each category that
                    differs: the mean over all columns, or over those that neither point lacks
``Precomputed``     what a table says: a row of it for each point
==================  =========================================================================
"""

from typing import Any, NamedTuple

import numba as nb
import numpy as np
from numba.extending import overload

from likewise.compute.jit import compiled_strictly

_INLINED: Any = {"forceinline": True}
SAME_DIRECTION = 2e-28  # squares that are no more than the rounding of rows of length one


class Euclidean(NamedTuple):
    """The root of the sum of squares."""

    unit: float = 1.0


class Manhattan(NamedTuple):
    """The sum of differences."""

    unit: float = 1.0


class Chebyshev(NamedTuple):
    """The largest difference."""

    unit: float = 1.0


class Cosine(NamedTuple):
    """1 - cos, of rows of length one."""

    unit: float = 0.5


class Gower(NamedTuple):
    """The first columns are numbers, the others codes of categories."""

    n_numbers: int


class GowerWithGaps(NamedTuple):
    """The same where values are missing: NaN."""

    n_numbers: int


class Precomputed(NamedTuple):
    """What a table says."""

    unit: float = 1.0


GOWER = (Gower, GowerWithGaps)


def fill_sums(measure, own, i, others, begin, stop, out):
    """out[t] = the sum for the point i of ``own`` and the point begin + t of ``others``; a table
    of distances has a row for each point of ``own``.
    """


@overload(fill_sums, jit_options=_INLINED)
def _fill_sums(measure, own, i, others, begin, stop, out):
    if measure.instance_class is Precomputed:
        return _fill_from_table
    if measure.instance_class is Gower:
        return _fill_gower
    if measure.instance_class is GowerWithGaps:
        return _fill_gower_with_gaps
    added = _ADDED[measure.instance_class]

    def fill(measure, own, i, others, begin, stop, out):
        m = stop - begin
        out[:m] = 0.0
        for c in range(own.shape[0]):
            column, here = others[c, begin:stop], own[c, i]
            for t in range(m):
                out[t] = added(out[t], column[t] - here)

    return fill


_inlined = nb.njit(forceinline=True)
_ADDED = {
    Euclidean: _inlined(lambda total, step: total + step * step),
    Cosine: _inlined(lambda total, step: total + step * step),
    Manhattan: _inlined(lambda total, step: total + abs(step)),
    Chebyshev: _inlined(lambda total, step: max(total, abs(step))),
}


def _fill_from_table(measure, own, i, others, begin, stop, out):
    for t in range(stop - begin):
        out[t] = own[i, begin + t]


def _fill_gower(measure, own, i, others, begin, stop, out):
    m = stop - begin
    out[:m] = 0.0
    for c in range(own.shape[0]):
        column, here = others[c, begin:stop], own[c, i]
        if c < measure.n_numbers:
            for t in range(m):
                out[t] += abs(column[t] - here)
        else:
            for t in range(m):
                out[t] += 0.0 if column[t] == here else 1.0
    for t in range(m):
        out[t] /= own.shape[0]


def _fill_gower_with_gaps(measure, own, i, others, begin, stop, out):
    m = stop - begin
    known = np.zeros(m)
    out[:m] = 0.0
    for c in range(own.shape[0]):
        column, here = others[c, begin:stop], own[c, i]
        if np.isnan(here):
            continue
        for t in range(m):
            there = column[t]
            is_known = there == there
            apart = abs(there - here) if c < measure.n_numbers else (0.0 if there == here else 1.0)
            known[t] += 1.0 if is_known else 0.0
            out[t] += apart if is_known else 0.0
    for t in range(m):  # two who have nothing in common that is known are as far apart as can be
        out[t] = out[t] / known[t] if known[t] > 0.0 else 1.0


def distance_of(measure, total):
    """The distance that follows from a sum."""


@overload(distance_of, jit_options=_INLINED)
def _distance_of(measure, total):
    if measure.instance_class is Euclidean:
        return lambda measure, total: np.sqrt(total)
    if measure.instance_class is Cosine:
        return lambda measure, total: 0.5 * total if total > SAME_DIRECTION else 0.0
    return lambda measure, total: total


def sum_of(measure, distance):
    """The way back: the sum of a distance."""


@overload(sum_of, jit_options=_INLINED)
def _sum_of(measure, distance):
    if measure.instance_class is Euclidean:
        return lambda measure, distance: distance * distance
    if measure.instance_class is Cosine:
        return lambda measure, distance: 2.0 * distance
    return lambda measure, distance: distance


def sum_between(measure, corners, r, others, s, limit):
    """At most the sum for any point in box r and any in box s, ``corners[r]`` being the lowest and
    the highest of its points in every column; no more is added up once it is at the limit.
    """


@overload(sum_between, jit_options=_INLINED)
def _sum_between(measure, corners, r, others, s, limit):
    if measure.instance_class is Precomputed:
        return lambda measure, corners, r, others, s, limit: 0.0
    if measure.instance_class in GOWER:
        return _between_gower
    added = _ADDED[measure.instance_class]

    def between(measure, corners, r, others, s, limit):
        total = 0.0
        for c in range(corners.shape[2]):
            step = max(others[s, 0, c] - corners[r, 1, c], corners[r, 0, c] - others[s, 1, c], 0.0)
            total = added(total, step)
            if total >= limit:
                return total
        return total

    return between


def _between_gower(measure, corners, r, others, s, limit):
    total = 0.0
    d = corners.shape[2]
    for c in range(d):  # where values are missing, corners are NaN, and no step is above zero
        step = max(others[s, 0, c] - corners[r, 1, c], corners[r, 0, c] - others[s, 1, c])
        if step > 0.0:
            total += step if c < measure.n_numbers else 1.0
    return total / d


@compiled_strictly
def fill_table(lo, hi, measure, own, others, out):
    """out[r, j] = the distance of the points r = lo..hi of ``own`` to all of ``others``."""
    n = out.shape[1]
    for r in range(lo, hi):
        fill_sums(measure, own, r, others, 0, n, out[r])
        for j in range(n):
            out[r, j] = distance_of(measure, out[r, j])


@compiled_strictly
def fill_pairs(lo, hi, measure, table, i, j, out):
    """out[p] = the distance of the points i[p] and j[p], p = lo..hi."""
    one = np.empty(1)
    for p in range(lo, hi):
        fill_sums(measure, table, i[p], table, j[p], j[p] + 1, one)
        out[p] = distance_of(measure, one[0])


@compiled_strictly
def largest_sum(lo, hi, first, measure, table):
    """The largest sum for a point first + lo..hi and a later one."""
    n = table.shape[1]
    sums = np.empty(n)
    best = 0.0
    for i in range(first + lo, first + hi):
        fill_sums(measure, table, i, table, i + 1, n, sums)
        for t in range(n - i - 1):
            best = max(best, sums[t])
    return best


@compiled_strictly
def of_sums(measure, sums, out):
    """out = the distances that follow from sums."""
    for t in range(len(sums)):
        out[t] = distance_of(measure, sums[t])


@compiled_strictly
def linked_at_zero(lo, hi, measure, table):
    """For every point one that it leads to by steps of distance zero, each of them from one of the
    points lo..hi to a later one; itself where there is none.
    """
    n = table.shape[1]
    leads_to, sums = np.arange(n), np.empty(n)
    for i in range(lo, hi):
        fill_sums(measure, table, i, table, i + 1, n, sums)
        for t in range(n - i - 1):
            if distance_of(measure, sums[t]) == 0.0:
                one, other = i, i + 1 + t
                while leads_to[one] != one:
                    one = leads_to[one]
                while leads_to[other] != other:
                    other = leads_to[other]
                leads_to[max(one, other)] = min(one, other)
    return leads_to
