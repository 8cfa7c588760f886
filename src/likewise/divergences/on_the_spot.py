"""Formulas in plain Python, compiled on the spot: what loops call by its address (``formulas``).

Two ways to them. Formulas that are written down, but are none of the package's own, are compiled
as they stand. Of a bare f, everything is found by numerical means: derivatives by differences where
f' is not given, the conjugate by Newton's method. What numba cannot compile (functions of scipy's,
objects, calls of Python) raises ``CannotCompile`` with its reason.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numba as nb
import numpy as np
from numba.core.errors import NumbaError

from likewise._typing import Array
from likewise.divergences.formulas import Compiled
from likewise.divergences.generator import Formulas, Limits
from likewise.divergences.majorants import Majorant, majorant_of

Function = Callable[..., object]

# without the checks of Python, which would raise where nobody listens
_plainly = nb.njit(error_model="numpy")
FIRST, SECOND = 1e-3, 1e-3  # steps of the differences for f' and f'', as shares of t
WIDEST = 40.0  # the largest |log t| at which the maximum of a t - g(t) is looked for
NEWTON_STEPS = 100
FOUND = 1e-10  # the last step of log t: the value is wrong by no more than its square


class CannotCompile(Exception):
    """A function that has to stay in Python, and why."""


@dataclass(frozen=True)
class InMemory:
    """Addresses, and what lies there: it must not be forgotten while the addresses are used."""

    generator: Compiled
    functions: tuple[object, ...]


def as_compiled(function: Function) -> Function:
    """The function, compiled if it is not; what numba says against it is raised."""
    if hasattr(function, "py_func"):
        return function
    try:
        made: Function = _plainly(function)
    except (TypeError, NumbaError) as error:
        raise CannotCompile(_first_line(error)) from error
    return made


def compile_formulas(formulas: Formulas) -> InMemory:
    """Formulas that are written down, in compiled loops."""
    term, plane = as_compiled(formulas.term), as_compiled(formulas.plane)
    conjugate = as_compiled(formulas.conjugate)

    def g(t: Array) -> Array:
        return np.array([term(each, 1.0) for each in t])

    limits = formulas.limits
    majorant = majorant_of(g, limits.value_at_zero, limits.slope_at_infinity)
    return _in_memory(term, plane, conjugate, limits, majorant)


@dataclass(frozen=True)
class Facts:
    """What is known of a bare f. With g = f - tilt (t - 1): its limits, and the ratios between
    which its planes are taken; beyond, they are those of the nearest of these ratios.
    """

    tilt: float
    limits: Limits
    smallest_ratio: float
    largest_ratio: float


def compile_generator(f: Function, f_prime: Function | None, facts: Facts) -> InMemory:
    """A bare f in compiled loops."""
    tilt, at_zero, at_infinity = facts.tilt, facts.limits[0], facts.limits[2]
    smallest, largest = facts.smallest_ratio, facts.largest_ratio
    f = as_compiled(f)
    slope = _slope_by_differences(f) if f_prime is None else as_compiled(f_prime)
    curvature = _second_difference(f) if f_prime is None else _difference(slope)

    @_plainly
    def g(t):
        return max(f(t) - tilt * (t - 1.0), 0.0)

    @_plainly
    def term(p, q):
        if p <= 0.0:
            return q * at_zero
        return p * at_infinity if q <= 0.0 else q * g(p / q)

    @_plainly
    def plane(t, s):
        at = min(max(t, smallest), largest)
        first = slope(at) - tilt
        return first, g(at) - at * first, t * max(curvature(t), 0.0) if t == at else 0.0

    conjugate = _conjugate_by_newton(g, plane, at_zero, at_infinity)

    def of_many(t: Array) -> Array:
        return np.array([g(each) for each in t])

    try:
        majorant = majorant_of(of_many, at_zero, at_infinity)
    except NumbaError as error:
        raise CannotCompile(_first_line(error)) from error
    return _in_memory(term, plane, conjugate, facts.limits, majorant)


def _slope_by_differences(f: Function) -> Function:
    """f' by central differences of fourth order."""

    def slope(t):
        h = FIRST * t
        near, far = f(t + h) - f(t - h), f(t + 2.0 * h) - f(t - 2.0 * h)
        return (8.0 * near - far) / (12.0 * h)

    return as_compiled(slope)


def _second_difference(f: Function) -> Function:
    def curvature(t):
        h = SECOND * t
        return (f(t + h) - 2.0 * f(t) + f(t - h)) / (h * h)

    return as_compiled(curvature)


def _difference(slope: Function) -> Function:
    def curvature(t):
        h = SECOND * t
        return (slope(t + h) - slope(t - h)) / (2.0 * h)

    return as_compiled(curvature)


def _conjugate_by_newton(
    g: Function, plane: Function, at_zero: float, at_infinity: float
) -> Function:
    """max over t of a t - g(t): safeguarded Newton on g'(t) = a, in the logarithm of t. Where the
    maximum is beyond all ratios, what is known to be no less.
    """

    def conjugate(a):
        if a > at_infinity:
            return np.inf
        low, high, s = -WIDEST, WIDEST, 0.0
        for _ in range(NEWTON_STEPS):
            first, _, curve = plane(np.exp(s), s)
            miss = a - first
            if miss > 0.0:
                low = s
            else:
                high = s
            step = miss / curve if curve > 0.0 else np.inf
            following = s + step
            if not low < following < high:
                following = 0.5 * (low + high)
            if abs(following - s) <= FOUND:
                break
            s = following
        t = np.exp(s)
        if s > WIDEST - 1.0 and at_infinity == np.inf:
            return np.inf
        value = a * t - g(t)
        return max(value, -at_zero) if at_zero < np.inf else value

    return as_compiled(conjugate)


def _in_memory(
    term: Function, plane: Function, conjugate: Function, limits: Limits, majorant: Majorant
) -> InMemory:
    number = nb.float64
    numbers = nb.types.CPointer(number)  # type: ignore[no-untyped-call]

    def of_pair(p, q):
        return term(p, q)

    def into(t, s, out):
        out[0], out[1], out[2] = plane(t, s)

    def of_slope(a):
        return conjugate(a)

    try:
        functions = (
            nb.cfunc(number(number, number))(of_pair),
            nb.cfunc(nb.void(number, number, numbers))(into),
            nb.cfunc(number(number))(of_slope),
        )
    except NumbaError as error:
        raise CannotCompile(_first_line(error)) from error
    addresses = [int(function.address or 0) for function in functions]
    return InMemory(Compiled(Limits(*map(float, limits)), majorant, *addresses), functions)


def _first_line(error: Exception) -> str:
    """What numba has against it, without the pages that follow."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    telling = [line for line in lines if not line.startswith(("Failed in", "During", "["))]
    return (telling or lines or [type(error).__name__])[0]
