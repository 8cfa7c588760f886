"""Compiled formulas of the f-divergences: what differs between one and another.

``kind`` numbers the divergence; formulas are those of the generator g (see ``f_divergences``).
Ratios t = p / q are kept as s = log t.
"""

import numpy as np

from likewise.compute.jit import compiled

KL, REVERSE_KL, JENSEN_SHANNON, HELLINGER, CHI2, TRIANGULAR = range(6)


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
