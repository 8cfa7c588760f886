"""The named f-divergences: two dual vectors for each pair, and steps that project on the fair pairs
(``f_divergence_kernels``).
"""

import numpy as np

from likewise._typing import Array
from likewise.compute.threads import over_ranges
from likewise.solvers.divergence_ops import base
from likewise.solvers.divergence_ops import f_divergence_kernels as kernels
from likewise.solvers.divergence_ops.base import (
    furthest_off,
    joined,
    places_for,
    with_full_support,
)
from likewise.solvers.divergence_ops.pair_duals import PairDuals, ProjectedDuals
from likewise.solvers.working_set import CandidatePairs


class FDivergenceOps:
    """A named f-divergence."""

    can_iterate = True

    def __init__(self, kind: int) -> None:
        self.kind = kind

    def duals(self, n_points: int, n_centers: int) -> PairDuals:
        return ProjectedDuals(n_points, n_centers, self.kind)

    def reference(self, cost: Array) -> Array:
        return with_full_support(cost)

    def values(self, x: Array, pairs: CandidatePairs) -> Array:
        value = np.empty(len(pairs))
        over_ranges(kernels.values, len(pairs), self.kind, x, pairs.a, pairs.b, value)
        return value

    def above(self, x: Array, pairs: CandidatePairs, reference: Array) -> tuple[Array, float]:
        places = places_for(pairs)
        parts = over_ranges(
            kernels.listed_above, len(pairs), self.kind, x, pairs.columns, reference, places,
            grain=base.LIST_GRAIN,
        )  # fmt: skip
        return joined(places, parts)

    def furthest_off(self, x: Array, candidates: CandidatePairs, mixing_weight: float) -> float:
        return furthest_off(self.values(x, candidates), candidates)

    def contract(
        self,
        x: Array,
        pairs: CandidatePairs,
        limit: Array,
        margin: float,
        allowed: Array | None = None,
    ) -> int:
        return int(kernels.contract(self.kind, x, allowed, pairs.columns, limit, margin))
