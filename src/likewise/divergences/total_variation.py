"""Total variation: the largest difference in the probability of any event."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.spatial.distance import cdist

from likewise._typing import Array


class HalfDifferences(NamedTuple):
    """Tells compiled loops by its type to compare by total variation."""

    half: float = 0.5


@dataclass(frozen=True)
class TotalVariation:
    """``TV(P, Q) = 1/2 sum_c |P_c - Q_c| = max over sets S of sum_{c in S} (P_c - Q_c)``.

    The f-divergence of ``f(t) = |t - 1| / 2``.
    """

    name: str = "tv"
    symmetric: bool = True
    largest: float = 1.0
    piecewise_linear: bool = True

    @property
    def generator(self) -> HalfDifferences:
        """What compiled loops over every pair take for it."""
        return HalfDifferences()

    def fingerprint(self) -> str:
        return self.name

    def values(self, P: Array, Q: Array) -> Array:
        return np.asarray(0.5 * np.abs(P - Q).sum(axis=1))

    def table(self, P: Array, Q: Array) -> Array:
        return np.asarray(0.5 * cdist(P, Q, "cityblock"))

    def cuts(self, P: Array, Q: Array, bound: Array) -> tuple[Array, Array, Array]:
        best_set = (P > Q).astype(np.float64)
        return best_set, -best_set, bound

    def support_function(self, alpha: Array, beta: Array, bound: Array) -> Array:
        """An upper bound: min(F, 1) * (max alpha - min alpha) + max(alpha + beta).

        For alpha.p + beta.q = alpha.(p - q) + (alpha + beta).q, where p - q sums to zero. It is
        attained for duals of one pair, beta = -alpha.
        """
        moved = np.minimum(bound, self.largest) * np.ptp(alpha, axis=1)
        return np.asarray(moved + (alpha + beta).max(axis=1))
