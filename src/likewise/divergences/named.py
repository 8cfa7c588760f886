"""The f-divergences with names, each with its formulas written down: see ``f_divergences``."""

import numpy as np
from scipy.special import xlogy

from likewise._typing import Array
from likewise.divergences.f_divergence import FDivergence


class _Named(FDivergence):
    """A divergence whose class says everything."""

    name: str
    symmetric: bool
    at_zero: float
    at_infinity: float
    largest_multiplier = 30.0

    def __init__(self) -> None:
        pass

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other)

    def __hash__(self) -> int:
        return hash(type(self))


class KullbackLeibler(_Named):
    """``KL(P || Q) = sum_c P_c log(P_c / Q_c)``; f(t) = t log t. Infinite where Q_c = 0 < P_c."""

    name = "kl"
    symmetric = False
    at_zero, at_infinity = 1.0, np.inf

    def terms(self, p: Array, q: Array) -> Array:
        p, q = np.maximum(p, 0.0), np.maximum(q, 0.0)
        with np.errstate(divide="ignore", invalid="ignore"):
            value = xlogy(p, np.where(p > 0, p / q, 1.0)) - p + q
        return np.maximum(value, 0.0)

    def slope(self, t: Array) -> Array:
        return np.log(t)

    def conjugate(self, a: Array) -> Array:
        with np.errstate(over="ignore"):
            return np.expm1(a)


class ReverseKullbackLeibler(_Named):
    """``KL(Q || P) = sum_c Q_c log(Q_c / P_c)``; f(t) = -log t. Infinite where P_c = 0 < Q_c."""

    name = "reverse-kl"
    symmetric = False
    at_zero, at_infinity = np.inf, 1.0

    def terms(self, p: Array, q: Array) -> Array:
        return KullbackLeibler().terms(q, p)

    def slope(self, t: Array) -> Array:
        return 1.0 - 1.0 / t

    def conjugate(self, a: Array) -> Array:
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(a < 1, -np.log1p(-np.minimum(a, 1.0)), np.inf)


class JensenShannon(_Named):
    """``JS(P, Q) = (KL(P || M) + KL(Q || M)) / 2``, M their mean; at most log 2.

    f(t) = (t log t - (1 + t) log((1 + t) / 2)) / 2.
    """

    name = "jensen-shannon"
    symmetric = True
    at_zero = at_infinity = 0.5 * np.log(2.0)

    def terms(self, p: Array, q: Array) -> Array:
        middle = 0.5 * (np.maximum(p, 0.0) + np.maximum(q, 0.0))
        kl = KullbackLeibler()
        return 0.5 * (kl.terms(p, middle) + kl.terms(q, middle))

    def slope(self, t: Array) -> Array:
        return 0.5 * np.log1p((t - 1.0) / (1.0 + t))

    def conjugate(self, a: Array) -> Array:
        beyond = np.expm1(2.0 * np.minimum(a, 1.0))
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(beyond < 1, -0.5 * np.log1p(-beyond), np.inf)


class Hellinger(_Named):
    """``H^2(P, Q) = 1/2 sum_c (sqrt P_c - sqrt Q_c)^2``: the squared Hellinger distance, at most 1.

    f(t) = (sqrt t - 1)^2 / 2.
    """

    name = "hellinger"
    symmetric = True
    at_zero = at_infinity = 0.5

    def terms(self, p: Array, q: Array) -> Array:
        return 0.5 * (np.sqrt(np.maximum(p, 0.0)) - np.sqrt(np.maximum(q, 0.0))) ** 2

    def slope(self, t: Array) -> Array:
        return 0.5 * (1.0 - 1.0 / np.sqrt(t))

    def conjugate(self, a: Array) -> Array:
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(a < 0.5, a / (1.0 - 2.0 * a), np.inf)


class ChiSquared(_Named):
    """``chi^2(P || Q) = sum_c (P_c - Q_c)^2 / Q_c``; f(t) = (t - 1)^2 (Pearson's)."""

    name = "chi2"
    symmetric = False
    at_zero, at_infinity = 1.0, np.inf

    def terms(self, p: Array, q: Array) -> Array:
        p, q = np.maximum(p, 0.0), np.maximum(q, 0.0)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(p == q, 0.0, (p - q) ** 2 / q)

    def slope(self, t: Array) -> Array:
        return 2.0 * (t - 1.0)

    def conjugate(self, a: Array) -> Array:
        return np.where(a >= -2.0, a * (1.0 + 0.25 * a), -1.0)


class Triangular(_Named):
    """``sum_c (P_c - Q_c)^2 / (P_c + Q_c)``: Vincze and Le Cam's, at most 2.

    f(t) = (t - 1)^2 / (t + 1).
    """

    name = "triangular"
    symmetric = True
    at_zero = at_infinity = 1.0

    def terms(self, p: Array, q: Array) -> Array:
        p, q = np.maximum(p, 0.0), np.maximum(q, 0.0)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(p == q, 0.0, (p - q) ** 2 / (p + q))

    def slope(self, t: Array) -> Array:
        return (t - 1.0) * (t + 3.0) / (t + 1.0) ** 2

    def conjugate(self, a: Array) -> Array:
        root = np.sqrt(np.maximum(1.0 - a, 0.0))
        inside = a * (3.0 - root) / (1.0 + root)
        return np.where(a > 1.0, np.inf, np.where(a >= -3.0, inside, -1.0))
