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
from likewise.divergences.shortcuts.majorants import Majorant, majorant_of

Function = Callable[..., object]
OfTwo = Callable[[float, float], tuple[float, float, float]]  # as planes are, of t and its log

# without the checks of Python, which would raise where nobody listens
_plainly = nb.njit(error_model="numpy")
STEP = 1e-3  # of differences, as a share of t
NEWTON_STEPS = 100
FOUND = 1e-8  # the last step of log t: the value is wrong by no more than its square


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
    formula = as_compiled(formulas.conjugate)
    conjugate = as_compiled(lambda a, s: formula(a))

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
    around = _by_differences(f) if f_prime is None else _with_slope(f, as_compiled(f_prime))

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
        value, slope, curvature = around(at)
        first = slope - tilt
        value = max(value - tilt * (at - 1.0), 0.0)
        return first, value - at * first, t * max(curvature, 0.0) if t == at else 0.0

    def of_many(t: Array) -> Array:
        return np.array([g(each) for each in t])

    try:
        conjugate = _conjugate_by_newton(g, plane, facts)
        majorant = majorant_of(of_many, at_zero, at_infinity)
    except NumbaError as error:
        raise CannotCompile(_first_line(error)) from error
    return _in_memory(term, plane, conjugate, facts.limits, majorant)


def _by_differences(f: Function) -> Function:
    """(f, f', f'') by central differences of fourth order."""

    def around(t):
        h = STEP * t
        here, up, down = f(t), f(t + h), f(t - h)
        higher, lower = f(t + 2.0 * h), f(t - 2.0 * h)
        slope = (8.0 * (up - down) - (higher - lower)) / (12.0 * h)
        return here, slope, (16.0 * (up + down) - (higher + lower) - 30.0 * here) / (12.0 * h * h)

    return as_compiled(around)


def _with_slope(f: Function, f_prime: Function) -> Function:
    """(f, f', f''), the last one by differences of f'."""

    def around(t):
        h = STEP * t
        return f(t), f_prime(t), (f_prime(t + h) - f_prime(t - h)) / (2.0 * h)

    return as_compiled(around)


def _conjugate_by_newton(g: Function, plane: OfTwo, facts: Facts) -> Function:
    """max over t of a t - g(t): safeguarded Newton on g'(t) = a in the logarithm of t, from a guess
    of it. Where the maximum is beyond the ratios at which planes are taken, what is no less.
    """
    limits, smallest, largest = facts.limits, facts.smallest_ratio, facts.largest_ratio
    least, most = float(np.log(smallest)), float(np.log(largest))
    flattest, at_least, _ = plane(smallest, least)
    steepest, _, _ = plane(largest, most)
    beyond = -limits.offset_at_infinity  # infinite where nothing is known

    def conjugate(a, s):
        if a <= flattest:  # the plane at the smallest ratio is below g: so is what it leaves
            return -at_least
        if a >= steepest:
            return beyond if a <= limits[2] else np.inf
        low, high = least, most
        s = min(max(s, low), high)
        for _ in range(NEWTON_STEPS):
            first, _, curve = plane(np.exp(s), s)
            miss = a - first
            if miss > 0.0:
                low = s
            else:
                high = s
            following = s + miss / curve if curve > 0.0 else np.inf
            if not low < following < high:
                following = 0.5 * (low + high)
            if abs(following - s) <= FOUND:
                break
            s = following
        return a * np.exp(s) - g(np.exp(s))

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

    def of_slope(a, s):
        return conjugate(a, s)

    try:
        functions = (
            nb.cfunc(number(number, number))(of_pair),
            nb.cfunc(nb.void(number, number, numbers))(into),
            nb.cfunc(number(number, number))(of_slope),
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
