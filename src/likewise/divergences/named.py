"""The f-divergences with names: the formulas of each, once.

A new one is a class like these (``generator.Formulas`` says what is asked of it) and its entry in
``NAMED``; the rest follows: its methods for arrays, both engines, its place in the registry. The
functions are compiled; numbers p, q, t = exp(s) and a come in, numbers go out. The classes are
named tuples because compiled loops take these, each for a type of its own (``formulas``).
"""

from math import inf, log
from typing import NamedTuple

import numpy as np

from likewise.compute.jit import compiled
from likewise.divergences.generator import Formulas, Limits
from likewise.divergences.shortcuts.majorants import Majorant


class KullbackLeibler(NamedTuple):
    """``KL(P || Q) = sum_c P_c log(P_c / Q_c)``; g(t) = t log t - t + 1.

    Infinite where Q_c = 0 < P_c.
    """

    symmetric: bool = False
    limits: Limits = Limits(1.0, -inf, inf, -inf)
    majorant: Majorant = Majorant(1.0, 0.0, 1.0)

    @staticmethod
    @compiled
    def term(p, q):
        if q <= 0.0:
            return np.inf
        return q if p <= 0.0 else max(p * np.log(p / q) - p + q, 0.0)

    @staticmethod
    @compiled
    def apart(p):
        log = np.log(p) if p > 0.0 else -np.inf
        return -p, log, (p * log if p > 0.0 else 0.0) - p, p

    @staticmethod
    @compiled
    def plane(t, s):
        return s, 1.0 - t, 1.0

    @staticmethod
    @compiled
    def conjugate(a):
        return np.expm1(a)


class ReverseKullbackLeibler(NamedTuple):
    """``KL(Q || P) = sum_c Q_c log(Q_c / P_c)``; g(t) = -log t + t - 1.

    Infinite where P_c = 0 < Q_c.
    """

    symmetric: bool = False
    limits: Limits = Limits(inf, -inf, 1.0, -inf)
    majorant: Majorant = Majorant(1.0, 1.0, 0.0)

    @staticmethod
    @compiled
    def term(p, q):
        if p <= 0.0:
            return np.inf
        return p if q <= 0.0 else max(q * np.log(q / p) - q + p, 0.0)

    @staticmethod
    @compiled
    def apart(p):
        log = np.log(p) if p > 0.0 else -np.inf
        return log, -p, p, (p * log if p > 0.0 else 0.0) - p

    @staticmethod
    @compiled
    def plane(t, s):
        return 1.0 - 1.0 / t, -s, 1.0 / t

    @staticmethod
    @compiled
    def conjugate(a):
        return -np.log1p(-a) if a < 1.0 else np.inf


class JensenShannon(NamedTuple):
    """``JS(P, Q) = (KL(P || M) + KL(Q || M)) / 2``, M their mean; at most log 2.

    g(t) = (t log t - (1 + t) log((1 + t) / 2)) / 2.
    """

    symmetric: bool = True
    limits: Limits = Limits(0.5 * log(2.0), -inf, 0.5 * log(2.0), -inf)
    majorant: Majorant = Majorant(0.5 * log(2.0), 1.0, 1.0)

    @staticmethod
    @compiled
    def term(p, q):
        middle = 0.5 * (p + q)
        if middle <= 0.0:  # the smallest number there is, halved
            return 0.0
        total = 0.0
        if p > 0.0:
            total += p * np.log(p / middle)
        if q > 0.0:
            total += q * np.log(q / middle)
        return max(0.5 * total, 0.0)

    @staticmethod
    @compiled
    def plane(t, s):
        second = 0.5 * np.log(2.0 / (1.0 + t))
        return 0.5 * s + second, second, 0.5 / (1.0 + t)

    @staticmethod
    @compiled
    def conjugate(a):
        beyond = np.expm1(2.0 * min(a, 1.0))
        return -0.5 * np.log1p(-beyond) if beyond < 1.0 else np.inf


class Hellinger(NamedTuple):
    """``H^2(P, Q) = 1/2 sum_c (sqrt P_c - sqrt Q_c)^2``: the squared Hellinger distance, at most 1.

    g(t) = (sqrt t - 1)^2 / 2.
    """

    symmetric: bool = True
    limits: Limits = Limits(0.5, -inf, 0.5, -inf)
    majorant: Majorant = Majorant(0.5, 1.0, 1.0)

    @staticmethod
    @compiled
    def term(p, q):
        root = np.sqrt(p) - np.sqrt(q)
        return 0.5 * root * root

    @staticmethod
    @compiled
    def apart(p):
        root = np.sqrt(p)
        return -root, root, 0.5 * p, 0.5 * p

    @staticmethod
    @compiled
    def plane(t, s):
        root = np.sqrt(t)
        return 0.5 * (1.0 - 1.0 / root), 0.5 * (1.0 - root), 0.25 / root

    @staticmethod
    @compiled
    def conjugate(a):
        return a / (1.0 - 2.0 * a) if a < 0.5 else np.inf


class ChiSquared(NamedTuple):
    """``chi^2(P || Q) = sum_c (P_c - Q_c)^2 / Q_c`` (Pearson's); g(t) = (t - 1)^2.

    Infinite where Q_c = 0 < P_c.
    """

    symmetric: bool = False
    limits: Limits = Limits(1.0, -2.0, inf, -inf)
    majorant: Majorant = Majorant(1.0, 0.0, 1.0)

    @staticmethod
    @compiled
    def term(p, q):
        return np.inf if q <= 0.0 else (p - q) * (p - q) / q

    @staticmethod
    @compiled
    def apart(p):
        return p * p, 1.0 / p if p > 0.0 else np.inf, -2.0 * p, p

    @staticmethod
    @compiled
    def plane(t, s):
        return 2.0 * (t - 1.0), 1.0 - t * t, 2.0 * t

    @staticmethod
    @compiled
    def conjugate(a):
        return a * (1.0 + 0.25 * a) if a >= -2.0 else -1.0


class Triangular(NamedTuple):
    """``sum_c (P_c - Q_c)^2 / (P_c + Q_c)``: Vincze and Le Cam's, at most 2.

    g(t) = (t - 1)^2 / (t + 1).
    """

    symmetric: bool = True
    limits: Limits = Limits(1.0, -3.0, 1.0, -3.0)
    majorant: Majorant = Majorant(1.0, 1.0, 1.0)

    @staticmethod
    @compiled
    def term(p, q):
        return (p - q) * (p - q) / (p + q)

    @staticmethod
    @compiled
    def plane(t, s):
        u = 1.0 / (1.0 + t)
        first, second = (t - 1.0) * (t + 3.0) * u * u, (1.0 - t) * (3.0 * t + 1.0) * u * u
        return first, second, 8.0 * t * u * u * u

    @staticmethod
    @compiled
    def conjugate(a):
        if a > 1.0:
            return np.inf
        root = np.sqrt(1.0 - a)
        return a * (3.0 - root) / (1.0 + root) if a >= -3.0 else -1.0


NAMED: dict[str, Formulas] = {
    "kl": KullbackLeibler(),
    "reverse-kl": ReverseKullbackLeibler(),
    "jensen-shannon": JensenShannon(),
    "hellinger": Hellinger(),
    "chi2": ChiSquared(),
    "triangular": Triangular(),
}
