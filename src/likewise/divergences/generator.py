"""f-divergences: ``D_f(P || Q) = sum_c Q_c f(P_c / Q_c)`` for a convex f with f(1) = 0.

Adding a multiple of t - 1 to f changes no divergence between distributions. So everything here
works with the generator g = f - f'(1) (t - 1), which is never negative and has g(1) = g'(1) = 0.
What solvers and certificates need of it:

* the term ``q g(p / q)``, with 0 g(0/0) = 0 and 0 g(p/0) = p lim g(t)/t;
* the plane that supports it at the ratio t = p / q: ``alpha = g'(t)``, ``beta = g(t) - t g'(t)``.
  A plane that supports D at (P, Q) has these coefficients at every centre;
* the conjugate ``g*(a) = max over t of a t - g(t)``, which the support function is made of.

``GeneratorDivergence`` has what follows from these three. Where they come from is up to the classes
that stand on it: formulas that are written down (``Formulas``), or a function of one's own.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import NamedTuple, Protocol, TypeAlias

import numpy as np

from likewise._typing import Array
from likewise.divergences.base import table_of_values

LARGEST_RATIO = 1e15  # of two probabilities that repairs by mixing leave
LINE_STEPS = 60  # of a bisection or a golden section: what doubles can tell apart
SMALLEST_MULTIPLIER = -30.0  # log of the least that ``support_function`` tries, as below
TO_TELL_APART = np.geomspace(1e-3, 1e3, 31)  # ratios at which a fingerprint looks at g


class Limits(NamedTuple):
    """Where the planes end: at the ratios 0 and infinity."""

    value_at_zero: float  # g(0)
    slope_at_zero: float  # g'(0)
    slope_at_infinity: float  # lim g'(t) = lim g(t) / t
    offset_at_infinity: float  # lim g(t) - t g'(t)


class Formulas(Protocol):
    """An f-divergence written down: functions of numbers, without any array."""

    @property
    def symmetric(self) -> bool: ...

    @property
    def limits(self) -> Limits: ...

    @staticmethod
    def term(p: float, q: float) -> float:
        """q g(p / q) for p != q, neither of them negative; at most one of them is zero."""
        ...

    @staticmethod
    def plane(t: float, s: float) -> tuple[float, float, float]:
        """(g'(t), g(t) - t g'(t), t g''(t)) at t = exp(s): the plane, and its curvature."""
        ...

    @staticmethod
    def conjugate(a: float) -> float:
        """max over t >= 0 of a t - g(t)."""
        ...


class Factored(Formulas, Protocol):
    """A divergence whose terms come apart (``shortcuts.factors``)."""

    @staticmethod
    def apart(p: float) -> tuple[float, float, float, float]:
        """(left, right, alone_left, alone_right) of a number; at 0 factors may be infinite."""
        ...


# What compiled loops are handed: a tuple whose type tells them which formulas to call, with fields
# ``limits`` and ``majorant`` (``formulas``).
Generator: TypeAlias = object


class GeneratorDivergence(ABC):
    """What follows from the terms, the planes and the conjugate of a generator."""

    piecewise_linear = False
    # log of the largest multiplier that ``support_function`` tries, in units of its duals. It
    # multiplies the rounding errors of the conjugate, which formulas keep small.
    largest_multiplier = 30.0
    # planes are taken at ratios between these: beyond, they are still valid, but need not cut off
    # the pair that they are asked for
    smallest_ratio, largest_ratio = 1 / LARGEST_RATIO, LARGEST_RATIO
    name: str
    symmetric: bool
    at_zero: float  # g(0)
    at_infinity: float  # lim g(t) / t

    @property
    def generator(self) -> Generator | None:
        """What compiled loops take for this divergence; None if it is not compiled."""
        return None

    @abstractmethod
    def terms(self, p: Array, q: Array) -> Array:
        """q g(p / q), entry by entry; negative entries count as zero."""

    @abstractmethod
    def planes(self, t: Array) -> tuple[Array, Array]:
        """(g'(t), g(t) - t g'(t)) for t > 0, entry by entry."""

    @abstractmethod
    def conjugate(self, a: Array) -> Array:
        """max over t of a t - g(t), entry by entry."""

    @property
    def largest(self) -> float:
        """No two distributions are further apart than this: g(0) + lim g(t) / t."""
        return self.at_zero + self.at_infinity

    def at_ratios(self, t: Array) -> Array:
        """g(t), entry by entry."""
        return self.terms(t, np.ones_like(t))

    def fingerprint(self) -> str:
        """The name, and g at some ratios to nine digits: what all machines agree on."""
        g = self.at_ratios(TO_TELL_APART)
        numbers = (f"{value:.9g}" for value in (self.at_zero, self.at_infinity, *g))
        return " ".join([type(self).__name__, self.name, *numbers])

    def values(self, P: Array, Q: Array) -> Array:
        value: Array = self.terms(P, Q).sum(axis=-1)
        return value

    def table(self, P: Array, Q: Array) -> Array:
        return table_of_values(self.values, P, Q)

    def cuts(self, P: Array, Q: Array, bound: Array) -> tuple[Array, Array, Array]:
        """Planes that support the fair pairs where the line from a fair pair to (P, Q) leaves them.

        The fair pair is (M, M), M the mean of P and Q and a little of everything.
        """
        P, Q = np.maximum(P, 0.0), np.maximum(Q, 0.0)
        M = 0.499 * (P + Q) + 0.002 / P.shape[1]
        way = self._fair_way(M, P, Q, bound)[:, None]
        p, q = M + way * (P - M), M + way * (Q - M)
        ratio = (p + 1e-300) / (q + 1e-300)
        alpha, beta = self.planes(np.clip(ratio, self.smallest_ratio, self.largest_ratio))
        return alpha, beta, bound

    def _fair_way(self, M: Array, P: Array, Q: Array, bound: Array) -> Array:
        """How much of the way from (M, M) to (P, Q) is fair, row by row: bisection."""
        low, high = np.zeros(len(P)), np.ones(len(P))
        for _ in range(LINE_STEPS):
            middle = 0.5 * (low + high)
            way = middle[:, None]
            too_far = self.values(M + way * (P - M), M + way * (Q - M)) > bound
            low, high = np.where(too_far, low, middle), np.where(too_far, middle, high)
        return low

    def support_function(self, alpha: Array, beta: Array, bound: Array) -> Array:
        """Lagrange, for any multiplier: alpha.p + beta.q <= multiplier * (bound - D) + alpha.p +
        beta.q, whose maximum over q, and over p without its sum, is
        multiplier * bound + max_c (beta_c + multiplier * conjugate(alpha_c / multiplier)).
        Convex in the multiplier: the least is found by golden section.
        """
        free = alpha.max(axis=1) + beta.max(axis=1)  # without any bound
        size = np.maximum(np.abs(alpha).max(axis=1, initial=0.0), 1e-300)
        within = np.where(np.isfinite(bound), bound, 0.0)

        def at(log_multiplier: Array) -> Array:
            multiplier = size * np.exp(log_multiplier)
            return np.asarray(multiplier * within + self._largest_at(alpha, beta, multiplier))

        least = _golden_section(at, len(alpha), SMALLEST_MULTIPLIER, self.largest_multiplier)
        return np.asarray(np.where(np.isfinite(bound), np.minimum(free, least), free))

    def _largest_at(self, alpha: Array, beta: Array, multiplier: Array) -> Array:
        """max_c (beta_c + multiplier * conjugate(alpha_c / multiplier)), row by row."""
        with np.errstate(over="ignore", invalid="ignore"):
            each = beta + multiplier[:, None] * self.conjugate(alpha / multiplier[:, None])
        return np.asarray(np.nan_to_num(each, nan=np.inf).max(axis=1))


def _golden_section(at: Callable[[Array], Array], count: int, low: float, high: float) -> Array:
    """The least values of ``count`` unimodal functions on [low, high]."""
    ratio = 0.5 * (np.sqrt(5.0) - 1.0)
    a, b = np.full(count, low), np.full(count, high)
    c, d = b - ratio * (b - a), a + ratio * (b - a)
    at_c, at_d = at(c), at(d)
    least = np.minimum(at_c, at_d)
    for _ in range(LINE_STEPS):
        # where both are infinite, the minimum is to the right: multipliers were too small
        left = (at_c < at_d) & np.isfinite(at_c)
        a, b = np.where(left, a, c), np.where(left, d, b)
        c, d = b - ratio * (b - a), a + ratio * (b - a)
        new = at(np.where(left, c, d))  # the other of the two is where the last step looked
        at_c, at_d = np.where(left, new, at_d), np.where(left, at_c, new)
        least = np.minimum(least, new)
    return least
