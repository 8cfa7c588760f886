"""How fair and how expensive a clustering is, whoever made it.

Every function takes plain distributions, an (n, k) array whose rows sum to 1, or plain labels, one
whole number a row: any soft or hard clustering can be judged, not only ours.
"""

from likewise.metrics.costs import expected_cost, hard_cost, price_of_fairness
from likewise.metrics.group import (
    additive_violation,
    balance,
    bias,
    bias_and_distance,
    cluster_shares,
    earth_movers_distance,
)
from likewise.metrics.individual import Violations, constrained_pairs, violations, worst_pairs

__all__ = [
    "Violations",
    "additive_violation",
    "balance",
    "bias",
    "bias_and_distance",
    "cluster_shares",
    "constrained_pairs",
    "earth_movers_distance",
    "expected_cost",
    "hard_cost",
    "price_of_fairness",
    "violations",
    "worst_pairs",
]
