"""What a clustering costs, and what its fairness costs.

``distances`` is the (n, k) array of distances from every point to every centre.
"""

import numpy as np
from numpy.typing import ArrayLike

from likewise._validation import as_distributions, weights_of
from likewise.errors import InvalidArgument
from likewise.problem.costs import cost_of, ratio_of_costs


def expected_cost(
    distributions: ArrayLike,
    distances: ArrayLike,
    p: float = 2,
    sample_weight: ArrayLike | None = None,
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
    return cost_of(x, d, weights_of(sample_weight, len(x)), p)


def hard_cost(distances: ArrayLike, p: float = 2, sample_weight: ArrayLike | None = None) -> float:
    """The cost of giving everybody to the nearest centre: no assignment costs less."""
    d = np.asarray(distances, dtype=np.float64)
    return expected_cost(d.argmin(axis=1), d, p, sample_weight)


def price_of_fairness(
    distributions: ArrayLike,
    distances: ArrayLike,
    p: float = 2,
    sample_weight: ArrayLike | None = None,
) -> float:
    """How many times as much it costs as hard clustering to the same centres, in ``L_p``.

    Raised to the power p it is the ratio of the objectives.
    """
    cost = expected_cost(distributions, distances, p, sample_weight)
    return ratio_of_costs(cost, hard_cost(distances, p, sample_weight))
