"""What the engines need of a divergence, in compiled loops where there are any.

Three rules behind one interface; ``rule_for`` picks.

* ``TotalVariationRule``: one dual vector a pair, because D depends on P - Q alone;
* ``FDivergenceRule``: the named f-divergences; two dual vectors a pair, and steps that project on
  the set of fair pairs (``f_kernels``);
* ``PlainRule``: any other divergence, by its own methods. It cannot iterate: the exact engine does
  without a first-order start.
"""

from typing import Protocol

import numpy as np

from likewise._typing import Array
from likewise.compute.threads import over_ranges, range_edges
from likewise.divergences import formulas as f_formulas
from likewise.divergences.named import (
    ChiSquared,
    Hellinger,
    JensenShannon,
    KullbackLeibler,
    ReverseKullbackLeibler,
    Triangular,
)
from likewise.divergences.registry import Divergence, TotalVariation
from likewise.solvers.divergence_ops import f_divergence_kernels as f_kernels
from likewise.solvers.divergence_ops import total_variation_kernels as tv_kernels
from likewise.solvers.divergence_ops.pair_duals import GRAIN, PairDuals, ProjectedDuals
from likewise.solvers.working_set import FoundPairs

KIND_OF: dict[type, int] = {
    KullbackLeibler: f_formulas.KL,
    ReverseKullbackLeibler: f_formulas.REVERSE_KL,
    JensenShannon: f_formulas.JENSEN_SHANNON,
    Hellinger: f_formulas.HELLINGER,
    ChiSquared: f_formulas.CHI2,
    Triangular: f_formulas.TRIANGULAR,
}
LIST_GRAIN = 100_000  # pairs worth a thread of their own where they are only looked at


class PairRule(Protocol):
    """Values, steps and moves of pairs under one divergence."""

    can_iterate: bool

    def duals(self, n_points: int, n_centers: int) -> PairDuals:
        """Duals for a working set, none in it yet."""
        ...

    def mixer(self, cost: Array) -> Array:
        """A distribution that everyone can be mixed with to become more alike, and cheap."""
        ...

    def values(self, x: Array, pairs: FoundPairs) -> Array:
        """The divergence of each pair."""
        ...

    def above(self, x: Array, pairs: FoundPairs, mixer: Array) -> tuple[Array, float]:
        """The places of the pairs above their bounds, and the share of ``mixer`` that mends all."""
        ...

    def furthest_off(self, x: Array, found: FoundPairs, share: float) -> float:
        """By how much the worst of the pairs a scan found is above its bound, as a share of it."""
        ...

    def bring_together(
        self,
        x: Array,
        pairs: FoundPairs,
        limit: Array,
        margin: float,
        allowed: Array | None = None,
    ) -> int:
        """Move the ends of pairs above the limit towards each other; returns how many.

        ``allowed`` says which centres each point may use; without it, all.
        """
        ...


class TotalVariationRule:
    """Total variation."""

    can_iterate = True

    def duals(self, n_points: int, n_centers: int) -> PairDuals:
        return PairDuals(n_points, n_centers)

    def mixer(self, cost: Array) -> Array:
        best = np.zeros(cost.shape[1])
        best[cost.sum(axis=0).argmin()] = 1.0
        return best

    def values(self, x: Array, pairs: FoundPairs) -> Array:
        value = np.empty(len(pairs))
        over_ranges(tv_kernels.values, len(pairs), x, pairs.a, pairs.b, value, grain=GRAIN)
        return value

    def above(self, x: Array, pairs: FoundPairs, mixer: Array) -> tuple[Array, float]:
        places = _places(pairs)
        parts = over_ranges(
            tv_kernels.listed_above, len(pairs), x, pairs.a, pairs.b, pairs.bound, places,
            grain=LIST_GRAIN,
        )  # fmt: skip
        return _joined(places, parts)

    def furthest_off(self, x: Array, found: FoundPairs, share: float) -> float:
        return share / (1.0 - share) if share < 1.0 else np.inf  # share = 1 - bound / TV, of all

    def bring_together(
        self,
        x: Array,
        pairs: FoundPairs,
        limit: Array,
        margin: float,
        allowed: Array | None = None,
    ) -> int:
        if allowed is None:
            return tv_kernels.bring_together(x, pairs.a, pairs.b, limit, margin)
        return tv_kernels.bring_together_within(x, allowed, pairs.a, pairs.b, limit, margin)


class FDivergenceRule:
    """A named f-divergence."""

    can_iterate = True

    def __init__(self, kind: int) -> None:
        self.kind = kind

    def duals(self, n_points: int, n_centers: int) -> PairDuals:
        return ProjectedDuals(n_points, n_centers, self.kind)

    def mixer(self, cost: Array) -> Array:
        return _with_full_support(cost)

    def values(self, x: Array, pairs: FoundPairs) -> Array:
        value = np.empty(len(pairs))
        over_ranges(
            f_kernels.values, len(pairs), self.kind, x, pairs.a, pairs.b, value, grain=GRAIN
        )
        return value

    def above(self, x: Array, pairs: FoundPairs, mixer: Array) -> tuple[Array, float]:
        places = _places(pairs)
        parts = over_ranges(
            f_kernels.listed_above, len(pairs), self.kind, x, pairs.a, pairs.b, pairs.bound,
            mixer, places, grain=LIST_GRAIN,
        )  # fmt: skip
        return _joined(places, parts)

    def furthest_off(self, x: Array, found: FoundPairs, share: float) -> float:
        return _furthest_off(self.values(x, found), found)

    def bring_together(
        self,
        x: Array,
        pairs: FoundPairs,
        limit: Array,
        margin: float,
        allowed: Array | None = None,
    ) -> int:
        if allowed is None:
            return f_kernels.bring_together(self.kind, x, pairs.a, pairs.b, limit, margin)
        return f_kernels.bring_together_within(
            self.kind, x, allowed, pairs.a, pairs.b, limit, margin
        )


class PlainRule:
    """Any divergence, by its own methods."""

    can_iterate = False

    def __init__(self, divergence: Divergence) -> None:
        self.divergence = divergence

    def duals(self, n_points: int, n_centers: int) -> PairDuals:
        return PairDuals(n_points, n_centers)  # stays empty

    def mixer(self, cost: Array) -> Array:
        return _with_full_support(cost)

    def values(self, x: Array, pairs: FoundPairs) -> Array:
        return self.divergence.values(x[pairs.a], x[pairs.b])

    def above(self, x: Array, pairs: FoundPairs, mixer: Array) -> tuple[Array, float]:
        places = np.flatnonzero(self.values(x, pairs) > pairs.bound)
        share = share_to_mix(
            self.divergence, x[pairs.a[places]], x[pairs.b[places]], pairs.bound[places], mixer
        )
        return places, share

    def furthest_off(self, x: Array, found: FoundPairs, share: float) -> float:
        return _furthest_off(self.values(x, found), found)

    def bring_together(
        self,
        x: Array,
        pairs: FoundPairs,
        limit: Array,
        margin: float,
        allowed: Array | None = None,
    ) -> int:
        return 0


def rule_for(divergence: Divergence) -> PairRule:
    """The fastest rule for this divergence."""
    if isinstance(divergence, TotalVariation):
        return TotalVariationRule()
    kind = KIND_OF.get(type(divergence))
    return PlainRule(divergence) if kind is None else FDivergenceRule(kind)


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


def _with_full_support(cost: Array) -> Array:
    """Half of it the cheapest centre, half as hard clustering divides people, none of it zero:
    divergences that are infinite at zero come down only where the common distribution is not.
    """
    k = cost.shape[1]
    common = 0.5 * TotalVariationRule().mixer(cost)
    common += 0.499 * np.bincount(cost.argmin(axis=1), minlength=k) / len(cost)
    return common + 0.001 / k


def _furthest_off(value: Array, found: FoundPairs) -> float:
    return float((value / np.maximum(found.bound, 1e-300) - 1.0).max(initial=0.0))


def _places(pairs: FoundPairs) -> Array:
    return np.empty(len(pairs), dtype=np.int32 if len(pairs) < 2**31 else np.int64)


def _joined(places: Array, parts: list[tuple[int, float]]) -> tuple[Array, float]:
    starts = range_edges(len(places), LIST_GRAIN)[:-1]
    above = [places[s : s + count] for s, (count, _) in zip(starts, parts, strict=True)]
    return np.concatenate(above), max(share for _, share in parts)
