"""What divergences share whose pairs have a dual vector for each end: all that depend on more than
P - Q.
"""

from abc import ABC, abstractmethod

import numpy as np

from likewise._typing import Array
from likewise.solvers.divergence_ops.base import Mixture, furthest_off, with_full_support
from likewise.solvers.working_set import CandidatePairs


class TwoEndedOps(ABC):
    """The duals of a pair are alpha and beta, side by side in one row; they are compared with
    distributions that are nowhere zero, and judged by the divergences themselves.
    """

    ends = 2
    projects = True
    largest_step = 1.0

    @abstractmethod
    def values(self, x: Array, pairs: CandidatePairs) -> Array:
        """The divergence of each pair."""

    def reference(self, cost: Array) -> Array:
        return with_full_support(cost)

    def furthest_off(self, x: Array, candidates: CandidatePairs, mixing_weight: float) -> float:
        return furthest_off(self.values(x, candidates), candidates)

    def seen(self, x: Array, mixture: Mixture) -> Array:
        """A row with a zero may be infinitely far from half of all others, and be mended by a hair
        of the mixture: after that, divergences tell which pairs matter. Measured: a third of the
        pairs, and of the iterations.
        """
        common, weight = mixture
        return x if weight == 0.0 else (1.0 - weight) * x + weight * common

    def at_ends(self, image: Array) -> tuple[Array, Array]:
        k = image.shape[1] // 2
        return image[:, :k], image[:, k:]

    def from_ends(self, alpha: Array, beta: Array) -> Array:
        return np.hstack([alpha, beta])
