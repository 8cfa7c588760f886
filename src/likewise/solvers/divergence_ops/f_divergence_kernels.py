"""Compiled inner loops for f-divergences: values, steps, support functions and repairs.

``generator`` says which divergence, by its type; ``formulas`` holds what differs between them,
everything here is the same for all.
"""

import numpy as np

from likewise.compute.jit import compiled
from likewise.divergences.formulas import conjugate, divergence_of_rows, term
from likewise.divergences.projections import Workspace, project
from likewise.divergences.shortcuts.factors import comes_apart, surely_within
from likewise.divergences.shortcuts.majorants import majorant_term
from likewise.solvers.divergence_ops.move_kernels import (
    meeting_point,
    move_towards,
    move_towards_each_other,
)
from likewise.solvers.kernels.halpern import averaged


@compiled
def values(lo, hi, generator, x, i, j, out):
    """D of the pairs lo..hi."""
    for r in range(lo, hi):
        out[r] = divergence_of_rows(generator, x, i[r], x, j[r])


# mixing weights that are told apart: exp(-GRID_STEP times 0, 1, 2, ...), down to 1e-15
GRID_STEP = 1e-3
GRID_SIZE = 34_539
HALVINGS = 20  # of the way that two ends move: a millionth of it is near enough


@compiled
def mixed_divergence(generator, x, a, y, b, weight, reference):
    """D of the rows a of x and b of y, each mixed with this weight of one distribution."""
    total = 0.0
    for c in range(x.shape[1]):
        extra = weight * reference[c]
        total += term(generator, (1.0 - weight) * x[a, c] + extra, (1.0 - weight) * y[b, c] + extra)
    return total


@compiled
def mixed_majorant(generator, x, a, y, b, weight, reference):
    """At least ``mixed_divergence``, without any logarithm."""
    total = 0.0
    for c in range(x.shape[1]):
        extra = weight * reference[c]
        total += majorant_term(
            generator.majorant, (1.0 - weight) * x[a, c] + extra, (1.0 - weight) * y[b, c] + extra
        )
    return total


@compiled
def crossed_divergence(generator, x, a, b, weight):
    """D of the rows a and b of x, each mixed with this weight of the other."""
    total = 0.0
    for c in range(x.shape[1]):
        move = weight * (x[b, c] - x[a, c])
        total += term(generator, x[a, c] + move, x[b, c] - move)
    return total


@compiled
def mixing_weight_for(generator, x, a, y, b, bound, reference, least):
    """The least weight on the grid that brings the pair within its bound, if it is more than
    ``least``, one of the grid's; else ``least``.

    On a grid, so that the largest weight of many pairs does not depend on the order they come in.
    Never less than ``least``: where a bound is no more than rounding, divergences that should fall
    with the weight go up and down, and the search may end anywhere.
    """
    if mixed_majorant(generator, x, a, y, b, least, reference) <= bound:
        return least
    if mixed_divergence(generator, x, a, y, b, least, reference) <= bound:
        return least
    enough, short = 0, GRID_SIZE
    while short - enough > 1:
        middle = (enough + short) // 2
        tried = np.exp(-GRID_STEP * middle)
        if mixed_divergence(generator, x, a, y, b, tried, reference) <= bound:
            enough = middle
        else:
            short = middle
    return max(np.exp(-GRID_STEP * enough), least)


@compiled
def listed_above(lo, hi, generator, x, factors, pairs, mixture, out):
    """Of the pairs lo..hi those with D > bound: their places from out[lo] on.

    Returns how many there are, and how much of the mixture would bring all of them within their
    bounds, or the weight that it has if that is more.
    """
    i, j, bound = pairs
    reference, weight = mixture
    count = 0
    for r in range(lo, hi):
        if comes_apart(generator) and surely_within(product(factors, i[r], j[r]), bound[r]):
            continue
        value = divergence_of_rows(generator, x, i[r], x, j[r])
        if value > bound[r]:
            out[lo + count] = r
            count += 1
            if (1.0 - weight) * value > bound[r]:  # else that much is enough: D is convex
                weight = mixing_weight_for(generator, x, i[r], x, j[r], bound[r], reference, weight)
    return count, weight


@compiled
def product(factors, a, b):
    """D of two points by their factors, a row each, up to rounding."""
    total = factors.alone_left[a] + factors.alone_right[b]
    for c in range(factors.left.shape[1]):
        total += factors.left[a, c] * factors.right[b, c]
    return total


@compiled
def contract(generator, x, allowed, pairs, limit, margin):
    """Move both ends of each pair above its limit until D = limit * (1 - margin): towards each
    other, or, where points may only use the centres allowed to them, towards a distribution that
    is open to both.

    One pass over the pairs; returns how many were above.
    """
    i, j, _ = pairs
    meet = np.empty(x.shape[1])
    above = 0
    for r in range(len(limit)):
        a, b = i[r], j[r]
        if divergence_of_rows(generator, x, a, x, b) <= limit[r]:
            continue
        above += 1
        target = (1.0 - margin) * limit[r]
        if allowed is None:
            move_towards_each_other(x, a, b, crossing_weight(generator, x, a, b, target))
        elif meeting_point(x, allowed, a, b, meet):
            move_towards(x, a, b, meet, meeting_weight(generator, x, a, b, meet, target))
    return above


@compiled
def crossing_weight(generator, x, a, b, target):
    """How much of each other the rows a and b must take on for D <= target."""
    low, high = 0.0, 0.5  # at one half they are the same
    for _ in range(HALVINGS):
        weight = 0.5 * (low + high)
        if crossed_divergence(generator, x, a, b, weight) > target:
            low = weight
        else:
            high = weight
    return high


@compiled
def meeting_weight(generator, x, a, b, meet, target):
    """How much of ``meet`` the rows a and b must take on for D <= target."""
    low, high = 0.0, 1.0  # all of it: they are the same
    for _ in range(HALVINGS):
        weight = 0.5 * (low + high)
        if mixed_divergence(generator, x, a, x, b, weight, meet) > target:
            low = weight
        else:
            high = weight
    return high


# the search for the best multiplier: of its neighbourhood, in steps that are shares of it
FIRST_SEARCH_STEP, LAST_SEARCH_STEP, MOST_SEARCH_STEPS = 0.01, 1e-5, 40
LEAST_MULTIPLIER = 1e-12  # where the search begins at the least, as a share of the largest dual


@compiled
def lagrange_bound(generator, image, guess, r, bound, multiplier):
    """Lagrange's bound on alpha.p + beta.q over fair distributions, (alpha, beta) = image[r]: see
    ``GeneratorDivergence.support_function``.
    """
    worst, k = -np.inf, image.shape[1] // 2
    for c in range(k):
        highest = conjugate(generator, image[r, c] / multiplier, guess[r, 1 + c])
        worst = max(worst, image[r, k + c] + multiplier * highest)
    return multiplier * bound + worst


@compiled
def support_function(lo, hi, generator, image, guess, bound):
    """The most that the images of the pairs lo..hi can earn within the bounds, summed up.

    A projection's own multiplier is the best one, as far as the projection is exact. It is the
    logarithm's neighbourhood that is searched: any multiplier gives a bound.
    """
    k = image.shape[1] // 2
    total = 0.0
    for r in range(lo, hi):
        alpha, beta, size = -np.inf, -np.inf, 0.0
        for c in range(k):
            alpha, beta = max(alpha, image[r, c]), max(beta, image[r, k + c])
            size = max(size, abs(image[r, c]), abs(image[r, k + c]))
        if size == 0.0:
            continue
        least = alpha + beta  # what it costs without any bound
        middle = max(guess[r, 0], LEAST_MULTIPLIER * size)
        step = FIRST_SEARCH_STEP
        at_middle = lagrange_bound(generator, image, guess, r, bound[r], middle)
        for _ in range(MOST_SEARCH_STEPS):
            up, down = middle * (1.0 + step), middle / (1.0 + step)
            at_up = lagrange_bound(generator, image, guess, r, bound[r], up)
            at_down = lagrange_bound(generator, image, guess, r, bound[r], down)
            if at_up < at_middle or (np.isinf(at_middle) and np.isinf(at_up)):
                middle, at_middle = up, at_up
                step *= 2.0
            elif at_down < at_middle:
                middle, at_middle = down, at_down
                step *= 2.0
            else:
                step *= 0.25
            if step < LAST_SEARCH_STEP:
                break
        total += min(least, at_middle)
    return total


@compiled
def dual_step(lo, hi, generator, duals, reflected, step):
    """One step of the pairs lo..hi; returns the squared length of the move, in the step's norm.

    ``duals`` are ``WorkingDuals`` and ``step`` a ``HalpernStep``. ``duals.guess`` holds each
    pair's multiplier (of the image: what a unit of its bound costs) and the log ratios of its last
    projection, where the next one starts.
    """
    u, anchor, image = duals.iterates
    guess = duals.guess
    k = reflected.shape[1]
    p, q, P, Q, logs = np.empty(k), np.empty(k), np.empty(k), np.empty(k), np.empty(k)
    room, more_room = np.empty(k), np.empty(k)
    moved = 0.0
    for r in range(lo, hi):
        a, b, bound = duals.a[r], duals.b[r], duals.bound[r]
        if not duals.active[r] and (
            divergence_of_rows(generator, reflected, a, reflected, b) <= bound
        ):
            continue
        length = duals.length[r] * step.weight
        inverse = 1.0 / length
        for c in range(k):
            p[c] = u[r, c] * inverse + reflected[a, c]
            q[c] = u[r, k + c] * inverse + reflected[b, c]
            logs[c] = guess[r, 1 + c]
        multiplier = project(
            generator, p, q, bound, guess[r, 0] * inverse, Workspace(logs, P, Q, room, more_room)
        )
        guess[r, 0] = multiplier * length
        stays_active = False
        for c in range(2 * k):
            out = length * (p[c] - P[c]) if c < k else length * (q[c - k] - Q[c - k])
            if c < k:
                guess[r, 1 + c] = logs[c]
            move = out - u[r, c]
            moved += move * move * inverse
            image[r, c] = out
            value = averaged(out, move, anchor[r, c], step)
            u[r, c] = value
            if value != 0.0 or anchor[r, c] != 0.0 or out != 0.0:
                stays_active = True
        duals.active[r] = stays_active
    return moved
