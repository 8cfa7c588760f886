"""Compiled inner loops of the first-order method that are the same for every divergence.

``x`` and ``w`` are ``Iterates`` and ``step`` a ``HalpernStep`` (``halpern``); ``shift`` is what
the duals add to the costs.
"""

from typing import NamedTuple

import numpy as np

from likewise._typing import Array
from likewise.compute.jit import compiled
from likewise.solvers.kernels.halpern import averaged
from likewise.solvers.kernels.lanes import LANES, project_lanes, room_for

OPENING_STEP = 0.5  # dual steps of x_jc <= y_c: each row has two entries of 1
BISECTIONS = 100  # more than halving an interval of doubles ever takes
LEVEL_ROUNDING = 1e-15  # the level is found when it is known to this share of it


class PairsOfPoints(NamedTuple):
    """Which pairs a point is in.

    As first end those from first[point] to first[point + 1], as second end those that ``seconds``
    lists between second[point] and second[point + 1].
    """

    first: Array
    second: Array
    seconds: Array


@compiled
def add_pair_shift(lo, hi, u, active, pairs_of, ends, shift):
    """Add the duals u of pairs to the costs of the points lo..hi.

    A pair has k duals for its first end and, if ``ends`` is 2, k more for its second; else that
    end gets the same, negative.
    """
    k = shift.shape[1]
    at, sign = (k, 1.0) if ends == 2 else (0, -1.0)
    for point in range(lo, hi):
        for p in range(pairs_of.first[point], pairs_of.first[point + 1]):
            if active[p]:
                for c in range(k):
                    shift[point, c] += u[p, c]
        for place in range(pairs_of.second[point], pairs_of.second[point + 1]):
            p = pairs_of.seconds[place]
            if active[p]:
                for c in range(k):
                    shift[point, c] += sign * u[p, at + c]


@compiled
def primal_step(lo, hi, x, reflected, cost, shift, inverse_step, step):
    """One step of the points lo..hi; returns the squared length of the move, in the step's norm.

    ``reflected`` becomes 2 T(x) - x, which the duals step with.
    """
    k = cost.shape[1]
    v = np.zeros((k, LANES))
    room = room_for(k)
    moved = 0.0
    for start in range(lo, hi, LANES):
        stop = min(start + LANES, hi)
        for j in range(start, stop):
            length = 1.0 / (inverse_step[j] * step.weight)
            for c in range(k):
                v[c, j - start] = x.current[j, c] - length * (cost[j, c] + shift[j, c])
        project_lanes(v, room)
        for j in range(start, stop):
            inverse = inverse_step[j] * step.weight
            for c in range(k):
                out = v[c, j - start]
                move = out - x.current[j, c]
                moved += move * move * inverse
                x.image[j, c] = out
                reflected[j, c] = out + move
                x.current[j, c] = averaged(out, move, x.anchor[j, c], step)
    return moved


@compiled
def least_costs(lo, hi, cost, shift):
    """Sum over the points lo..hi of their least cost with the duals added."""
    total = 0.0
    for j in range(lo, hi):
        least = cost[j, 0] + shift[j, 0]
        for c in range(1, cost.shape[1]):
            least = min(least, cost[j, c] + shift[j, c])
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
def opening_step(lo, hi, w, reflected, opened, step, shift):
    """One step of the multipliers of the points lo..hi, which are added to ``shift``.

    Returns the squared length of the move, in the step's norm.
    """
    moved = 0.0
    length = OPENING_STEP * step.weight
    inverse = 1.0 / length
    for j in range(lo, hi):
        for c in range(shift.shape[1]):
            out = max(w.current[j, c] + length * (reflected[j, c] - opened[c]), 0.0)
            move = out - w.current[j, c]
            moved += move * move * inverse
            w.image[j, c] = out
            w.current[j, c] = averaged(out, move, w.anchor[j, c], step)
            shift[j, c] += w.current[j, c]
    return moved


@compiled
def project_openings(y, limit):
    """The nearest openings to y: between 0 and 1, ``limit`` in all."""
    low, high = y.min() - 1.0, y.max()
    level = low
    for _ in range(BISECTIONS):
        level = 0.5 * (low + high)
        total = 0.0
        for value in y:
            total += min(max(value - level, 0.0), 1.0)
        if total > limit:
            low = level
        else:
            high = level
        if high - low <= LEVEL_ROUNDING * (1.0 + abs(level)):
            break
    return np.minimum(np.maximum(y - level, 0.0), 1.0)
