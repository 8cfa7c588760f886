"""From nearly fair to exactly fair.

Two tools. *Mixing* everyone with one common distribution: the divergence is jointly convex, so
this shrinks every pair at least in proportion; always enough, but one pair with a tiny bound then
costs everybody. *Sweeping* over the violated pairs, moving both ends of each towards the other
until the pair is within its bound: local and cheap, but in a tight neighbourhood each move may
violate the next pair and the sweeps need not end. So: sweep a few rounds, a little further than
needed so that they do end, see after each what mixing the rest away would cost, and take the
cheapest.
"""

import numpy as np

from likewise.solvers import kernels
from likewise.solvers.scan import PairScanner
from likewise.types import Array

ROUNDS = 6
SWEEPS = 20
NEAR = 0.999  # pairs this close to their bound join the sweeps: moving others may violate them
LARGEST_MARGIN = 1e-2
NEGLIGIBLE = 1e-12  # a rise of the cost that is not worth another round


def make_fair(x: Array, scanner: PairScanner, cost: Array) -> Array:
    """A copy of x in which every row is a distribution and every pair is within its bound."""
    x = np.maximum(x, 0.0)
    x /= x.sum(axis=1, keepdims=True)
    common = int(cost.sum(axis=0).argmin())
    common_cost = float(cost[:, common].sum())
    start_cost = float(np.vdot(cost, x))
    best, best_share, best_cost = x, 1.0, common_cost
    margin = 0.0
    for _ in range(ROUNDS):
        near, values = scanner.above(x, NEAR)
        share = _share_to_mix(near.bound, values)
        mixed_cost = (1 - share) * float(np.vdot(cost, x)) + share * common_cost
        if mixed_cost < best_cost:
            best, best_share, best_cost = x.copy(), share, mixed_cost
        if share == 0.0 or mixed_cost - start_cost <= NEGLIGIBLE * abs(start_cost):
            break
        margin = min(max(2 * margin, 0.1 * share), LARGEST_MARGIN)
        for _ in range(SWEEPS):
            if kernels.bring_together(x, near.a, near.b, near.bound, margin) == 0:
                break
    return _mix(best, best_share, common)


def _share_to_mix(bound: Array, values: Array) -> float:
    """How much of the common distribution brings every pair within its bound."""
    above = values > bound
    if not above.any():
        return 0.0
    return min(1.0, float(np.max(1.0 - bound[above] / values[above])) * (1 + 1e-12) + 1e-15)


def _mix(x: Array, share: float, common: int) -> Array:
    if share == 0.0:
        return x
    mixed = (1.0 - share) * x
    mixed[:, common] += share
    return mixed
