"""The compiled loop over every pair of points with coordinates, for total variation.

Plain on purpose: the divergence and the bound of every pair, as they are defined, and nothing that
is passed over. Columns lie together, so that the compiler works on several pairs at a time, and
the pairs of a few rows with a few hundred others are done together, while those are at hand.
"""

from typing import NamedTuple

import numpy as np

from likewise._typing import Array
from likewise.compute.jit import compiled_strictly

TOGETHER = 512  # others at a time: what is read of them stays in the nearest memory


class Answer(NamedTuple):
    """Points, one column each, and what they got."""

    X: Array  # (d, n)
    x: Array  # (k, n)
    per_distance: Array  # (n,) 1 / radius: the bound of a pair is the smaller one times d
    masks: Array  # (n, words) only points that share a bit are compared; without words, all


class Found(NamedTuple):
    """What was seen of the pairs of each point with later ones."""

    excess: Array  # the largest divergence - bound
    other: Array  # the point with which
    n_pairs: Array  # how many there are


@compiled_strictly
def check_rows(lo, hi, first_row, answer, found):
    """The pairs of the points first_row + lo..hi with all later ones."""
    X, x, per_distance, masks = answer
    n, words = X.shape[1], masks.shape[1]
    squared, apart, excess = np.empty(TOGETHER), np.empty(TOGETHER), np.empty(TOGETHER)
    for start in range(first_row + lo + 1, n, TOGETHER):
        stop = min(start + TOGETHER, n)
        for i in range(first_row + lo, first_row + hi):
            begin = max(start, i + 1)
            m = stop - begin
            if m <= 0:
                continue
            squared[:m] = 0.0
            apart[:m] = 0.0
            for c in range(X.shape[0]):
                column, own = X[c, begin:stop], X[c, i]
                for t in range(m):
                    step = column[t] - own
                    squared[t] += step * step
            for c in range(x.shape[0]):
                column, own = x[c, begin:stop], x[c, i]
                for t in range(m):
                    apart[t] += abs(column[t] - own)
            column, own = per_distance[begin:stop], per_distance[i]
            for t in range(m):
                bound = min(np.sqrt(squared[t]) * min(column[t], own), 1.0)
                excess[t] = 0.5 * apart[t] - (bound if squared[t] > 0.0 else 0.0)
            place = i - first_row
            for t in range(m):
                if words > 0:
                    shared = False
                    for word in range(words):
                        shared = shared or (masks[i, word] & masks[begin + t, word]) != 0
                    if not shared:
                        continue
                    found.n_pairs[place] += 1
                if excess[t] > found.excess[place]:
                    found.excess[place] = excess[t]
                    found.other[place] = begin + t
            if words == 0:
                found.n_pairs[place] += m
