"""The f-divergences that are compiled: two dual vectors for each pair, and steps that project on
the fair pairs (``f_divergence_kernels``).
"""

import numpy as np

from likewise._typing import Array
from likewise.compute.threads import over_ranges
from likewise.divergences.generator import Generator, GeneratorDivergence
from likewise.divergences.shortcuts.factors import factors_of
from likewise.solvers.divergence_ops import base
from likewise.solvers.divergence_ops import f_divergence_kernels as kernels
from likewise.solvers.divergence_ops.base import Mixture, joined, places_for
from likewise.solvers.divergence_ops.duals import BINDING, Planes, WorkingDuals
from likewise.solvers.divergence_ops.two_ended import TwoEndedOps
from likewise.solvers.kernels.halpern import HalpernStep
from likewise.solvers.working_set import CandidatePairs

PROJECTION_GRAIN = 1_000  # pairs worth a thread of their own: a projection takes microseconds


class FDivergenceOps(TwoEndedOps):
    """An f-divergence that is compiled. What loops take of it is asked for at each call: it may be
    addresses, which mean nothing to another process.
    """

    can_iterate = True

    def __init__(self, divergence: GeneratorDivergence) -> None:
        self.divergence = divergence

    @property
    def generator(self) -> Generator:
        return self.divergence.generator

    def values(self, x: Array, pairs: CandidatePairs) -> Array:
        value = np.empty(len(pairs))
        over_ranges(kernels.values, len(pairs), self.generator, x, pairs.a, pairs.b, value)
        return value

    def above(
        self, x: Array, pairs: CandidatePairs, reference: Array | None = None
    ) -> tuple[Array, float]:
        places, generator = places_for(pairs), self.generator
        mixture = Mixture(x[0], 1.0) if reference is None else Mixture(reference, 0.0)
        factors = factors_of(generator, np.ascontiguousarray(x.T)).as_rows()
        parts = over_ranges(
            kernels.listed_above, len(pairs), generator, x, factors, pairs.columns, mixture,
            places, grain=base.LIST_GRAIN,
        )  # fmt: skip
        return joined(places, parts)

    def contract(
        self,
        x: Array,
        pairs: CandidatePairs,
        limit: Array,
        margin: float,
        allowed: Array | None = None,
    ) -> int:
        return int(kernels.contract(self.generator, x, allowed, pairs.columns, limit, margin))

    def dual_step(
        self, duals: WorkingDuals, reflected: Array, step: HalpernStep, shift: Array
    ) -> tuple[float, bool]:
        """By Moreau: what is left of a point when it is projected on the fair pairs."""
        moved = over_ranges(
            kernels.dual_step, len(duals.bound), self.generator, duals, reflected, step,
            grain=PROJECTION_GRAIN,
        )  # fmt: skip
        return float(sum(moved)), False

    def support_function(self, duals: WorkingDuals) -> float:
        paid = over_ranges(
            kernels.support_function, len(duals.bound), self.generator, duals.iterates.image,
            duals.guess, duals.bound, grain=PROJECTION_GRAIN,
        )  # fmt: skip
        return float(sum(paid))

    def planes(self, duals: WorkingDuals) -> list[Planes]:
        """Where the projection touched the fair pairs: its normal there."""
        which = np.flatnonzero(duals.guess[:, 0] > BINDING)
        multiplier = duals.guess[which, :1]
        alpha, beta = self.at_ends(duals.iterates.image)
        return [Planes(which, alpha[which] / multiplier, beta[which] / multiplier)]
