"""Compiled loops that bring pairs together, for total variation."""

import numpy as np

from likewise.solvers.kernels import apart, compiled


@compiled
def bring_together(x, i, j, bound, margin):
    """Move both ends of each violated pair towards each other, to bound * (1 - margin).

    One pass over the pairs; returns how many were violated. Rows stay distributions because each
    becomes a mixture of two.
    """
    k = x.shape[1]
    violated = 0
    for p in range(len(i)):
        a = i[p]
        b = j[p]
        value = apart(x, a, b)
        if value > bound[p]:
            violated += 1
            share = 0.5 * (1.0 - (1.0 - margin) * bound[p] / value)
            for c in range(k):
                difference = x[b, c] - x[a, c]
                x[a, c] += share * difference
                x[b, c] -= share * difference
    return violated


@compiled
def meeting_point(x, allowed, a, b, meet):
    """A distribution over the centres open to both a and b, like the two where they agree.

    False if there is no such centre.
    """
    total = 0.0
    count = 0
    for c in range(x.shape[1]):
        meet[c] = 0.0
        if allowed[a, c] and allowed[b, c]:
            meet[c] = x[a, c] + x[b, c]
            total += meet[c]
            count += 1
    for c in range(x.shape[1]):
        if total > 1e-9:
            meet[c] /= total
        elif count and allowed[a, c] and allowed[b, c]:
            meet[c] = 1.0 / count
    return count > 0


@compiled
def bring_together_within(x, allowed, i, j, bound, margin):
    """The same as ``bring_together`` where points may only use the centres allowed to them: both
    ends go towards a distribution that is open to both, which shrinks TV in proportion.
    """
    k = x.shape[1]
    meet = np.empty(k)
    violated = 0
    for p in range(len(i)):
        a = i[p]
        b = j[p]
        value = apart(x, a, b)
        if value > bound[p]:
            violated += 1
            if meeting_point(x, allowed, a, b, meet):
                share = 1.0 - (1.0 - margin) * bound[p] / value
                for c in range(k):
                    x[a, c] += share * (meet[c] - x[a, c])
                    x[b, c] += share * (meet[c] - x[b, c])
    return violated
