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

    def reference(self, cost: Array) -> Array:
        return cheapest_center(cost)

    def values(self, x: Array, pairs: CandidatePairs) -> Array:
        value = np.empty(len(pairs))
        over_ranges(kernels.values, len(pairs), x, pairs.a, pairs.b, value)
        return value

    def above(self, x: Array, pairs: CandidatePairs, reference: Array) -> tuple[Array, float]:
        places = places_for(pairs)
        parts = over_ranges(
            kernels.listed_above, len(pairs), x, pairs.columns, places, grain=base.LIST_GRAIN
        )
        return joined(places, parts)

    def furthest_off(self, x: Array, candidates: CandidatePairs, mixing_weight: float) -> float:
        # the weight is 1 - bound / TV, of the worst pair of all
        return mixing_weight / (1.0 - mixing_weight) if mixing_weight < 1.0 else np.inf

    def contract(
        self,
        x: Array,
        pairs: CandidatePairs,
        limit: Array,
        margin: float,
        allowed: Array | None = None,
    ) -> int:
        return int(kernels.contract(x, allowed, pairs.columns, limit, margin))
