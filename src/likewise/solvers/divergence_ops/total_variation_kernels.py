"""Compiled inner loops for total variation: values, steps, support functions and repairs.

``f_divergence_kernels`` has the same for other divergences.
"""

import numpy as np

from likewise.compute.jit import compiled
from likewise.solvers.divergence_ops.move_kernels import (
    meeting_point,
    move_towards,
    move_towards_each_other,
)
from likewise.solvers.kernels.halpern import averaged
from likewise.solvers.kernels.lanes import LANES, room_for, shrink_lanes


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
def dual_step(lo, hi, duals, reflected, step, shift, scatter):
    """One step of the pairs lo..hi; returns the squared length of the move, in the step's norm.

    ``duals`` are ``WorkingDuals`` and ``step`` a ``HalpernStep``. A pair that is not active (its
    duals are all zero) and whose points are within the bound is only looked at; the others are
    done several at a time (``lanes``). With ``scatter`` the new duals are added to ``shift`` on the
    way; ranges that run side by side cannot do that.
    """
    k = reflected.shape[1]
    v = np.zeros((k, LANES))
    room = room_for(k)
    waiting = np.empty(LANES, dtype=np.int64)
    count = 0
    moved = 0.0
    for p in range(lo, hi):
        a = duals.a[p]
        b = duals.b[p]
        if not duals.active[p] and divergence(reflected, a, b) <= duals.bound[p]:
            continue
        length = duals.length[p] * step.weight
        for c in range(k):
            u = duals.iterates.current[p, c]
            v[c, count] = u + length * (reflected[a, c] - reflected[b, c])
        room.amount[count] = length * duals.bound[p]
        waiting[count] = p
        count += 1
        if count == LANES:
            shrink_lanes(v, room)
            moved += _take_lanes(v, waiting, count, duals, step, shift, scatter)
            count = 0
    shrink_lanes(v, room)
    return moved + _take_lanes(v, waiting, count, duals, step, shift, scatter)


@compiled
def _take_lanes(v, pairs, count, duals, step, shift, scatter):
    """The new duals v of some pairs, one lane each: their average, and whether they stay active."""
    u, anchor, image = duals.iterates
    moved = 0.0
    for lane in range(count):
        p = pairs[lane]
        inverse = 1.0 / (duals.length[p] * step.weight)
        stays_active = False
        for c in range(u.shape[1]):
            out = v[c, lane]
            move = out - u[p, c]
            moved += move * move * inverse
            image[p, c] = out
            value = averaged(out, move, anchor[p, c], step)
            u[p, c] = value
            if value != 0.0 or anchor[p, c] != 0.0 or out != 0.0:
                stays_active = True
        duals.active[p] = stays_active
        if scatter:
            a = duals.a[p]
            b = duals.b[p]
            for c in range(u.shape[1]):
                shift[a, c] += u[p, c]
                shift[b, c] -= u[p, c]
    return moved


@compiled
def support_function(lo, hi, u, bound):
    """sum of bound * (max u - min u) over the pairs lo..hi: the most that u . (x_a - x_b) can be
    within the bounds.
    """
    total = 0.0
    for p in range(lo, hi):
        top = u[p, 0]
        bottom = u[p, 0]
        for c in range(1, u.shape[1]):
            top = max(top, u[p, c])
            bottom = min(bottom, u[p, c])
        total += bound[p] * (top - bottom)
    return total
