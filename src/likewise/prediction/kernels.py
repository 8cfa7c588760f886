"""The cheapest distribution near many others: a small dual simplex, compiled.

    minimise cost.z  subject to  sum of the first k entries = 1,  z >= 0,  g.z <= h for many (g, h)

A vertex is kept as the v rows that are tight there (the first is the sum) and their multipliers,
which are right for a minimum from the start: everything to the cheapest centre. The most violated
row enters, the one whose multiplier runs out first leaves, and the cost rises until nothing is
violated. Only v rows are ever kept; the others are found by looking for the worst again
(``search``), so that all pairs are taken into account without being listed.
"""

from typing import NamedTuple

import numpy as np

from likewise._typing import Array
from likewise.compute.jit import compiled_strictly
from likewise.prediction.cuts import KEPT
from likewise.prediction.search import (
    NO_QUOTIENTS,
    bound_of,
    factor_needed,
    listed_bounds,
    worst_excess,
)
from likewise.solvers.separation.boxes import BOX_SIZE

SOLVED, IMPOSSIBLE, UNFINISHED = 0, 1, 2
PIVOT = 1e-11  # smaller entries of a row are rounding
CLOSE = 1e-11  # nothing is violated by more than this in the end
TOGETHER = 1e-15  # multipliers run out together where their ratios differ by less
# a hair of difference between centres that cost the same, so that steps make headway
HAIR = 1e-10
RELAXED_COST = 1e-7  # what costs count beside the factor: enough to tell equal factors apart
SMALLEST_SPREAD = 1e-300  # where all centres cost the same: not to divide by zero


class Solved(NamedTuple):
    """Where answers are written: a distribution, a factor and a state for each new point."""

    distributions: Array
    factors: Array
    states: Array


@compiled_strictly
def start(cost, k):
    """The rows and limits that are tight where everything goes to the cheapest centre."""
    v = len(cost)
    rows, limits = np.zeros((v, v)), np.zeros(v)
    rows[0, :k] = 1.0
    limits[0] = 1.0
    cheapest = np.argmin(cost[:k])
    place = 1
    for c in range(v):
        if c != cheapest:
            rows[place, c] = -1.0
            place += 1
    return rows, limits


@compiled_strictly
def enter(rows, limits, cost, row, limit):
    """Let a violated row in; False where no vertex obeys it together with the others."""
    v = len(cost)
    inverse = np.linalg.inv(rows)
    multipliers = cost @ inverse
    into = row @ inverse
    leaving, least = -1, np.inf
    for r in range(1, v):
        if into[r] > PIVOT:
            ratio = max(-multipliers[r], 0.0) / into[r]
            # of several that run out together the largest entry: the safest to divide by
            if ratio < least - TOGETHER or (ratio <= least and into[r] > into[leaving]):
                leaving, least = r, ratio
    if leaving < 0:
        return False
    rows[leaving] = row
    limits[leaving] = limit
    return True


@compiled_strictly
def most_violated(z, k, fitted, bounds, row):
    """Write the worst row into ``row``; its limit and by how much it is violated.

    Rows: z_c >= 0, and for each fitted point i the set S of centres where z is above it:
    sum over S of z - (sum over S of its own) <= bound_i, times the last entry of z if z has one
    more than k (the factor by which all bounds are relaxed).
    """
    v = len(z)
    worst, negative = CLOSE, -1
    for c in range(v):
        if -z[c] > worst:
            worst, negative = -z[c], c
    worst, at = worst_excess(z, k, fitted, bounds, z[k] if v > k else 1.0, worst)
    row[:] = 0.0
    if at < 0:
        if negative >= 0:
            row[negative] = -1.0
        return 0.0, worst if negative >= 0 else 0.0
    other, bound = fitted.boxes[at // BOX_SIZE, :, at % BOX_SIZE], bound_of(at, bounds)
    limit = 0.0 if v > k else bound
    for c in range(k):
        if z[c] > other[c]:
            row[c] = 1.0
            limit += other[c]
    if v > k:
        row[k] = -bound
    return limit, worst


@compiled_strictly
def cheapest_near(cost, k, fitted, bounds, most_steps):
    """(z, status) of one new point."""
    v = len(cost)
    rows, limits = start(cost, k)
    row = np.empty(v)
    z = np.linalg.solve(rows, limits)
    for _ in range(most_steps):
        limit, violation = most_violated(z, k, fitted, bounds, row)
        if violation <= 0.0:
            return z, SOLVED
        if not enter(rows, limits, cost, row, limit):
            return z, IMPOSSIBLE
        z = np.linalg.solve(rows, limits)
    return z, UNFINISHED


@compiled_strictly
def solve_point(p, cost, fitted, bounds, most_steps, solved):
    """One new point: within its bounds where that is possible, else with the least factor."""
    k = len(cost)
    spread = cost.max() - cost.min()
    told_apart = cost + (HAIR * max(spread, SMALLEST_SPREAD)) * np.arange(k)
    z, state = cheapest_near(told_apart, k, fitted, bounds, most_steps)
    factor = 1.0
    if state == IMPOSSIBLE:
        relaxed = np.ones(k + 1)
        relaxed[:k] = RELAXED_COST * (told_apart - told_apart.min()) / max(spread, SMALLEST_SPREAD)
        z, state = cheapest_near(relaxed, k, fitted, bounds, most_steps)
        factor = z[k]
    x = np.maximum(z[:k], 0.0) + 0.0  # without the sign of -0
    x /= x.sum()
    needed = 1.0
    is_as_found = state == SOLVED and factor == 1.0 and np.abs(x - z[:k]).max() <= CLOSE
    if not is_as_found:  # which is within CLOSE of every bound
        needed = factor_needed(x, fitted, bounds, KEPT)
    solved.distributions[p] = x
    solved.factors[p] = max(factor, needed) if factor > 1.0 + KEPT else needed
    solved.states[p] = state


@compiled_strictly
def solve_range(lo, hi, costs, fitted, table, most_steps, solved):
    """New points lo..hi, from the table of their bounds."""
    for p in range(lo, hi):
        bounds = listed_bounds(table[p], NO_QUOTIENTS)
        solve_point(p, costs[p], fitted, bounds, most_steps, solved)
