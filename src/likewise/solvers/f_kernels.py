"""Compiled inner loops for f-divergences: values, projections and steps.

``kind`` numbers the divergence. ``term`` and ``plane`` hold what differs between kinds, formulas of
the generator g (see ``f_divergences``); everything else is the same for all.
Ratios t = p / q are kept as s = log t.
"""

import numpy as np

from likewise.solvers.kernels import compiled, meeting_point

KL, REVERSE_KL, JENSEN_SHANNON, HELLINGER, CHI2, TRIANGULAR = range(6)
WIDEST = 60.0  # the largest |log t| that is looked at
SMALLEST = 1e-9  # multipliers are at least this: a projection that is this near will do


@compiled
def term(kind, p, q):
    """q g(p / q) for p, q >= 0."""
    if p == q:
        return 0.0
    if kind == KL:
        if q <= 0.0:
            return np.inf
        return q if p <= 0.0 else max(p * np.log(p / q) - p + q, 0.0)
    if kind == REVERSE_KL:
        if p <= 0.0:
            return np.inf
        return p if q <= 0.0 else max(q * np.log(q / p) - q + p, 0.0)
    if kind == JENSEN_SHANNON:
        middle = 0.5 * (p + q)
        total = 0.0
        if p > 0.0:
            total += p * np.log(p / middle)
        if q > 0.0:
            total += q * np.log(q / middle)
        return max(0.5 * total, 0.0)
    if kind == HELLINGER:
        root = np.sqrt(p) - np.sqrt(q)
        return 0.5 * root * root
    if kind == CHI2:
        return np.inf if q <= 0.0 else (p - q) * (p - q) / q
    return (p - q) * (p - q) / (p + q)


@compiled
def plane(kind, t, s):
    """(g'(t), g(t) - t g'(t), t g''(t)) at t = exp(s): the supporting plane and its curvature."""
    if kind == KL:
        return s, 1.0 - t, 1.0
    if kind == REVERSE_KL:
        return 1.0 - 1.0 / t, -s, 1.0 / t
    if kind == JENSEN_SHANNON:
        second = 0.5 * np.log(2.0 / (1.0 + t))
        return 0.5 * s + second, second, 0.5 / (1.0 + t)
    if kind == HELLINGER:
        root = np.sqrt(t)
        return 0.5 * (1.0 - 1.0 / root), 0.5 * (1.0 - root), 0.25 / root
    if kind == CHI2:
        return 2.0 * (t - 1.0), 1.0 - t * t, 2.0 * t
    u = 1.0 / (1.0 + t)
    return (t - 1.0) * (t + 3.0) * u * u, (1.0 - t) * (3.0 * t + 1.0) * u * u, 8.0 * t * u * u * u


@compiled
def at_ends(kind):
    """(g(0), g'(0), lim g'(t), lim g(t) - t g'(t)): the same at ratios 0 and infinity."""
    if kind == KL:
        return 1.0, -np.inf, np.inf, -np.inf
    if kind == REVERSE_KL:
        return np.inf, -np.inf, 1.0, -np.inf
    if kind == JENSEN_SHANNON:
        return 0.5 * np.log(2.0), -np.inf, 0.5 * np.log(2.0), -np.inf
    if kind == HELLINGER:
        return 0.5, -np.inf, 0.5, -np.inf
    if kind == CHI2:
        return 1.0, -2.0, np.inf, -np.inf
    return 1.0, -3.0, 1.0, -3.0


@compiled
def conjugate(kind, a):
    """max over t of a t - g(t)."""
    if kind == KL:
        return np.expm1(a)
    if kind == REVERSE_KL:
        return -np.log1p(-a) if a < 1.0 else np.inf
    if kind == JENSEN_SHANNON:
        beyond = np.expm1(2.0 * min(a, 1.0))
        return -0.5 * np.log1p(-beyond) if beyond < 1.0 else np.inf
    if kind == HELLINGER:
        return a / (1.0 - 2.0 * a) if a < 0.5 else np.inf
    if kind == CHI2:
        return a * (1.0 + 0.25 * a) if a >= -2.0 else -1.0
    if a > 1.0:
        return np.inf
    root = np.sqrt(1.0 - a)
    return a * (3.0 - root) / (1.0 + root) if a >= -3.0 else -1.0


@compiled
def apart(kind, x, a, b):
    """D of the rows a and b of x; infinite where they are not distributions."""
    total = 0.0
    for c in range(x.shape[1]):
        if x[a, c] < 0.0 or x[b, c] < 0.0:
            return np.inf
        total += term(kind, x[a, c], x[b, c])
    return total


@compiled
def nearest_ratio(kind, p, q, multiplier, s):
    """The prox of multiplier * q g(p / q) at (p, q), from a guess s of its log ratio.

    It is (p, q) - multiplier * (the plane's coefficients at its own ratio). Returns (P, Q, s).
    Safeguarded Newton on P - t Q, which falls from positive to negative; a ratio at which P or Q
    would be negative is too large or too small, and one at which both are shows that the prox is 0.
    """
    g_at_zero, alpha_at_zero, alpha_at_infinity, beta_at_infinity = at_ends(kind)
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
        first, second, curve = plane(kind, t, s)
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
def project_nearby(kind, p, q, k, bound, multiplier, logs, out_p, out_q, move, swerve):
    """The same as ``project`` by Newton on the multiplier and all ratios at once, which is quick
    from a good guess. Returns 0 where it is not: ``logs`` are then as good a guess as any.

    Each centre has E = P - t Q = 0, all together H = sum of alpha P + beta Q = bound. ``move`` and
    ``swerve`` are room for the steps of the ratios, and what a step of the multiplier takes off.
    """
    g_at_zero, alpha_at_zero, alpha_at_infinity, beta_at_infinity = at_ends(kind)
    for _ in range(8):
        value, slope, off = 0.0, 0.0, 0.0
        for c in range(k):
            out_p[c] = out_q[c] = 0.0
            move[c] = swerve[c] = 0.0
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
            first, second, curve = plane(kind, t, s)
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
            move[c], swerve[c] = miss / fall, along / fall
            off = max(off, abs(move[c]))
        miss = value - bound
        if slope >= 0.0:
            return 0.0
        if off <= 1e-10 and abs(miss) <= 1e-9 * bound:
            return multiplier
        step = -miss / slope
        if not abs(step) < 0.9 * multiplier:
            return 0.0
        for c in range(k):
            log_step = move[c] - swerve[c] * step
            if not abs(log_step) < 3.0:
                return 0.0
            logs[c] = min(max(logs[c] + log_step, -WIDEST), WIDEST)
        multiplier += step
    return 0.0


@compiled
def project(kind, p, q, k, bound, multiplier, logs, out_p, out_q, move, swerve):
    """The nearest pair to (p, q) with D <= bound, from guesses of its multiplier and log ratios.

    Returns the multiplier: zero where (p, q) is such a pair itself.
    """
    total = 0.0
    for c in range(k):  # nearest without a negative entry: often that is all there is to it
        out_p[c], out_q[c] = max(p[c], 0.0), max(q[c], 0.0)
        total += term(kind, out_p[c], out_q[c])
    if total <= bound:
        return 0.0
    g_at_zero, _, alpha_at_infinity, _ = at_ends(kind)
    low, high = 0.0, np.inf
    if multiplier < SMALLEST:  # no guess: pairs that are barely unfair, or fair but for a sign
        multiplier = 1e-2
        for c in range(k):
            logs[c] = np.log(min(max(p[c], 1e-3), 1.0) / min(max(q[c], 1e-3), 1.0))
    else:
        found = project_nearby(kind, p, q, k, bound, multiplier, logs, out_p, out_q, move, swerve)
        if found > SMALLEST:
            return found
    for _ in range(60):
        total = 0.0
        slope = 0.0
        for c in range(k):
            P, Q, s = nearest_ratio(kind, p[c], q[c], multiplier, logs[c])
            out_p[c], out_q[c], logs[c] = P, Q, s
            total += term(kind, P, Q)
            if P > 0.0 and Q > 0.0:
                t = np.exp(s)
                first, second, curve = plane(kind, t, s)
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
        if abs(miss) <= 1e-9 * bound + 1e-15 or (miss < 0.0 and multiplier <= SMALLEST):
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


@compiled
def values(lo, hi, kind, x, i, j, out):
    """D of the pairs lo..hi."""
    for r in range(lo, hi):
        out[r] = apart(kind, x, i[r], j[r])


@compiled
def mixed_apart(kind, x, a, b, share, common):
    """D of the rows a and b of x, each mixed with this share of a common distribution."""
    total = 0.0
    for c in range(x.shape[1]):
        extra = share * common[c]
        total += term(kind, (1.0 - share) * x[a, c] + extra, (1.0 - share) * x[b, c] + extra)
    return total


@compiled
def share_to_mix(kind, x, a, b, bound, common, least):
    """The share of the common distribution that brings the pair within its bound, if it is more
    than ``least``; else ``least``.
    """
    if mixed_apart(kind, x, a, b, least, common) <= bound:
        return least
    low, high = least, 1.0
    for _ in range(50):
        middle = np.sqrt(low * high) if low > 0.0 else 0.01 * high
        if mixed_apart(kind, x, a, b, middle, common) > bound:
            low = middle
        else:
            high = middle
        if high - low <= 1e-3 * high or high < 1e-15:
            break
    return high


@compiled
def listed_above(lo, hi, kind, x, i, j, bound, common, out):
    """Of the pairs lo..hi those with D > bound: their places from out[lo] on.

    Returns how many there are, and how much mixing would bring all of them within their bounds.
    """
    count = 0
    share = 0.0
    for r in range(lo, hi):
        if apart(kind, x, i[r], j[r]) > bound[r]:
            out[lo + count] = r
            count += 1
            share = share_to_mix(kind, x, i[r], j[r], bound[r], common, share)
    return count, share


@compiled
def bring_together(kind, x, i, j, bound, margin):
    """Move both ends of each violated pair towards each other, to bound * (1 - margin).

    One pass over the pairs; returns how many were violated.
    """
    k = x.shape[1]
    violated = 0
    for r in range(len(i)):
        a, b = i[r], j[r]
        if apart(kind, x, a, b) <= bound[r]:
            continue
        violated += 1
        low, high = 0.0, 0.5  # at half the way they are the same
        for _ in range(20):
            share = 0.5 * (low + high)
            total = 0.0
            for c in range(k):
                move = share * (x[b, c] - x[a, c])
                total += term(kind, x[a, c] + move, x[b, c] - move)
            if total > (1.0 - margin) * bound[r]:
                low = share
            else:
                high = share
        for c in range(k):
            move = high * (x[b, c] - x[a, c])
            x[a, c] += move
            x[b, c] -= move
    return violated


@compiled
def bring_together_within(kind, x, allowed, i, j, bound, margin):
    """The same where points may only use the centres allowed to them."""
    k = x.shape[1]
    meet = np.empty(k)
    violated = 0
    for r in range(len(i)):
        a, b = i[r], j[r]
        if apart(kind, x, a, b) <= bound[r]:
            continue
        violated += 1
        if not meeting_point(x, allowed, a, b, meet):
            continue
        low, high = 0.0, 1.0
        for _ in range(20):
            share = 0.5 * (low + high)
            if mixed_apart(kind, x, a, b, share, meet) > (1.0 - margin) * bound[r]:
                low = share
            else:
                high = share
        for c in range(k):
            x[a, c] += high * (meet[c] - x[a, c])
            x[b, c] += high * (meet[c] - x[b, c])
    return violated


@compiled
def price(kind, image, r, k, bound, multiplier):
    """Lagrange's bound on alpha.p + beta.q over fair distributions, (alpha, beta) = image[r]: see
    ``FDivergence.price``.
    """
    worst = -np.inf
    for c in range(k):
        cost = image[r, k + c] + multiplier * conjugate(kind, image[r, c] / multiplier)
        worst = max(worst, cost)
    return multiplier * bound + worst


@compiled
def dual_price(lo, hi, kind, image, guess, bound):
    """The price of the images of the pairs lo..hi.

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
        middle = max(guess[r, 0], 1e-12 * size)
        step = 0.01
        at_middle = price(kind, image, r, k, bound[r], middle)
        for _ in range(40):
            up, down = middle * (1.0 + step), middle / (1.0 + step)
            at_up = price(kind, image, r, k, bound[r], up)
            at_down = price(kind, image, r, k, bound[r], down)
            if at_up < at_middle or (np.isinf(at_middle) and np.isinf(at_up)):
                middle, at_middle = up, at_up
                step *= 2.0
            elif at_down < at_middle:
                middle, at_middle = down, at_down
                step *= 2.0
            else:
                step *= 0.25
            if step < 1e-5:
                break
        total += min(least, at_middle)
    return total


@compiled
def dual_step(
    lo, hi, kind, u, anchor, image, guess, awake, reflected, i, j, bound, step_of, weight, keep,
    back,
):  # fmt: skip
    """One step of the pairs lo..hi; returns the squared length of the move, in the step's norm.

    ``guess`` holds each pair's multiplier (of the image: what a unit of its bound costs) and the
    log ratios of its last projection, where the next one starts.
    """
    k = reflected.shape[1]
    p, q, P, Q, logs = np.empty(k), np.empty(k), np.empty(k), np.empty(k), np.empty(k)
    room, more_room = np.empty(k), np.empty(k)
    moved = 0.0
    for r in range(lo, hi):
        a, b = i[r], j[r]
        if not awake[r] and apart(kind, reflected, a, b) <= bound[r]:
            continue
        step = step_of[r] * weight
        inverse = 1.0 / step
        for c in range(k):
            p[c] = u[r, c] * inverse + reflected[a, c]
            q[c] = u[r, k + c] * inverse + reflected[b, c]
            logs[c] = guess[r, 1 + c]
        multiplier = project(
            kind, p, q, k, bound[r], guess[r, 0] * inverse, logs, P, Q, room, more_room
        )
        guess[r, 0] = multiplier * step
        stays_awake = False
        for c in range(2 * k):
            out = step * (p[c] - P[c]) if c < k else step * (q[c - k] - Q[c - k])
            if c < k:
                guess[r, 1 + c] = logs[c]
            move = out - u[r, c]
            moved += move * move * inverse
            image[r, c] = out
            value = keep * (out + move) + back * anchor[r, c]
            u[r, c] = value
            if value != 0.0 or anchor[r, c] != 0.0 or out != 0.0:
                stays_awake = True
        awake[r] = stays_awake
    return moved
