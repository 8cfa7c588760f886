"""Any other divergence, by its own methods. It cannot iterate: the exact engine does without a
first-order start.
"""

import numpy as np

from likewise._typing import Array
from likewise.divergences.registry import Divergence
from likewise.solvers.divergence_ops import f_divergence_kernels as f_kernels
from likewise.solvers.divergence_ops.base import furthest_off, with_full_support
from likewise.solvers.divergence_ops.duals import Planes, WorkingDuals
from likewise.solvers.halpern import HalpernStep
from likewise.solvers.working_set import CandidatePairs


class GenericOps:
    """Any divergence, by its own methods."""

    can_iterate = False
    ends = 2
    largest_step = 1.0

    def __init__(self, divergence: Divergence) -> None:
        self.divergence = divergence

    def mixer(self, cost: Array) -> Array:
        return with_full_support(cost)

    def values(self, x: Array, pairs: CandidatePairs) -> Array:
        return self.divergence.values(x[pairs.a], x[pairs.b])

    def above(self, x: Array, pairs: CandidatePairs, mixer: Array) -> tuple[Array, float]:
        places = np.flatnonzero(self.values(x, pairs) > pairs.bound)
        share = share_to_mix(
            self.divergence, x[pairs.a[places]], x[pairs.b[places]], pairs.bound[places], mixer
        )
        return places, share

    def furthest_off(self, x: Array, found: CandidatePairs, share: float) -> float:
        return furthest_off(self.values(x, found), found)

    def bring_together(
        self,
        x: Array,
        pairs: CandidatePairs,
        limit: Array,
        margin: float,
        allowed: Array | None = None,
    ) -> int:
        return 0

    # its working set stays empty: no pair ever has duals

    def dual_step(
        self, duals: WorkingDuals, reflected: Array, step: HalpernStep, shift: Array
    ) -> tuple[float, bool]:
        return 0.0, True

    def support_function(self, duals: WorkingDuals) -> float:
        return 0.0

    def at_ends(self, image: Array) -> tuple[Array, Array]:
        k = image.shape[1] // 2
        return image[:, :k], image[:, k:]

    def from_ends(self, alpha: Array, beta: Array) -> Array:
        return np.hstack([alpha, beta])

    def planes(self, duals: WorkingDuals) -> list[Planes]:
        return []


def share_to_mix(divergence: Divergence, P: Array, Q: Array, bound: Array, mixer: Array) -> float:
    """How much of the common distribution brings every one of these pairs within its bound: the
    least share that does on the grid of ``f_kernels``, whatever else is asked for at a time.
    """

    def misses(share: float) -> Array:
        return divergence.values((1 - share) * P + share * mixer, (1 - share) * Q + share * mixer)

    if len(P) == 0:
        return 0.0
    enough, short = 0, f_kernels.SHARES
    while short - enough > 1:
        middle = (enough + short) // 2
        if (misses(np.exp(-f_kernels.SHARE_STEP * middle)) > bound).any():
            short = middle
        else:
            enough = middle
    return float(np.exp(-f_kernels.SHARE_STEP * enough))
