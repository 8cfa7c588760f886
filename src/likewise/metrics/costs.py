"""What a clustering costs, and what its fairness costs.

``distances`` is the (n, k) array of distances from every point to every centre.
"""

from typing import Any

import numpy as np

from likewise.errors import InvalidArgument
from likewise.metrics.clusterings import as_distributions, weights_of


def expected_cost(
    distributions: Any, distances: Any, p: float = 2, sample_weight: Any = None
) -> float:
    """``L_p``: the p-th root of the sum over points of weight times expected distance^p.

    For p = inf, the largest distance at which anybody has any probability.
    """
    d = np.asarray(distances, dtype=np.float64)
    x = as_distributions(distributions, d.shape[-1])
    if d.shape != x.shape:
        raise InvalidArgument(
            "distances",
            f"shape {d.shape}, but the distributions have shape {x.shape}.",
            "Pass the distance of every point to every centre.",
        )
    weights = weights_of(sample_weight, len(x))
    if np.isinf(p):
        return float(d[(x > 0) & (weights > 0)[:, None]].max(initial=0.0))
    return float((weights[:, None] * x * d**p).sum() ** (1 / p))


def hard_cost(distances: Any, p: float = 2, sample_weight: Any = None) -> float:
    """The cost of giving everybody to the nearest centre: no assignment costs less."""
    d = np.asarray(distances, dtype=np.float64)
    return expected_cost(d.argmin(axis=1), d, p, sample_weight)


def price_of_fairness(
    distributions: Any, distances: Any, p: float = 2, sample_weight: Any = None
) -> float:
    """How many times as much it costs as hard clustering to the same centres, in ``L_p``.

    Raised to the power p it is the ratio of the objectives.
    """
    cost = expected_cost(distributions, distances, p, sample_weight)
    hard = hard_cost(distances, p, sample_weight)
    if hard == 0:
        return 1.0 if cost == 0 else float("inf")
    return cost / hard
