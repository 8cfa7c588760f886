"""Compiled loops over the pairs of a block: how many are above their bounds, row by row.

A bound that is infinite is none. What is found is added to ``found``, a ``blocks.RowTallies``.
"""

import numpy as np

from likewise.compute.jit import compiled_strictly


@compiled_strictly
def tally_tile(values, bound, tolerance, found):
    """Some rows against all: values[r, j], bound[r, j]."""
    _, compared, violated, worst, worst_with = found
    for r in range(values.shape[0]):
        n_compared, n_violated = 0, 0
        for j in range(values.shape[1]):
            if bound[r, j] < np.inf:
                excess = values[r, j] - bound[r, j]
                n_compared += 1
                n_violated += excess > tolerance
                if excess > worst[r]:
                    worst[r], worst_with[r] = excess, j
        compared[r] += n_compared
        violated[r] += n_violated


@compiled_strictly
def tally_list(row, other, values, bound, tolerance, found):
    """Pairs one by one: row[p], other[p], values[p], bound[p]."""
    _, compared, violated, worst, worst_with = found
    for p in range(len(row)):
        if bound[p] < np.inf:
            r, excess = row[p], values[p] - bound[p]
            compared[r] += 1
            violated[r] += excess > tolerance
            if excess > worst[r]:
                worst[r], worst_with[r] = excess, other[p]
