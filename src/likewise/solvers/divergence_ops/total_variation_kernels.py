"""Compiled inner loops for total variation: values, steps, prices and repairs.

``f_divergence_kernels`` has the same for other divergences.
"""

import numpy as np

from likewise.compute.jit import compiled
from likewise.solvers.divergence_ops.move_kernels import (
    meeting_point,
    move_towards,
    move_towards_each_other,
)
from likewise.solvers.simplex import shrink_range


@compiled
def divergence(x, a, b):
    """TV of the rows a and b of x."""
    total = 0.0
    for c in range(x.shape[1]):
        total += abs(x[a, c] - x[b, c])
    return 0.5 * total


@compiled
def values(lo, hi, x, i, j, out):
    """TV of the pairs lo..hi."""
    for p in range(lo, hi):
        out[p] = divergence(x, i[p], j[p])


@compiled
def listed_above(lo, hi, x, pairs, out):
    """Of the pairs lo..hi those with TV > bound: their places from out[lo] on.

    Returns how many there are, and the largest 1 - bound / TV: mixing with that weight of any
    distribution common to all brings all of them within their bounds.
    """
    i, j, bound = pairs
    count = 0
    weight = 0.0
    for p in range(lo, hi):
        value = divergence(x, i[p], j[p])
        if value > bound[p]:
            out[lo + count] = p
            count += 1
            weight = max(weight, 1.0 - bound[p] / value)
    return count, weight


@compiled
def contract(x, allowed, pairs, limit, margin):
    """Move both ends of each pair above its limit until TV = limit * (1 - margin): towards each
    other, or, where points may only use the centres allowed to them, towards a distribution that
    is open to both. Either shrinks TV in proportion.

    One pass over the pairs; returns how many were above.
    """
    i, j, _ = pairs
    meet = np.empty(x.shape[1])
    above = 0
    for p in range(len(limit)):
        a = i[p]
        b = j[p]
        value = divergence(x, a, b)
        if value > limit[p]:
            above += 1
            part = 1.0 - (1.0 - margin) * limit[p] / value  # of TV, to be taken away
            if allowed is None:
                move_towards_each_other(x, a, b, 0.5 * part)
            elif meeting_point(x, allowed, a, b, meet):
                move_towards(x, a, b, meet, part)
    return above


@compiled
def dual_step(
    lo, hi, u, anchor, image, awake, reflected, i, j, bound, step_of, weight, keep, back, pull,
    scatter,
):  # fmt: skip
    """One step of the pairs lo..hi; returns the squared length of the move, in the step's norm.

    A pair whose duals are all zero and whose points are within the bound sleeps: it is only looked
    at. With ``scatter`` the new duals are added to ``pull`` on the way; ranges that run side by
    side cannot do that, and leave it to ``gather_pull``.
    """
    k = u.shape[1]
    v = np.empty(k)
    out = np.empty(k)
    work = np.empty(k)
    moved = 0.0
    for p in range(lo, hi):
        a = i[p]
        b = j[p]
        step = step_of[p] * weight
        inverse = 1.0 / step
        if not awake[p] and divergence(reflected, a, b) <= bound[p]:
            continue
        for c in range(k):
            v[c] = u[p, c] + step * (reflected[a, c] - reflected[b, c])
        shrink_range(v, k, step * bound[p], out, work)
        stays_awake = False
        for c in range(k):
            move = out[c] - u[p, c]
            moved += move * move * inverse
            image[p, c] = out[c]
            value = keep * (out[c] + move) + back * anchor[p, c]
            u[p, c] = value
            if value != 0.0 or anchor[p, c] != 0.0 or out[c] != 0.0:
                stays_awake = True
        awake[p] = stays_awake
        if scatter:
            for c in range(k):
                pull[a, c] += u[p, c]
                pull[b, c] -= u[p, c]
    return moved


@compiled
def dual_price(lo, hi, u, bound):
    """sum of bound * (max u - min u) over the pairs lo..hi: what the lower bound pays for them."""
    total = 0.0
    for p in range(lo, hi):
        top = u[p, 0]
        bottom = u[p, 0]
        for c in range(1, u.shape[1]):
            top = max(top, u[p, c])
            bottom = min(bottom, u[p, c])
        total += bound[p] * (top - bottom)
    return total
