"""Divergences that come apart: one logarithm for each number, instead of one for each pair.

Of some generators the terms are

    q g(p / q)  =  left(p) right(q) + alone_left(p) + alone_right(q)

(Kullback and Leibler's both ways, Hellinger's, chi-squared). Once the four functions are known of
every number, D of any pair is a product of two rows and two numbers. It has rounding errors that
the terms themselves do not have: so it is only used to let pairs go that are within their bounds by
more than that (``surely_within``), and to ask the terms about the others.
"""

from typing import NamedTuple

import numpy as np
from numba.extending import overload

from likewise._typing import Array
from likewise.compute.jit import compiled

# Stand for an infinite factor, and for the least one that it may be multiplied with: finite, so
# that a product with zero is zero, and large, so that any other is above whatever counts as sure.
INFINITE, LEAST = 1e300, 1e-290
LARGEST_SURE = 1e9  # bounds and values from here on are asked about
ROUNDING = 1e-12  # of sums of as many terms as there are centres


class Factors(NamedTuple):
    """Of points, one column each."""

    left: Array  # (k, n) where a point is the first of a pair
    right: Array  # (k, n) where it is the second
    alone_left: Array  # (n,)
    alone_right: Array  # (n,)

    def as_rows(self) -> "Factors":
        """The same, one row for each point."""
        left, right = np.ascontiguousarray(self.left.T), np.ascontiguousarray(self.right.T)
        return Factors(left, right, self.alone_left, self.alone_right)


def is_factored(kind):
    """Whether generators of this type, as numba has it, have factors."""
    return hasattr(kind.instance_class, "apart")


def comes_apart(generator):
    """Whether there are factors, by the type of the generator."""


@overload(comes_apart)
def _comes_apart(generator):
    does = is_factored(generator)
    return lambda generator: does


def fill_factors(generator, x, factors):
    """The factors of points, one column of x each; nothing where there are none."""


@overload(fill_factors)
def _fill_factors(generator, x, factors):
    if not is_factored(generator):
        return lambda generator, x, factors: None
    apart = generator.instance_class.apart

    def fill(generator, x, factors):
        left, right, alone_left, alone_right = factors
        alone_left[:] = 0.0
        alone_right[:] = 0.0
        for c in range(x.shape[0]):
            for i in range(x.shape[1]):
                p = max(x[c, i], 0.0)
                first, second, alone_first, alone_second = apart(p)
                left[c, i], right[c, i] = _finite(first, p), _finite(second, p)
                # what is no distribution is never sure
                alone_left[i] += alone_first if x[c, i] >= 0.0 else INFINITE
                alone_right[i] += alone_second

    return fill


@compiled
def _finite(factor, p):
    if p == 0.0 and factor == 0.0:
        return 0.0  # else it may only have become too small
    return np.copysign(min(max(abs(factor), LEAST), INFINITE), factor)


@compiled
def _filled(generator, x, factors):
    fill_factors(generator, x, factors)
    return comes_apart(generator)


def factors_of(generator: object, x: Array) -> Factors:
    """The factors of points, one column of x each; empty where the divergence does not come
    apart.
    """
    k, n = x.shape
    factors = Factors(np.empty((k, n)), np.empty((k, n)), np.empty(n), np.empty(n))
    return factors if _filled(generator, x, factors) else NO_FACTORS


NO_FACTORS = Factors(np.empty((0, 0)), np.empty((0, 0)), np.empty(0), np.empty(0))


@compiled
def surely_above(value, bound):
    """Whether a pair is not fair, by a value from factors, and that value is one."""
    return bound < value - ROUNDING * (1.0 + abs(value)) and value <= LARGEST_SURE


@compiled
def surely_within(value, bound):
    """Whether a pair is fair, by a value from factors."""
    return value + ROUNDING * (1.0 + abs(value)) <= bound and bound <= LARGEST_SURE
