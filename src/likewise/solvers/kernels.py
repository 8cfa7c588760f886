"""Compiled inner loops, for total variation.

They are plain loops on contiguous float64 arrays, without numba's own threading: they release the
interpreter lock and work on a range of rows, so callers split the work as they like. Compiled once,
then cached on disk.
"""

import numba as nb
import numpy as np

compiled = nb.njit(nogil=True, cache=True, fastmath={"contract", "nsz", "arcp"})


@compiled
def sort_descending(values, k):
    """Insertion sort: the fastest for a handful of centres."""
    for a in range(1, k):
        value = values[a]
        b = a - 1
        while b >= 0 and values[b] < value:
            values[b + 1] = values[b]
            b -= 1
        values[b + 1] = value


@compiled
def project_simplex(v, k, out, work):
    """The nearest distribution to v."""
    for c in range(k):
        work[c] = v[c]
    sort_descending(work, k)
    total = 0.0
    shift = 0.0
    for c in range(k):
        total += work[c]
        candidate = (total - 1.0) / (c + 1)
        if work[c] <= candidate:
            break
        shift = candidate
    for c in range(k):
        out[c] = max(v[c] - shift, 0.0)


@compiled
def shrink_range(v, k, amount, out, work):
    """The prox of ``amount * (max - min)``: cut ``amount`` off the top of v and off its bottom.

    Returned centred round zero, because a constant changes nothing for distributions. What is left
    of v when top and bottom meet is nothing: zero.
    """
    for c in range(k):
        work[c] = v[c]
    sort_descending(work, k)
    total = 0.0
    top = work[0]
    for c in range(k):
        total += work[c]
        top = (total - amount) / (c + 1)
        if c + 1 == k or work[c + 1] <= top:
            break
    total = 0.0
    bottom = work[k - 1]
    for c in range(k):
        total += work[k - 1 - c]
        bottom = (total + amount) / (c + 1)
        if c + 1 == k or work[k - 2 - c] >= bottom:
            break
    if bottom >= top:
        for c in range(k):
            out[c] = 0.0
        return
    middle = 0.5 * (top + bottom)
    for c in range(k):
        out[c] = min(max(v[c], bottom), top) - middle


@compiled
def primal_step(lo, hi, x, anchor, image, reflected, cost, pull, tau, keep, back):
    """One step of the points lo..hi; returns the squared length of the move, in the step's norm.

    ``image`` becomes the plain step T(x); ``reflected`` 2 T(x) - x; x itself the Halpern average
    ``keep * reflected + back * anchor``.
    """
    k = x.shape[1]
    v = np.empty(k)
    out = np.empty(k)
    work = np.empty(k)
    moved = 0.0
    for j in range(lo, hi):
        step = tau[j]
        for c in range(k):
            v[c] = x[j, c] - step * (cost[j, c] + pull[j, c])
        project_simplex(v, k, out, work)
        for c in range(k):
            move = out[c] - x[j, c]
            moved += move * move / step
            image[j, c] = out[c]
            reflected[j, c] = out[c] + move
            x[j, c] = keep * reflected[j, c] + back * anchor[j, c]
    return moved


@compiled
def dual_step(lo, hi, u, anchor, image, awake, reflected, i, j, bound, sigma, pull, keep, back):
    """One step of the pairs lo..hi, adding the new duals to ``pull``; returns the squared move.

    A pair whose duals are all zero and whose points are within the bound sleeps: it is only looked
    at. ``pull`` is what the duals add to the costs of the points.
    """
    k = u.shape[1]
    v = np.empty(k)
    out = np.empty(k)
    work = np.empty(k)
    moved = 0.0
    for p in range(lo, hi):
        a = i[p]
        b = j[p]
        step = sigma[p]
        if not awake[p]:
            apart = 0.0
            for c in range(k):
                apart += abs(reflected[a, c] - reflected[b, c])
            if apart <= 2.0 * bound[p]:
                continue
        for c in range(k):
            v[c] = u[p, c] + step * (reflected[a, c] - reflected[b, c])
        shrink_range(v, k, step * bound[p], out, work)
        stays_awake = False
        for c in range(k):
            move = out[c] - u[p, c]
            moved += move * move / step
            image[p, c] = out[c]
            value = keep * (out[c] + move) + back * anchor[p, c]
            u[p, c] = value
            pull[a, c] += value
            pull[b, c] -= value
            if value != 0.0 or anchor[p, c] != 0.0 or out[c] != 0.0:
                stays_awake = True
        awake[p] = stays_awake
    return moved


@compiled
def add_pull(u, i, j, pull):
    """pull += what the duals add to the costs of the points."""
    k = u.shape[1]
    for p in range(len(i)):
        for c in range(k):
            pull[i[p], c] += u[p, c]
            pull[j[p], c] -= u[p, c]


@compiled
def dual_price(u, bound):
    """sum of bound * (max u - min u): what the lower bound pays for the duals."""
    total = 0.0
    for p in range(u.shape[0]):
        top = u[p, 0]
        bottom = u[p, 0]
        for c in range(1, u.shape[1]):
            top = max(top, u[p, c])
            bottom = min(bottom, u[p, c])
        total += bound[p] * (top - bottom)
    return total


@compiled
def total_variation(lo, hi, x, i, j, out):
    """TV of the pairs lo..hi."""
    k = x.shape[1]
    for p in range(lo, hi):
        a = i[p]
        b = j[p]
        apart = 0.0
        for c in range(k):
            apart += abs(x[a, c] - x[b, c])
        out[p] = 0.5 * apart


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
        apart = 0.0
        for c in range(k):
            apart += abs(x[a, c] - x[b, c])
        apart *= 0.5
        if apart > bound[p]:
            violated += 1
            share = 0.5 * (1.0 - (1.0 - margin) * bound[p] / apart)
            for c in range(k):
                difference = x[b, c] - x[a, c]
                x[a, c] += share * difference
                x[b, c] -= share * difference
    return violated
