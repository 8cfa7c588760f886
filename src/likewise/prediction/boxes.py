"""The cheapest distribution near many others under the largest log ratio: between two bounds.

D(x, q_i) <= F_i is the same as e^-F_i q_ic <= x_c <= e^F_i q_ic at every centre c. So all of them
together are one least and one largest probability for each centre, and the cheapest distribution
between these is found by filling centres up, cheapest first. No linear program: where a q_ic is
1e-15, x_c is of that size too, and a program's tolerance would lose it.
"""

from dataclasses import dataclass

import numpy as np

from likewise._typing import Array

HALVINGS = 50  # of the search for the least factor: what doubles can tell apart
LARGEST_LOGARITHM = 40.0  # of a factor: larger ones stand for none
ROUNDING = 1e-12  # a least probability above the largest one by this share of it is the same


@dataclass(frozen=True)
class Box:
    """The least and the largest probability of each centre."""

    low: Array
    high: Array

    @staticmethod
    def around(others: Array, bound: Array) -> "Box":
        """What is within its bound of each of these distributions."""
        compared = np.isfinite(bound)
        q, bound = others[compared], bound[compared, None]
        with np.errstate(over="ignore"):
            low = (q * np.exp(-bound)).max(axis=0, initial=0.0)
            # e^F may overflow, and then 0 stays 0
            high = np.where(q > 0, np.maximum(q, 1e-300) * np.exp(bound), 0.0)
        return Box(low, np.minimum(high.min(axis=0, initial=1.0), 1.0))

    @property
    def has_distributions(self) -> bool:
        """Whether there is a distribution in it."""
        fits = (self.low <= self.high * (1 + ROUNDING)).all()
        return bool(fits and self.low.sum() <= 1 + ROUNDING and self.high.sum() >= 1 - ROUNDING)

    def cheapest(self, cost: Array) -> Array:
        """The cheapest distribution in it."""
        x = self.low.copy()
        left = 1.0 - x.sum()
        for c in np.argsort(cost, kind="stable"):
            more = min(max(self.high[c] - x[c], 0.0), max(left, 0.0))
            x[c] += more
            left -= more
        return x


def cheapest_in_box(cost: Array, others: Array, bound: Array) -> tuple[Array, float]:
    """(distribution, factor): within ``factor`` times its bound of each of the others, the least
    that leaves a distribution. Where none does, the factor is infinite, and bounds are not kept.
    """

    def at(logarithm: float) -> Box:
        return Box.around(others, np.exp(logarithm) * bound)

    if at(0.0).has_distributions:
        return at(0.0).cheapest(cost), 1.0
    low, high = 0.0, 1.0
    while not at(high).has_distributions:
        low, high = high, 2 * high
        if high > LARGEST_LOGARITHM:
            return Box.around(others[:0], bound[:0]).cheapest(cost), float("inf")
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if at(middle).has_distributions else (middle, high)
    return at(high).cheapest(cost), float(np.exp(high))
