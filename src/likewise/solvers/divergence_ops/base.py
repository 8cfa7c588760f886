"""What every divergence offers the engines, and what they share."""

from typing import NamedTuple, Protocol

import numpy as np

from likewise._typing import Array
from likewise.compute.threads import range_edges
from likewise.solvers.divergence_ops.duals import DualOps
from likewise.solvers.working_set import CandidatePairs

LIST_GRAIN = 100_000  # pairs worth a thread of their own where they are only looked at
NOTHING = 1e-300  # stands for a zero that would be divided by


class Mixture(NamedTuple):
    """A distribution common to all, within the centres that each may use, and how much of it
    everybody can be mixed with for next to nothing.
    """

    common: Array  # a row, or one for each point
    weight: float

    @staticmethod
    def within(allowed: Array | None, common: Array, weight: float) -> "Mixture":
        """That much of what is ``allowed`` of it."""
        if allowed is None:
            return Mixture(common, weight)
        rows = np.where(allowed, common, 0.0)
        total = rows.sum(axis=1, keepdims=True)
        return Mixture(np.where(total > 0.0, rows / np.maximum(total, NOTHING), allowed), weight)


class DivergenceOps(DualOps, Protocol):
    """Values, steps and moves of pairs under one divergence."""

    can_iterate: bool  # whether there are steps for its duals

    def reference(self, cost: Array) -> Array:
        """A distribution that everyone can be mixed with to become more alike, and cheap."""
        ...

    def values(self, x: Array, pairs: CandidatePairs) -> Array:
        """The divergence of each pair."""
        ...

    def above(
        self, x: Array, pairs: CandidatePairs, reference: Array | None = None
    ) -> tuple[Array, float]:
        """The places of the pairs above their bounds, and the mixing weight of ``reference`` that
        brings all of them within; without one, any.
        """
        ...

    def furthest_off(self, x: Array, candidates: CandidatePairs, mixing_weight: float) -> float:
        """By what part of its bound the worst of a scan's candidates is above it; the scan's mixing
        weight tells it without a look where divergences shrink in proportion.
        """
        ...

    def seen(self, x: Array, mixture: Mixture) -> Array:
        """An iterate as scans and repairs take it: as it is, or mixed."""
        ...

    def contract(
        self,
        x: Array,
        pairs: CandidatePairs,
        limit: Array,
        margin: float,
        allowed: Array | None = None,
    ) -> int:
        """Move the ends of pairs above the limit towards each other, to (1 - margin) times it, pair
        after pair; returns how many were above. Rows stay distributions.

        ``allowed`` says which centres each point may use; without it, all.
        """
        ...


def cheapest_center(cost: Array) -> Array:
    """All on the centre that is cheapest for everybody together."""
    best = np.zeros(cost.shape[1])
    best[cost.sum(axis=0).argmin()] = 1.0
    return best


def with_full_support(cost: Array) -> Array:
    """Half of it the cheapest centre, half as hard clustering divides people, none of it zero:
    divergences that are infinite at zero come down only where the common distribution is not.
    """
    k = cost.shape[1]
    common = 0.5 * cheapest_center(cost)
    common += 0.499 * np.bincount(cost.argmin(axis=1), minlength=k) / len(cost)
    return np.asarray(common + 0.001 / k)


def furthest_off(value: Array, candidates: CandidatePairs) -> float:
    """By what part of its bound the worst of these divergences is above it."""
    return float((value / np.maximum(candidates.bound, NOTHING) - 1.0).max(initial=0.0))


def places_for(pairs: CandidatePairs) -> Array:
    """Room for the places of as many pairs."""
    return np.empty(len(pairs), dtype=np.int32 if len(pairs) < 2**31 else np.int64)


def joined(places: Array, parts: list[tuple[int, float]]) -> tuple[Array, float]:
    """What ranges of pairs found, each from its start in ``places`` on: (places, mixing weight)."""
    starts = range_edges(len(places), LIST_GRAIN)[:-1]
    above = [places[s : s + count] for s, (count, _) in zip(starts, parts, strict=True)]
    return np.concatenate(above), max(weight for _, weight in parts)
