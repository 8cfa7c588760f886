"""Compiled loops over Euclidean distances."""

import numpy as np

from likewise.compute.jit import compiled_strictly


@compiled_strictly
def pair_distances(lo, hi, X, i, j, out):
    """The distances of the pairs lo..hi."""
    for p in range(lo, hi):
        total = 0.0
        for c in range(X.shape[1]):
            step = X[i[p], c] - X[j[p], c]
            total += step * step
        out[p] = np.sqrt(total)


@compiled_strictly
def kth_nearest(lo, hi, first, columns, m, out):
    """The distance of the points first + lo..hi to their m-th nearest other point.

    ``columns`` is X transposed, so that the inner loop runs over neighbouring numbers.
    """
    d, n = columns.shape
    squared = np.empty(n)
    for place in range(lo, hi):
        i = first + place
        squared[:] = 0.0
        for c in range(d):
            own = columns[c, i]
            for j in range(n):
                step = columns[c, j] - own
                squared[j] += step * step
        squared[i] = np.inf
        out[place] = np.sqrt(np.partition(squared, m - 1)[m - 1])


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
