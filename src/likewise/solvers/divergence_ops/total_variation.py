"""Total variation: one dual vector for each pair, because D depends on P - Q alone."""

import numpy as np

from likewise._typing import Array
from likewise.compute.threads import over_ranges
from likewise.solvers.divergence_ops import base
from likewise.solvers.divergence_ops import total_variation_kernels as kernels
from likewise.solvers.divergence_ops.base import cheapest_center, joined, places_for
from likewise.solvers.divergence_ops.pair_duals import PairDuals
from likewise.solvers.working_set import CandidatePairs


class TotalVariationOps:
    """Total variation."""

    can_iterate = True

    def duals(self, n_points: int, n_centers: int) -> PairDuals:
        return PairDuals(n_points, n_centers)

    def mixer(self, cost: Array) -> Array:
        return cheapest_center(cost)

    def values(self, x: Array, pairs: CandidatePairs) -> Array:
        value = np.empty(len(pairs))
        over_ranges(kernels.values, len(pairs), x, pairs.a, pairs.b, value)
        return value

    def above(self, x: Array, pairs: CandidatePairs, mixer: Array) -> tuple[Array, float]:
        places = places_for(pairs)
        parts = over_ranges(
            kernels.listed_above, len(pairs), x, pairs.a, pairs.b, pairs.bound, places,
            grain=base.LIST_GRAIN,
        )  # fmt: skip
        return joined(places, parts)

    def furthest_off(self, x: Array, found: CandidatePairs, share: float) -> float:
        return share / (1.0 - share) if share < 1.0 else np.inf  # share = 1 - bound / TV, of all

    def bring_together(
        self,
        x: Array,
        pairs: CandidatePairs,
        limit: Array,
        margin: float,
        allowed: Array | None = None,
    ) -> int:
        if allowed is None:
            return kernels.bring_together(x, pairs.a, pairs.b, limit, margin)
        return kernels.bring_together_within(x, allowed, pairs.a, pairs.b, limit, margin)
