"""A quick look that lets most pairs go: quadratics that no divergence exceeds.

For every generator that is used in practice there is a number ``size`` such that

    q g(p / q)  <=  size (p - q)^2 / (of_p p + of_q q)

with p + q, q or p below the line: up to its size Vincze and Le Cam's divergence, or Pearson's or
Neyman's chi-squared. A pair whose sum of these is within its bound is fair, and no logarithm was
asked for; a division is done for several pairs at a time.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from likewise._typing import Array
from likewise.compute.jit import compiled

# what may stand below the line, the smallest quadratic first: (of_p, of_q)
DENOMINATORS = ((1.0, 1.0), (0.0, 1.0), (1.0, 0.0))
# ratios at which g is compared with a quadratic: far from 1, where ends are known by their limits,
# and near it, where both are zero and their quotient is that of the curvatures
LOOKED_AT = np.sort(
    np.concatenate(
        [np.geomspace(1e-12, 1e12, 4000), *(1 + d * np.array([-1, 1]) for d in (1e-3, 1e-4, 1e-5))]
    )
)
ROOM = 1.01  # for what g does between the ratios that are looked at
NOTHING = 1e-300  # stands for a zero below the line


class Majorant(NamedTuple):
    """``size (p - q)^2 / (of_p p + of_q q)``; of infinite size where none is known."""

    size: float
    of_p: float
    of_q: float


@compiled
def majorant_term(majorant, p, q):
    """At least q g(p / q), whatever p, q >= 0 are."""
    below = majorant.of_p * p + majorant.of_q * q + NOTHING
    return majorant.size * (p - q) * (p - q) / below


def majorant_of(
    g: Callable[[Array], Array], value_at_zero: float, slope_at_infinity: float
) -> Majorant:
    """The smallest of them for a generator g of arrays with these limits."""
    t = LOOKED_AT
    value = g(t)
    for of_p, of_q in DENOMINATORS:
        share = value * (of_p * t + of_q) / (t - 1.0) ** 2
        limits = [value_at_zero] * bool(of_q) + [slope_at_infinity] * bool(of_p)
        largest = max(float(share.max()), *limits)
        if np.isfinite(largest) and not _grows(share, t):
            return Majorant(ROOM * largest, of_p, of_q)
    return Majorant(np.inf, 1.0, 1.0)


def _grows(share: Array, t: Array) -> bool:
    """Whether g leaves the quadratic behind where the ratios end, or where they meet 1."""
    middle = int(np.searchsorted(t, 1.0))
    towards = ((0, 100), (-1, -101), (middle - 1, middle - 3), (middle, middle + 2))
    return any(share[last] > ROOM * share[before] for last, before in towards)
