"""Compiled projections onto the pairs that an f-divergence calls fair.

The nearest pair (P, Q) to (p, q) with D(P || Q) <= bound, neither a distribution in general, is the
prox of multiplier * D for the multiplier at which D = bound. The prox is found centre by centre:
P = p - multiplier * g'(t) and Q = q - multiplier * (g(t) - t g'(t)), where t = P / Q.
"""

from typing import NamedTuple

import numpy as np

from likewise._typing import Array
from likewise.compute.jit import compiled
from likewise.divergences.formulas import plane, term

WIDEST = 60.0  # the largest |log t| that is looked at: beside 1e26, 1 is lost in rounding
SMALLEST = 1e-9  # multipliers are at least this: a projection that is this near will do
PRECISION = 1e-9  # of D, relative to its bound


class Workspace(NamedTuple):
    """One number per centre each: the answer, where to start, and room for the steps."""

    logs: Array  # log ratios: a guess, then where the projection ended
    P: Array  # the projection
    Q: Array
    steps: Array  # of the log ratios, in Newton's method
    shifts: Array  # what a step of the multiplier takes off them


@compiled
def nearest_ratio(generator, p, q, multiplier, s):
    """The prox of multiplier * q g(p / q) at (p, q), from a guess s of its log ratio.

    It is (p, q) - multiplier * (the plane's coefficients at its own ratio). Returns (P, Q, s).
    Safeguarded Newton on P - t Q, which falls from positive to negative; a ratio at which P or Q
    would be negative is too large or too small, and one at which both are shows that the prox is 0.
    """
    g_at_zero, alpha_at_zero, alpha_at_infinity, beta_at_infinity = generator.limits
    if p <= multiplier * alpha_at_zero:  # so far out that P is 0, and Q > 0 or not
        return 0.0, max(q - multiplier * g_at_zero, 0.0), s
    if q <= multiplier * beta_at_infinity:
        return max(p - multiplier * alpha_at_infinity, 0.0), 0.0, s
    low, high = -WIDEST, WIDEST
    s = min(max(s, -0.5 * WIDEST), 0.5 * WIDEST)
    reach = 1.0
    P, Q = 0.0, 0.0
    for _ in range(100):
        t = np.exp(s)
        first, second, curve = plane(generator, t, s)
        P = p - multiplier * first
        Q = q - multiplier * second
        if P <= 0.0 and Q <= 0.0:
            return 0.0, 0.0, s
        following = s
        if P > 0.0 and Q > 0.0:
            miss = P - t * Q
            step = miss / (multiplier * curve * (1.0 + t * t) + t * Q)
            if abs(step) < 1e-12 * (1.0 + abs(s)):
                break
            following = s + step
            too_large = miss < 0.0
        else:
            too_large = P <= 0.0
        if too_large:
            high = s
        else:
            low = s
        if not (low < following < high):
            # halve what is left, or look a little further where nothing is known yet
            if too_large:
                following = max(0.5 * (low + high), s - reach)
            else:
                following = min(0.5 * (low + high), s + reach)
            reach *= 2.0
        if high - low < 1e-13 * (1.0 + abs(s)):
            break
        s = following
    return max(P, 0.0), max(Q, 0.0), s


@compiled
def project_nearby(generator, p, q, bound, multiplier, work):
    """The same as ``project`` by Newton on the multiplier and all ratios at once, which is quick
    from a good guess. Returns 0 where it is not: ``logs`` are then as good a guess as any.

    Each centre has E = P - t Q = 0, all together H = sum of alpha P + beta Q = bound.
    """
    k = len(p)
    logs, out_p, out_q, steps, shifts = work
    g_at_zero, alpha_at_zero, alpha_at_infinity, beta_at_infinity = generator.limits
    for _ in range(8):
        value, slope, off = 0.0, 0.0, 0.0
        for c in range(k):
            out_p[c] = out_q[c] = 0.0
            steps[c] = shifts[c] = 0.0
            if p[c] <= multiplier * alpha_at_zero:
                out_q[c] = max(q[c] - multiplier * g_at_zero, 0.0)
                if out_q[c] > 0.0:
                    value += g_at_zero * out_q[c]
                    slope -= g_at_zero * g_at_zero
                continue
            if q[c] <= multiplier * beta_at_infinity:
                out_p[c] = max(p[c] - multiplier * alpha_at_infinity, 0.0)
                if out_p[c] > 0.0:
                    value += alpha_at_infinity * out_p[c]
                    slope -= alpha_at_infinity * alpha_at_infinity
                continue
            s = logs[c]
            t = np.exp(s)
            first, second, curve = plane(generator, t, s)
            P, Q = p[c] - multiplier * first, q[c] - multiplier * second
            if P <= 0.0 and Q <= 0.0:
                continue
            if P <= 0.0 or Q <= 0.0:
                return 0.0
            out_p[c], out_q[c] = P, Q
            miss = P - t * Q
            along = first - t * second
            fall = multiplier * curve * (1.0 + t * t) + t * Q
            rise = curve * (miss - multiplier * along)
            value += first * P + second * Q + rise * miss / fall
            slope -= first * first + second * second + rise * along / fall
            steps[c], shifts[c] = miss / fall, along / fall
            off = max(off, abs(steps[c]))
        miss = value - bound
        if slope >= 0.0:
            return 0.0
        if off <= 1e-10 and abs(miss) <= PRECISION * bound:
            return multiplier
        step = -miss / slope
        if not abs(step) < 0.9 * multiplier:
            return 0.0
        for c in range(k):
            log_step = steps[c] - shifts[c] * step
            if not abs(log_step) < 3.0:
                return 0.0
            logs[c] = min(max(logs[c] + log_step, -WIDEST), WIDEST)
        multiplier += step
    return 0.0


@compiled
def project(generator, p, q, bound, multiplier, work):
    """The nearest pair to (p, q) with D <= bound, from guesses of its multiplier and log ratios.

    Returns the multiplier: zero where (p, q) is such a pair itself. The pair is left in ``work``.
    """
    k = len(p)
    logs, out_p, out_q, _, _ = work
    total = 0.0
    for c in range(k):  # nearest without a negative entry: often that is all there is to it
        out_p[c], out_q[c] = max(p[c], 0.0), max(q[c], 0.0)
        total += term(generator, out_p[c], out_q[c])
    if total <= bound:
        return 0.0
    g_at_zero, _, alpha_at_infinity, _ = generator.limits
    low, high = 0.0, np.inf
    if multiplier < SMALLEST:  # no guess: pairs that are barely unfair, or fair but for a sign
        multiplier = 1e-2
        for c in range(k):
            logs[c] = np.log(min(max(p[c], 1e-3), 1.0) / min(max(q[c], 1e-3), 1.0))
    else:
        nearby = project_nearby(generator, p, q, bound, multiplier, work)
        if nearby > SMALLEST:
            return nearby
    for _ in range(60):
        total = 0.0
        slope = 0.0
        for c in range(k):
            P, Q, s = nearest_ratio(generator, p[c], q[c], multiplier, logs[c])
            out_p[c], out_q[c], logs[c] = P, Q, s
            total += term(generator, P, Q)
            if P > 0.0 and Q > 0.0:
                t = np.exp(s)
                first, second, curve = plane(generator, t, s)
                bend = multiplier * curve / (t * Q)
                along = first - t * second
                slope -= first * first + second * second
                slope += bend * along * along / (1.0 + bend * (1.0 + t * t))
            elif Q > 0.0:
                slope -= g_at_zero * g_at_zero
            elif P > 0.0:
                slope -= alpha_at_infinity * alpha_at_infinity
        miss = total - bound
        if miss > 0.0:
            low = multiplier
        else:
            high = multiplier
        if abs(miss) <= PRECISION * bound + 1e-15 or (miss < 0.0 and multiplier <= SMALLEST):
            break
        following = multiplier - miss / slope if slope < 0.0 else -1.0
        if not (low < following < high):
            following = (
                4.0 * multiplier if np.isinf(high) else np.sqrt(max(low, 1e-4 * high) * high)
            )
        following = max(following, SMALLEST)
        if abs(following - multiplier) <= 1e-10 * multiplier:
            break
        multiplier = following
    if not total <= 1.001 * bound + 1e-12:  # never seen to happen; sameness is fair at least
        for c in range(k):
            out_p[c] = out_q[c] = max(0.5 * (p[c] + q[c]), 0.0)
    return multiplier
