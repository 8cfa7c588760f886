"""An f-divergence of one's own, from its f: see ``generator`` for the theory.

Its derivative, its limits and its conjugate are found by numerical means where they are not given.
It is compiled on the spot (``on_the_spot``) when it is first used. A function that cannot be stays
in Python: everything works, but slower, and a warning says why.
"""

import warnings
from collections.abc import Callable
from functools import cached_property
from typing import TypeAlias, cast

import numpy as np

from likewise._typing import Array
from likewise.divergences.formulas import fill_terms
from likewise.divergences.from_formulas import CompiledDivergence
from likewise.divergences.generator import LARGEST_RATIO, LINE_STEPS, Generator, Limits
from likewise.divergences.on_the_spot import CannotCompile, Facts, InMemory, compile_generator
from likewise.errors import InvalidArgument

RATIOS = 1e6  # where f is finite at an end, its planes there are rounding beyond this ratio
LOOKED_AT = np.geomspace(1e-6, 1e6, 241)  # ratios at which f is asked whether it is a generator
SAME = 1e-9  # by which numbers from Python and from what was compiled may differ

Function: TypeAlias = Callable[[Array], Array]


class FDivergence(CompiledDivergence):
    """Any f-divergence, from its f.

    Parameters
    ----------
    f : callable
        A convex function on (0, inf) with f(1) = 0, of a number or an array of numbers.
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
        self._given_f_prime = f_prime
        _check_generator(f, self._f_prime, name)
        self._tilt = float(_called(self._f_prime, np.ones(1))[0])  # g = f - tilt (t - 1)
        zero = _limit_at_zero(f) if at_zero is None else at_zero
        steepest = _limit_of_slope(f) if slope_at_infinity is None else slope_at_infinity
        self.at_zero = zero + self._tilt
        self.at_infinity = steepest - self._tilt
        self.smallest_ratio = 1 / (RATIOS if np.isfinite(self.at_zero) else LARGEST_RATIO)
        self.largest_ratio = RATIOS if np.isfinite(self.at_infinity) else LARGEST_RATIO
        self.symmetric = self._looks_symmetric() if symmetric is None else symmetric

    @property
    def _f_prime(self) -> Function:
        return self._given_f_prime or _derivative_of(self._f)

    def __getstate__(self) -> dict[str, object]:
        """Without what was compiled: addresses mean nothing to another process."""
        return {name: value for name, value in vars(self).items() if name != "_in_memory"}

    @property
    def generator(self) -> Generator | None:
        return None if self._in_memory is None else self._in_memory.generator

    @cached_property
    def _in_memory(self) -> InMemory | None:
        try:
            return self._compiled()
        except CannotCompile as problem:
            warnings.warn(
                f"divergence: {self.name!r} stays in Python ({problem}), which is much slower."
                " Write f, and f_prime if there is one, as a smooth function of one number with"
                " what numba knows: arithmetic, functions of math and numpy, if and else.",
                UserWarning,
                stacklevel=2,
            )
            return None

    def _compiled(self) -> InMemory:
        corner = _corner_of(self._f)
        if corner is not None:
            raise CannotCompile(f"f has a corner at t = {corner:.4g}")
        limits = Limits(
            self.at_zero,
            _slope_at_zero(self.at_ratios, self.at_zero),
            self.at_infinity,
            _slope_at_zero(lambda u: u * self.at_ratios(1 / u), self.at_infinity),
        )
        facts = Facts(self._tilt, limits, self.smallest_ratio, self.largest_ratio)
        made = compile_generator(self._f, self._given_f_prime, facts)
        if not _agree(made, self._terms(LOOKED_AT, np.ones_like(LOOKED_AT))):
            raise CannotCompile("compiled, it gives other numbers")
        return made

    def __repr__(self) -> str:
        return f"FDivergence({self.name!r})"

    def terms(self, p: Array, q: Array) -> Array:
        return self._terms(p, q) if self.generator is None else super().terms(p, q)

    def _terms(self, p: Array, q: Array) -> Array:
        """As Python computes them."""
        p, q = np.broadcast_arrays(p, q)
        value = np.zeros(p.shape)
        inside = (p > 0) & (q > 0)
        value[inside] = q[inside] * self.at_ratios(p[inside] / q[inside])
        only_q, only_p = (p <= 0) & (q > 0), (p > 0) & (q <= 0)
        value[only_q] = q[only_q] * self.at_zero
        value[only_p] = p[only_p] * self.at_infinity
        return value

    def at_ratios(self, t: Array) -> Array:
        """As Python computes it."""
        return np.maximum(_called(self._f, t) - self._tilt * (t - 1), 0.0)

    def slope(self, t: Array) -> Array:
        """g'(t), entry by entry."""
        return _called(self._f_prime, t) - self._tilt

    def planes(self, t: Array) -> tuple[Array, Array]:
        if self.generator is not None:
            return super().planes(t)
        alpha = self.slope(t)
        return alpha, self.at_ratios(t) - t * alpha

    def conjugate(self, a: Array) -> Array:
        """max over t of a t - g(t): where it is not compiled, by bisection on the slope."""
        if self.generator is not None:
            return super().conjugate(a)
        a = np.asarray(a, dtype=np.float64)
        ends = np.log(self.smallest_ratio), np.log(self.largest_ratio)
        low, high = np.full(a.shape, ends[0]), np.full(a.shape, ends[1])
        for _ in range(LINE_STEPS):
            middle = 0.5 * (low + high)
            steep = self.slope(np.exp(middle)) > a
            low, high = np.where(steep, low, middle), np.where(steep, middle, high)
        t = np.exp(0.5 * (low + high))
        value = a * t - self.at_ratios(t)
        value = np.where(np.isfinite(self.at_zero), np.maximum(value, -self.at_zero), value)
        return np.where(a > self.at_infinity, np.inf, value)

    def _looks_symmetric(self) -> bool:
        t = np.geomspace(1e-3, 1e3, 41)
        one = np.ones_like(t)
        return bool(np.allclose(self._terms(t, one), self._terms(one, t), rtol=1e-9, atol=1e-12))


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
    t = LOOKED_AT
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


def _slope_at_zero(g: Function, at_zero: float) -> float:
    """lim g'(t) for t -> 0, by two secants and where they lead; minus infinity if it has none, or
    if that cannot be told.
    """
    if not np.isfinite(at_zero):
        return -np.inf
    t = np.array([1e-4, 2e-4, 1e-5, 2e-5])
    secant = (g(t) - at_zero) / t
    far, near = 2 * secant[0] - secant[1], 2 * secant[2] - secant[3]
    return float(near) if abs(far - near) <= 1e-5 * (1 + abs(near)) else -np.inf


def _corner_of(f: Function) -> float | None:
    """A ratio at which the slope of f jumps, or None: of every interval the half is kept in which
    secants turn more, until the interval is so short that a smooth f is straight there.
    """
    edges = np.geomspace(1.1e-3, 1.3e3, 121)  # 1 is none of them: corners are mostly there
    low, high = edges[:-1], edges[1:]

    def turn(low: Array, high: Array) -> Array:
        middle = 0.5 * (low + high)
        left = (_called(f, middle) - _called(f, low)) / (middle - low)
        right = (_called(f, high) - _called(f, middle)) / (high - middle)
        return np.asarray(right - left)

    first = turn(low, high)
    for _ in range(14):
        third = (high - low) / 3
        parts = np.array([turn(low + third * s, low + third * (s + 2)) for s in (0, 0.5, 1)])
        best = parts.argmax(axis=0) * 0.5
        low, high = low + third * best, low + third * (best + 2)
    # a smooth f would have lost (2/3)^14 = 1/300 of its turn or more
    jumps = turn(low, high) > 0.1 * first + 1e-6
    return float(low[jumps][0]) if jumps.any() else None


def _agree(made: InMemory, expected: Array) -> bool:
    """Whether what was compiled gives the numbers that Python gives."""
    out = np.empty(len(LOOKED_AT))
    fill_terms(made.generator, LOOKED_AT, np.ones_like(LOOKED_AT), out)
    return bool(np.allclose(out, expected, rtol=SAME, atol=SAME))
