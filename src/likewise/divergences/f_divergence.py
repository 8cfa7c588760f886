"""An f-divergence of one's own, from its f: see ``generator`` for the theory.

Nothing is compiled: f may be any Python function. Its derivative, its limits and its conjugate are
found by numerical means where they are not given.
"""

from collections.abc import Callable
from typing import TypeAlias, cast

import numpy as np

from likewise._typing import Array
from likewise.divergences.generator import LINE_STEPS, GeneratorDivergence
from likewise.errors import InvalidArgument

RATIOS = 1e6  # between its inverse and this the slope of f is asked for

Function: TypeAlias = Callable[[Array], Array]


class FDivergence(GeneratorDivergence):
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

    largest_ratio = RATIOS  # derivatives that are found by differences are too rough beyond it
    largest_multiplier = 15.0  # the conjugate comes from a search, and is less exact than a formula

    def __init__(
        self,
        f: Function,
        f_prime: Function | None = None,
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
        self._tilt = float(_called(self._f_prime, np.ones(1))[0])  # g = f - tilt (t - 1)
        zero = _limit_at_zero(f) if at_zero is None else at_zero
        steepest = _limit_of_slope(f) if slope_at_infinity is None else slope_at_infinity
        self.at_zero = zero + self._tilt
        self.at_infinity = steepest - self._tilt
        self.symmetric = self._looks_symmetric() if symmetric is None else symmetric

    def __repr__(self) -> str:
        return f"FDivergence({self.name!r})"

    def terms(self, p: Array, q: Array) -> Array:
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
        """g'(t), entry by entry."""
        return _called(self._f_prime, t) - self._tilt

    def planes(self, t: Array) -> tuple[Array, Array]:
        alpha = self.slope(t)
        return alpha, self.terms(t, np.ones_like(t)) - t * alpha

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

    def _looks_symmetric(self) -> bool:
        t = np.geomspace(1e-3, 1e3, 41)
        one = np.ones_like(t)
        return bool(np.allclose(self.terms(t, one), self.terms(one, t), rtol=1e-9, atol=1e-12))


def _called(f: Function, t: Array) -> Array:
    """f of an array, also for functions that only take numbers."""
    try:
        value = np.asarray(f(t), dtype=np.float64)
    except (TypeError, ValueError):
        of_a_number = cast(Callable[[float], float], f)
        values = [of_a_number(float(v)) for v in t.ravel()]
        value = np.array(values, dtype=np.float64).reshape(t.shape)
    return np.broadcast_to(value, t.shape).copy() if value.shape != t.shape else value


def _derivative_of(f: Function) -> Function:
    """Central differences of fourth order."""

    def f_prime(t: Array) -> Array:
        h = 1e-3 * t
        near = _called(f, t + h) - _called(f, t - h)
        far = _called(f, t + 2 * h) - _called(f, t - 2 * h)
        return np.asarray((8 * near - far) / (12 * h))

    return f_prime


def _check_generator(f: Function, f_prime: Function, name: str) -> None:
    """Refuse what is no convex function on (0, inf) with f(1) = 0 and this derivative."""
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


def _limit_at_zero(f: Function) -> float:
    """lim f(t) for t -> 0: a number, or infinity."""
    with np.errstate(all="ignore"):
        return _settled(_called(f, np.array([1e-100, 1e-200, 1e-300])))


def _limit_of_slope(f: Function) -> float:
    """lim f(t) / t for t -> inf: a number, or infinity."""
    t = np.array([1e40, 1e80, 1e120])
    with np.errstate(all="ignore"):
        return _settled(_called(f, t) / t)


def _settled(near: Array) -> float:
    """The last of three values if it hardly differs from the one before, else infinity."""
    settled = np.isfinite(near).all() and abs(near[2] - near[1]) <= 1e-9 * (1 + abs(near[2]))
    return float(near[2]) if settled else float("inf")
