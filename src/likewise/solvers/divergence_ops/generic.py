"""Every other divergence, by its own methods. It cannot iterate: the exact engine does without a
first-order start.
"""

import numpy as np

from likewise._typing import Array
from likewise.divergences.registry import Divergence
from likewise.solvers.divergence_ops import f_divergence_kernels as f_kernels
from likewise.solvers.divergence_ops.duals import Planes, WorkingDuals
from likewise.solvers.divergence_ops.two_ended import TwoEndedOps
from likewise.solvers.kernels.halpern import HalpernStep
from likewise.solvers.working_set import CandidatePairs


class GenericOps(TwoEndedOps):
    """A divergence by its own methods."""

    can_iterate = False

    def __init__(self, divergence: Divergence) -> None:
        self.divergence = divergence

    def values(self, x: Array, pairs: CandidatePairs) -> Array:
        return self.divergence.values(x[pairs.a], x[pairs.b])

    def above(
        self, x: Array, pairs: CandidatePairs, reference: Array | None = None
    ) -> tuple[Array, float]:
        places = np.flatnonzero(self.values(x, pairs) > pairs.bound)
        if reference is None:
            return places, 1.0
        P, Q, bound = x[pairs.a[places]], x[pairs.b[places]], pairs.bound[places]
        return places, mixing_weight_for(self.divergence, P, Q, bound, reference)

    def contract(
        self,
        x: Array,
        pairs: CandidatePairs,
        limit: Array,
        margin: float,
        allowed: Array | None = None,
    ) -> int:
        return 0  # mixing does it all

    # its working set stays empty: no pair ever has duals

    def dual_step(
        self, duals: WorkingDuals, reflected: Array, step: HalpernStep, shift: Array
    ) -> tuple[float, bool]:
        return 0.0, True

    def support_function(self, duals: WorkingDuals) -> float:
        return 0.0

    def planes(self, duals: WorkingDuals) -> list[Planes]:
        return []


def mixing_weight_for(
    divergence: Divergence, P: Array, Q: Array, bound: Array, reference: Array
) -> float:
    """How much of the reference brings every one of these pairs within its bound: the least weight
    on the grid of ``f_kernels`` that does, whatever other pairs are asked for at the same time.
    """
    if len(P) == 0:
        return 0.0
    enough, short = 0, f_kernels.GRID_SIZE
    while short - enough > 1:
        middle = (enough + short) // 2
        weight = np.exp(-f_kernels.GRID_STEP * middle)
        mixed = ((1 - weight) * rows + weight * reference for rows in (P, Q))
        if (divergence.values(*mixed) > bound).any():
            short = middle
        else:
            enough = middle
    return float(np.exp(-f_kernels.GRID_STEP * enough))
