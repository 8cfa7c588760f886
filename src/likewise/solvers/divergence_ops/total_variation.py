"""Total variation: one dual vector for each pair, because D depends on P - Q alone."""

import numpy as np

from likewise._typing import Array
from likewise.compute import threads
from likewise.compute.threads import over_ranges
from likewise.solvers.divergence_ops import base
from likewise.solvers.divergence_ops import total_variation_kernels as kernels
from likewise.solvers.divergence_ops.base import (
    Mixture,
    cheapest_center,
    joined,
    places_for,
)
from likewise.solvers.divergence_ops.duals import BINDING, Planes, WorkingDuals
from likewise.solvers.kernels.halpern import HalpernStep
from likewise.solvers.working_set import CandidatePairs


class TotalVariationOps:
    """Total variation."""

    can_iterate = True
    ends = 1
    projects = False
    largest_step = 0.5

    def reference(self, cost: Array) -> Array:
        return cheapest_center(cost)

    def values(self, x: Array, pairs: CandidatePairs) -> Array:
        value = np.empty(len(pairs))
        over_ranges(kernels.values, len(pairs), x, pairs.a, pairs.b, value)
        return value

    def above(
        self, x: Array, pairs: CandidatePairs, reference: Array | None = None
    ) -> tuple[Array, float]:
        places = places_for(pairs)
        parts = over_ranges(
            kernels.listed_above, len(pairs), x, pairs.columns, places, grain=base.LIST_GRAIN
        )
        return joined(places, parts)

    def furthest_off(self, x: Array, candidates: CandidatePairs, mixing_weight: float) -> float:
        # the weight is 1 - bound / TV, of the worst pair of all
        return mixing_weight / (1.0 - mixing_weight) if mixing_weight < 1.0 else np.inf

    def seen(self, x: Array, mixture: Mixture) -> Array:
        return x  # mixing brings all pairs down alike

    def contract(
        self,
        x: Array,
        pairs: CandidatePairs,
        limit: Array,
        margin: float,
        allowed: Array | None = None,
    ) -> int:
        return int(kernels.contract(x, allowed, pairs.columns, limit, margin))

    def dual_step(
        self, duals: WorkingDuals, reflected: Array, step: HalpernStep, shift: Array
    ) -> tuple[float, bool]:
        n_pairs = len(duals.bound)
        alone = threads.is_one_range(n_pairs, threads.GRAIN)
        moved = over_ranges(kernels.dual_step, n_pairs, duals, reflected, step, shift, alone)
        return float(sum(moved)), alone

    def support_function(self, duals: WorkingDuals) -> float:
        image, bound = duals.iterates.image, duals.bound
        return float(sum(over_ranges(kernels.support_function, len(bound), image, bound)))

    def at_ends(self, image: Array) -> tuple[Array, Array]:
        return image, -image

    def from_ends(self, alpha: Array, beta: Array) -> Array:
        return alpha

    def planes(self, duals: WorkingDuals) -> list[Planes]:
        """The level sets of a pair's dual are the sets of centres that the pair needs."""
        image = duals.iterates.image
        k = image.shape[1]
        order = np.argsort(-image, axis=1)
        drop = -np.diff(np.take_along_axis(image, order, axis=1), axis=1)
        planes = []
        for size in range(1, k):
            which = np.flatnonzero(drop[:, size - 1] > BINDING)
            level = np.zeros((len(which), k))
            np.put_along_axis(level, order[which, :size], 1.0, axis=1)
            planes.append(Planes(which, level, -level))
        return planes
