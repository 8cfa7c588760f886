"""f-divergences: ``D_f(P || Q) = sum_c Q_c f(P_c / Q_c)`` for a convex f with f(1) = 0.

Adding a multiple of t - 1 to f changes no divergence between distributions. So everything here
works with the generator g = f - f'(1) (t - 1), which is never negative and has g(1) = g'(1) = 0.
What solvers and certificates need of it:

* ``terms(p, q)`` = q g(p / q), with 0 g(0/0) = 0 and 0 g(p/0) = p g'(inf);
* ``slope(t)`` = g'(t). A plane that supports D at (P, Q) has the coefficients
  alpha_c = g'(t_c) and beta_c = g(t_c) - t_c g'(t_c), t_c = P_c / Q_c;
* ``conjugate(a)`` = max over t of a t - g(t), which prices dual vectors (``FDivergence.price``).

A divergence of one's own is ``FDivergence(f)``; a named one is a small class with these formulas.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from likewise._typing import Array
from likewise.errors import InvalidArgument

RATIOS = 1e6  # slopes are taken at ratios t between 1 / RATIOS and RATIOS: still valid planes
TABLE_CELLS = 4_000_000  # probabilities in a block of a table
LINE_STEPS = 60  # of a bisection along a line, or of a golden section


class FDivergence:
    """Any f-divergence, from its f.

    Parameters
    ----------
    f : callable
        A convex function on (0, inf) with f(1) = 0, of an array of numbers.
    f_prime : callable, optional
        Its derivative (any subgradient will do); derived numerically if it is not given.
    name : str
        What messages call it.
    symmetric : bool, optional
        Whether D(P || Q) = D(Q || P); found out if it is not said.
    at_zero, slope_at_infinity : float, optional
        The limits of f(t) at 0 and of f(t) / t at infinity, possibly infinite; found out if they
        are not given.
    """

    piecewise_linear = False
    # log of the largest multiplier that ``price`` tries, in units of its duals. It multiplies the
    # rounding errors of the conjugate, which formulas keep small and a search does not.
    largest_multiplier = 15.0

    def __init__(
        self,
        f: Callable[[Array], Array],
        f_prime: Callable[[Array], Array] | None = None,
        *,
        name: str = "custom",
        symmetric: bool | None = None,
        at_zero: float | None = None,
        slope_at_infinity: float | None = None,
    ) -> None:
        self.name = name
        self._f = f
        self._f_prime = f_prime or _derivative_of(f)
        _check_generator(self._f, self._f_prime, name)
        self._tilt = float(_called(self._f_prime, np.ones(1))[0])
        zero = _limit_at_zero(f) if at_zero is None else at_zero
        steepest = _limit_of_slope(f) if slope_at_infinity is None else slope_at_infinity
        self.at_zero = zero + self._tilt
        self.at_infinity = steepest - self._tilt
        self.symmetric = self._looks_symmetric() if symmetric is None else symmetric

    def __repr__(self) -> str:
        return f"FDivergence({self.name!r})"

    # what a named divergence writes down itself

    def terms(self, p: Array, q: Array) -> Array:
        """q g(p / q), entry by entry."""
        p, q = np.broadcast_arrays(p, q)
        value = np.zeros(p.shape)
        inside = (p > 0) & (q > 0)
        t = p[inside] / q[inside]
        value[inside] = q[inside] * np.maximum(_called(self._f, t) - self._tilt * (t - 1), 0.0)
        only_q, only_p = (p <= 0) & (q > 0), (p > 0) & (q <= 0)
        value[only_q] = q[only_q] * self.at_zero
        value[only_p] = p[only_p] * self.at_infinity
        return value

    def slope(self, t: Array) -> Array:
        """g'(t)."""
        return _called(self._f_prime, t) - self._tilt

    def conjugate(self, a: Array) -> Array:
        """max over t of a t - g(t): bisection on the slope."""
        a = np.asarray(a, dtype=np.float64)
        low, high = np.full(a.shape, -np.log(RATIOS)), np.full(a.shape, np.log(RATIOS))
        for _ in range(LINE_STEPS):
            middle = 0.5 * (low + high)
            steep = self.slope(np.exp(middle)) > a
            low, high = np.where(steep, low, middle), np.where(steep, middle, high)
        t = np.exp(0.5 * (low + high))
        value = a * t - self.terms(t, np.ones_like(t))
        value = np.where(np.isfinite(self.at_zero), np.maximum(value, -self.at_zero), value)
        return np.where(a > self.at_infinity, np.inf, value)

    # what follows from it

    @property
    def largest(self) -> float:
        """No two distributions are further apart than this."""
        return self.at_zero + self.at_infinity

    def values(self, P: Array, Q: Array) -> Array:
        return self.terms(P, Q).sum(axis=-1)

    def table(self, P: Array, Q: Array) -> Array:
        return table_of_values(self.values, P, Q)

    def cuts(self, P: Array, Q: Array, bound: Array) -> tuple[Array, Array, Array]:
        """Planes that support the fair pairs where the line from a fair pair to (P, Q) leaves them.

        The fair pair is (M, M), M the mean of P and Q and a little of everything.
        """
        k = P.shape[1]
        P, Q = np.maximum(P, 0.0), np.maximum(Q, 0.0)
        M = 0.499 * (P + Q) + 0.002 / k
        low, high = np.zeros(len(P)), np.ones(len(P))
        for _ in range(LINE_STEPS):
            middle = 0.5 * (low + high)
            share = middle[:, None]
            too_far = self.values(M + share * (P - M), M + share * (Q - M)) > bound
            low, high = np.where(too_far, low, middle), np.where(too_far, middle, high)
        share = low[:, None]
        p, q = M + share * (P - M), M + share * (Q - M)
        t = np.clip((p + 1e-300) / (q + 1e-300), 1 / RATIOS, RATIOS)
        alpha = self.slope(t)
        return alpha, self.terms(t, np.ones_like(t)) - t * alpha, bound

    def price(self, alpha: Array, beta: Array, bound: Array) -> Array:
        """Lagrange, for any multiplier: alpha.p + beta.q <= multiplier * (bound - D) + alpha.p +
        beta.q, whose maximum over q, and over p without its sum, is
        multiplier * bound + max_c (beta_c + multiplier * conjugate(alpha_c / multiplier)).
        Convex in the multiplier: the least is found by golden section.
        """
        free = alpha.max(axis=1) + beta.max(axis=1)  # what it costs without any bound
        size = np.maximum(np.abs(alpha).max(axis=1, initial=0.0), 1e-300)
        within = np.where(np.isfinite(bound), bound, 0.0)

        def at(log_multiplier: Array) -> Array:
            multiplier = size * np.exp(log_multiplier)
            with np.errstate(over="ignore", invalid="ignore"):
                worst = beta + multiplier[:, None] * self.conjugate(alpha / multiplier[:, None])
            return multiplier * within + np.nan_to_num(worst, nan=np.inf).max(axis=1)

        least = _golden_section(at, len(alpha), -30.0, self.largest_multiplier)
        return np.where(np.isfinite(bound), np.minimum(free, least), free)

    def _looks_symmetric(self) -> bool:
        t = np.geomspace(1e-3, 1e3, 41)
        one = np.ones_like(t)
        return bool(np.allclose(self.terms(t, one), self.terms(one, t), rtol=1e-9, atol=1e-12))


def table_of_values(values: Callable[[Array, Array], Array], P: Array, Q: Array) -> Array:
    """values(P_r, Q_s) for every row r of P and every row s of Q, a few rows at a time."""
    table = np.empty((len(P), len(Q)))
    rows = max(1, TABLE_CELLS // Q.size)
    for start in range(0, len(P), rows):
        part = slice(start, start + rows)
        table[part] = values(P[part, None, :], Q[None, :, :])
    return table


def _golden_section(at: Callable[[Array], Array], count: int, low: float, high: float) -> Array:
    """The least value of each of so many unimodal functions on [low, high]."""
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
        at_c, at_d = at(c), at(d)
        least = np.minimum(least, np.minimum(at_c, at_d))
    return least


def _called(f: Callable[[Array], Array], t: Array) -> Array:
    """f of an array, also for functions that only take numbers."""
    try:
        value = np.asarray(f(t), dtype=np.float64)
    except (TypeError, ValueError):
        one_by_one: Any = f
        values = [one_by_one(float(v)) for v in t.ravel()]
        value = np.array(values, dtype=np.float64).reshape(t.shape)
    return np.broadcast_to(value, t.shape).copy() if value.shape != t.shape else value


def _derivative_of(f: Callable[[Array], Array]) -> Callable[[Array], Array]:
    """Central differences of fourth order."""

    def f_prime(t: Array) -> Array:
        h = 1e-3 * t
        near = _called(f, t + h) - _called(f, t - h)
        far = _called(f, t + 2 * h) - _called(f, t - 2 * h)
        return (8 * near - far) / (12 * h)

    return f_prime


def _check_generator(f: Any, f_prime: Any, name: str) -> None:
    t = np.geomspace(1e-6, 1e6, 241)
    remedy = "Use a convex f, finite on (0, inf), with f(1) = 0, and its derivative."
    if not callable(f):
        raise InvalidArgument("f", f"{f!r} is not a function.", remedy)
    try:
        value, slope, one = _called(f, t), _called(f_prime, t), _called(f, np.ones(1))[0]
    except Exception as error:
        raise InvalidArgument("f", f"{name} failed: {error}.", remedy) from error
    if not (np.isfinite(value).all() and np.isfinite(slope).all()):
        raise InvalidArgument("f", f"{name} is not finite everywhere on (0, inf).", remedy)
    if abs(one) > 1e-9:
        raise InvalidArgument("f", f"{name} has f(1) = {one:g}, not 0.", remedy)
    size = 1.0 + np.abs(value)
    # every tangent must lie below the function
    tangent = value[:, None] + slope[:, None] * (t - t[:, None])
    above = tangent - value - 1e-6 * (size + np.abs(tangent))
    if above.max() > 0:
        at, where = np.unravel_index(above.argmax(), above.shape)
        raise InvalidArgument(
            "f",
            f"{name} is not convex, or f_prime is not its derivative: the tangent at"
            f" t = {t[at]:.3g} is above f at t = {t[where]:.3g}.",
            remedy,
        )


def _limit_at_zero(f: Callable[[Array], Array]) -> float:
    """lim f(t) for t -> 0: a number, or infinity."""
    with np.errstate(all="ignore"):
        near = _called(f, np.array([1e-100, 1e-200, 1e-300]))
    settled = np.isfinite(near).all() and abs(near[2] - near[1]) <= 1e-9 * (1 + abs(near[2]))
    return float(near[2]) if settled else float("inf")


def _limit_of_slope(f: Callable[[Array], Array]) -> float:
    """lim f(t) / t for t -> inf: a number, or infinity."""
    t = np.array([1e40, 1e80, 1e120])
    with np.errstate(all="ignore"):
        steep = _called(f, t) / t
    settled = np.isfinite(steep).all() and abs(steep[2] - steep[1]) <= 1e-9 * (1 + abs(steep[2]))
    return float(steep[2]) if settled else float("inf")
