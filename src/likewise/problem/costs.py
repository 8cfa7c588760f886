"""What distances cost: their power p, times the weights; and the root of the sum.

    objective = sum_j w_j sum_c x_jc d(j, c)^p          cost L_p = objective^(1 / p)

k-center (p = inf) has two of these. Its cost is a radius: the largest distance at which anybody of
positive weight has any probability. Among the assignments within a radius the expected distance
is least, so that is its objective: the power is 1.
"""

import numpy as np

from likewise._typing import Array


def powers(distances: Array, p: float) -> Array:
    """``distances ** p``; the distances themselves for k-center."""
    with np.errstate(over="ignore"):  # whoever computes with them checks that they are finite
        return np.asarray(distances ** (1 if np.isinf(p) else p))


def weighted_powers(distances: Array, weights: Array, p: float) -> Array:
    """(n, k): what it costs to give each point to each centre."""
    cost = powers(distances, p)
    with np.errstate(over="ignore"):
        return np.asarray(weights[:, None] * cost)


def expected_total(distributions: Array, costs: Array, weights: Array) -> float:
    """The objective, from what each point costs at each centre, weights apart."""
    return float((weights[:, None] * distributions * costs).sum())


def lp_cost(objective: float, p: float) -> float:
    """``objective ** (1 / p)``; for k-center an objective that is a radius, as it stands."""
    return objective if np.isinf(p) else float(objective ** (1 / p))


def root_in_words(p: float) -> str:
    """What a cost is, to be said beside the objective."""
    if np.isinf(p):
        return "the radius"
    roots: dict[float, str] = {1: "the objective itself", 2: "the square root of the objective"}
    return roots.get(p, f"the objective to the power 1/{p:g}")


def farthest_used(distributions: Array, distances: Array, weights: Array) -> float:
    """k-center's cost: the largest distance at which anybody who counts has any probability."""
    used = (distributions > 0) & (weights > 0)[:, None]
    return float(distances[used].max(initial=0.0))


def cost_of(distributions: Array, distances: Array, weights: Array, p: float) -> float:
    """``L_p`` of distributions over centres at these distances."""
    if np.isinf(p):
        return farthest_used(distributions, distances, weights)
    return lp_cost(expected_total(distributions, powers(distances, p), weights), p)


def total_to_nearest(nearest: Array, p: float) -> float:
    """The objective of hard clustering from the distances to the nearest centre; for k-center the
    largest of them.
    """
    return float(nearest.max()) if np.isinf(p) else float(powers(nearest, p).sum())


def ratio_of_costs(cost: float, least: float) -> float:
    """How many times the least possible a cost is; 1 where both are nothing."""
    if least > 0:
        return cost / least
    return 1.0 if cost == 0 else float("inf")
