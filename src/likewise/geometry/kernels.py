"""Compiled loops over distances that are computed as they go (``measures``)."""

import numpy as np

from likewise.compute.jit import compiled_strictly
from likewise.geometry.measures import distance_of, fill_sums

BINS = 256  # each then holds a few per cent of all numbers at most, mostly
FINEST = 1e300  # bins to a unit: of infinitely many no number would be in the first


@compiled_strictly
def mth_smallest(values, m, guess, among, counts):
    """The m-th smallest of some numbers that are not negative, counted from 1.

    They are counted in bins from 0 to twice the guess (the last one takes what is beyond), and only
    those in the bin of the one that is sought are put in order: with any guess it is the same.
    ``among`` and ``counts`` are room to work in.
    """
    last = len(counts) - 1
    scale = min(0.5 * last / guess, FINEST) if 0.0 < guess < np.inf else 1.0
    counts[:] = 0
    for value in values:
        counts[int(min(value * scale, float(last)))] += 1
    sought, before = 0, 0  # the bin, and how many numbers are in those before it
    while before + counts[sought] < m:
        before += counts[sought]
        sought += 1
    n_among = 0
    for value in values:
        if int(min(value * scale, float(last))) == sought:
            among[n_among] = value
            n_among += 1
    return np.partition(among[:n_among], m - before - 1)[m - before - 1]


@compiled_strictly
def kth_nearest(lo, hi, first, measure, table, m, out):
    """The distance of the points first + lo..hi to their m-th nearest other point."""
    n = table.shape[1]
    sums, among = np.empty(n), np.empty(n)
    counts, guess = np.empty(BINS, dtype=np.int64), 0.0
    for place in range(lo, hi):
        i = first + place
        fill_sums(measure, table, i, table, 0, n, sums)
        sums[i] = np.inf
        guess = mth_smallest(sums, m, guess, among, counts)  # the last one's is a good one
        out[place] = distance_of(measure, guess)


@compiled_strictly
def farthest(lo, hi, first, X, from_middle, best):
    """The largest distance of a point first + lo..hi to a later one, if it is above ``best``.

    The points come by falling distance from the middle, so what they can still reach falls too:
    d(i, j) <= from_middle[i] + from_middle[j].
    """
    n, d = X.shape
    for i in range(first + lo, first + hi):
        for j in range(i + 1, n):
            if from_middle[i] + from_middle[j] <= best:
                break
            total = 0.0
            for c in range(d):
                step = X[i, c] - X[j, c]
                total += step * step
            if total > best * best:
                best = np.sqrt(total)
    return best
