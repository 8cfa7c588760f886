"""The cheapest distribution near many others, under any divergence: cutting planes, by HiGHS.

    minimise cost.x  subject to  x a distribution,
                                 D(x || q_i) <= there_i  and  D(q_i || x) <= back_i  for all i

The planes touch the sets of distributions that are within a bound, so every x they cut off is
unfair to somebody.
"""

from dataclasses import dataclass

import numpy as np
from scipy.optimize import linprog

from likewise._typing import Array
from likewise.divergences.registry import Divergence

MOST_ROUNDS = 400  # in general some twenty
WORST = 3  # of each order are cut off in a round
KEPT = 1e-9  # a bound exceeded by less is kept
# Planes are laid at bounds this much smaller, so that what meets them but for rounding is within.
WITHIN = 1 - 1e-8
SMALLEST = 1e-300  # not to divide by zero
INFEASIBLE = 2  # scipy's status


@dataclass(frozen=True)
class Peers:
    """The distributions q_i that others must be near to, and the divergence that says how near."""

    divergence: Divergence
    distributions: Array

    def pair_with(self, x: Array, x_first: bool) -> tuple[Array, Array]:
        """x against all of them, as the two arguments of the divergence."""
        same = np.broadcast_to(x, self.distributions.shape)
        return (same, self.distributions) if x_first else (self.distributions, same)


def cheapest_within(cost: Array, peers: Peers, there: Array, back: Array) -> Array | None:
    """The cheapest distribution within these bounds; None where there is none."""
    k = len(cost)
    rows: list[Array] = []
    limits: list[float] = []
    scale = max(float(np.ptp(cost)), SMALLEST)
    for _ in range(MOST_ROUNDS):
        solved = linprog(
            (cost - cost.min()) / scale,
            A_ub=np.array(rows) if rows else None,
            b_ub=np.array(limits) if rows else None,
            A_eq=np.ones((1, k)),
            b_eq=[1.0],
            bounds=(0.0, 1.0),
            method="highs-ds",
            options={"primal_feasibility_tolerance": 1e-10},
        )
        if solved.status == INFEASIBLE:
            return None
        x: Array = np.maximum(solved.x, 0.0)
        x = x / x.sum()
        planes = _planes(x, peers, there, True) + _planes(x, peers, back, False)
        if not planes:
            break
        for row, limit in planes:
            rows.append(row)
            limits.append(limit)
    return x


def _planes(x: Array, peers: Peers, bound: Array, x_first: bool) -> list[tuple[Array, float]]:
    """Planes row.x <= limit that cut x off from what is fair to those it is most unfair to."""
    p, q = peers.pair_with(x, x_first)
    excess = peers.divergence.values(p, q) - bound
    worst = np.argsort(-excess)[:WORST]
    worst = worst[excess[worst] > 0.1 * KEPT]
    if not len(worst):
        return []
    alpha, beta, limit = peers.divergence.cuts(p[worst], q[worst], WITHIN * bound[worst])
    mine, theirs = (alpha, beta) if x_first else (beta, alpha)
    rest = limit - (theirs * peers.distributions[worst]).sum(axis=1)
    size = np.maximum(np.abs(mine).max(axis=1), SMALLEST)
    return list(zip(mine / size[:, None], (rest / size).tolist(), strict=True))
