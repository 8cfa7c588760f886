"""The cheapest distribution that is fair to the fitted points, for each new point by itself.

There is not always one, for one of two reasons. Bounds need not fit together as distances do:
under the local similarity two people may be bound loosely to each other and both tightly to the new
point, and divergences other than total variation add up in no such way anyhow. And where bounds do
fit, as under the global similarity, total variation over more than two centres cannot always be
extended to one more point: three neighbours may leave no distribution that is near enough to all of
them. Then all of the new point's bounds are multiplied by the least factor that leaves one, and the
factor is reported.
"""

from dataclasses import dataclass

import numpy as np

from likewise._typing import Array
from likewise.compute.threads import over_ranges
from likewise.prediction import kernels
from likewise.prediction.boxes import cheapest_in_box
from likewise.prediction.cuts import KEPT, Peers, cheapest_within
from likewise.prediction.search import in_boxes
from likewise.similarities.rules import MutualBounds

MOST_STEPS = 2_000  # of the simplex; it takes some ten
POINT_GRAIN = 4  # new points worth a thread of their own: each is compared with all fitted ones


@dataclass(frozen=True)
class Prediction:
    """Distributions of new points, and by what their bounds had to be multiplied (1: kept)."""

    distributions: Array
    factors: Array


def cheapest_fair(costs: Array, peers: Peers, bounds: MutualBounds) -> Prediction:
    """The answers for new points with these costs at the centres and bounds to the fitted."""
    if peers.divergence.name == "tv":
        return _by_simplex(costs, peers, np.minimum(bounds.there, bounds.back))
    by = _by_box if peers.divergence.name == "max-ratio" else by_cuts
    found = [by(*of_one, peers=peers) for of_one in zip(costs, *bounds, strict=True)]
    return Prediction(np.array([x for x, _ in found]), np.array([factor for _, factor in found]))


def _by_simplex(costs: Array, peers: Peers, bound: Array) -> Prediction:
    """Total variation is symmetric: one bound per pair, the smaller."""
    n, k = costs.shape
    solved = kernels.Solved(np.empty((n, k)), np.empty(n), np.empty(n, dtype=np.int64))
    over_ranges(
        kernels.solve_range,
        n,
        np.ascontiguousarray(costs),
        in_boxes(peers.distributions),
        np.ascontiguousarray(bound),
        MOST_STEPS,
        solved,
        grain=POINT_GRAIN,
    )
    x, factors = solved.distributions, solved.factors
    for row in np.flatnonzero(solved.states == kernels.UNFINISHED):
        x[row], factors[row] = by_cuts(costs[row], bound[row], bound[row], peers=peers)
    return Prediction(x, factors)


def _by_box(cost: Array, there: Array, back: Array, *, peers: Peers) -> tuple[Array, float]:
    """The largest log ratio is symmetric: one bound per pair, the smaller."""
    x, factor = cheapest_in_box(cost, peers.distributions, np.minimum(there, back))
    return _alone(x, factor, there, back, peers=peers)


def by_cuts(cost: Array, there: Array, back: Array, *, peers: Peers) -> tuple[Array, float]:
    """Any f-divergence; where there is no way, bounds grow until there is one."""
    x = cheapest_within(cost, peers, there, back)
    if x is None:
        x = cheapest_within(cost, peers, there, back, relaxed=True)
    if x is None:  # what one asks for another one rules out, whatever the bounds
        x = (np.arange(len(cost)) == cost.argmin()).astype(np.float64)
        return x, float("inf")
    return _alone(x, 1.0, there, back, peers=peers)


def _alone(
    x: Array, factor: float, there: Array, back: Array, *, peers: Peers
) -> tuple[Array, float]:
    """One point's distribution, settled."""
    found = Prediction(x[None], np.array([factor]))
    settled = _settled(found, peers, MutualBounds(there[None], back[None]))
    return settled.distributions[0], float(settled.factors[0])


def _settled(found: Prediction, peers: Peers, bounds: MutualBounds) -> Prediction:
    """Whole distributions, and the factors they really need."""
    x = np.maximum(found.distributions, 0.0)
    x /= x.sum(axis=1, keepdims=True)
    factors = found.factors.copy()
    for row in range(len(x)):
        needed = float(factors[row]) if factors[row] > 1 + KEPT else 1.0
        for bound, x_first in ((bounds.there[row], True), (bounds.back[row], False)):
            needed = max(needed, _factor_needed(x[row], peers, bound, x_first))
        factors[row] = needed
    return Prediction(x, factors)


def _factor_needed(x: Array, peers: Peers, bound: Array, x_first: bool) -> float:
    """By what the bounds that x exceeds would have to be multiplied; 1 where it exceeds none."""
    value = peers.divergence.values(*peers.pair_with(x, x_first))
    above = value > bound + KEPT
    if not above.any():
        return 1.0
    with np.errstate(divide="ignore"):
        return float((value[above] / bound[above]).max())
