"""Compiled inner loops for total variation: values, steps, support functions and repairs.

``f_divergence_kernels`` has the same for other divergences.
"""

import numpy as np

from likewise.compute.jit import compiled
from likewise.solvers.halpern import averaged
from likewise.solvers.simplex import shrink_range


@compiled
def apart(x, a, b):
    """TV of the rows a and b of x."""
    total = 0.0
    for c in range(x.shape[1]):
        total += abs(x[a, c] - x[b, c])
    return 0.5 * total


@compiled
def values(lo, hi, x, i, j, out):
    """TV of the pairs lo..hi."""
    for p in range(lo, hi):
        out[p] = apart(x, i[p], j[p])


@compiled
def listed_above(lo, hi, x, i, j, bound, out):
    """Of the pairs lo..hi those with TV > bound: their places from out[lo] on.

    Returns how many there are, and the largest 1 - bound / TV.
    """
    count = 0
    share = 0.0
    for p in range(lo, hi):
        value = apart(x, i[p], j[p])
        if value > bound[p]:
            out[lo + count] = p
            count += 1
            share = max(share, 1.0 - bound[p] / value)
    return count, share


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


@compiled
def dual_step(lo, hi, duals, reflected, step, shift, scatter):
    """One step of the pairs lo..hi; returns the squared length of the move, in the step's norm.

    ``duals`` are ``WorkingDuals`` and ``step`` a ``HalpernStep``. A pair that is not active (its
    duals are all zero) and whose points are within the bound is only looked at. With ``scatter``
    the new duals are added to ``shift`` on the way; ranges that run side by side cannot do that.
    """
    u, anchor, image = duals.iterates
    k = u.shape[1]
    v = np.empty(k)
    out = np.empty(k)
    work = np.empty(k)
    moved = 0.0
    for p in range(lo, hi):
        a = duals.a[p]
        b = duals.b[p]
        length = duals.length[p] * step.weight
        inverse = 1.0 / length
        if not duals.active[p] and apart(reflected, a, b) <= duals.bound[p]:
            continue
        for c in range(k):
            v[c] = u[p, c] + length * (reflected[a, c] - reflected[b, c])
        shrink_range(v, k, length * duals.bound[p], out, work)
        stays_active = False
        for c in range(k):
            move = out[c] - u[p, c]
            moved += move * move * inverse
            image[p, c] = out[c]
            value = averaged(out[c], move, anchor[p, c], step)
            u[p, c] = value
            if value != 0.0 or anchor[p, c] != 0.0 or out[c] != 0.0:
                stays_active = True
        duals.active[p] = stays_active
        if scatter:
            for c in range(k):
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
