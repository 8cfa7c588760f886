"""Compiled inner loops of the first-order method that are the same for every divergence."""

import numpy as np

from likewise.compute.jit import compiled
from likewise.solvers.simplex import project_simplex


@compiled
def gather_pull(lo, hi, u, awake, first, second, seconds, ends, pull):
    """What the duals add to the costs of the points lo..hi.

    The pairs of a point as first end are first[point] .. first[point + 1], as second end those
    that ``seconds`` lists between second[point] and second[point + 1]. A pair has k duals for its
    first end and, if ``ends`` is 2, k more for its second; else that end gets the same, negative.
    """
    k = pull.shape[1]
    at, sign = (k, 1.0) if ends == 2 else (0, -1.0)
    for point in range(lo, hi):
        for c in range(k):
            pull[point, c] = 0.0
        for p in range(first[point], first[point + 1]):
            if awake[p]:
                for c in range(k):
                    pull[point, c] += u[p, c]
        for place in range(second[point], second[point + 1]):
            p = seconds[place]
            if awake[p]:
                for c in range(k):
                    pull[point, c] += sign * u[p, at + c]


@compiled
def primal_step(lo, hi, x, anchor, image, reflected, cost, pull, load, weight, keep, back):
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
        inverse = load[j] * weight
        step = 1.0 / inverse
        for c in range(k):
            v[c] = x[j, c] - step * (cost[j, c] + pull[j, c])
        project_simplex(v, k, out, work)
        for c in range(k):
            move = out[c] - x[j, c]
            moved += move * move * inverse
            image[j, c] = out[c]
            reflected[j, c] = out[c] + move
            x[j, c] = keep * reflected[j, c] + back * anchor[j, c]
    return moved


@compiled
def least_costs(lo, hi, cost, pull):
    """Sum over the points lo..hi of their least cost with the duals added."""
    total = 0.0
    for j in range(lo, hi):
        least = cost[j, 0] + pull[j, 0]
        for c in range(1, cost.shape[1]):
            least = min(least, cost[j, c] + pull[j, c])
        total += least
    return total


@compiled
def places_by_value(values, n):
    """(starts, order): the positions of each value 0..n-1, by counting."""
    starts = np.zeros(n + 1, dtype=np.int64)
    for value in values:
        starts[value + 1] += 1
    for value in range(n):
        starts[value + 1] += starts[value]
    order = np.empty(len(values), dtype=np.int32)
    free = starts[:-1].copy()
    for place in range(len(values)):
        order[free[values[place]]] = place
        free[values[place]] += 1
    return starts, order


@compiled
def opening_step(lo, hi, w, anchor, image, reflected, opened, step, keep, back, pull):
    """One step of the multipliers of the points lo..hi; returns the squared length of the move."""
    moved = 0.0
    inverse = 1.0 / step
    for j in range(lo, hi):
        for c in range(w.shape[1]):
            out = max(w[j, c] + step * (reflected[j, c] - opened[c]), 0.0)
            move = out - w[j, c]
            moved += move * move * inverse
            image[j, c] = out
            w[j, c] = keep * (out + move) + back * anchor[j, c]
            pull[j, c] += w[j, c]
    return moved


@compiled
def within_limit(y, limit):
    """The nearest openings to y: between 0 and 1, ``limit`` in all."""
    low, high = y.min() - 1.0, y.max()
    shift = low
    for _ in range(100):
        shift = 0.5 * (low + high)
        total = 0.0
        for value in y:
            total += min(max(value - shift, 0.0), 1.0)
        if total > limit:
            low = shift
        else:
            high = shift
        if high - low <= 1e-15 * (1.0 + abs(shift)):
            break
    return np.minimum(np.maximum(y - shift, 0.0), 1.0)
