"""From nearly fair to exactly fair.

Two tools. *Mixing* everyone with one common distribution: the divergence is jointly convex, so
this shrinks every pair at least in proportion; always enough, but one pair with a tiny bound then
costs everybody. *Sweeping* over the violated pairs, moving both ends of each towards the other:
local and cheap, but in a tight neighbourhood each move may violate the next pair and the sweeps
need not end. So both, step by step: sweep only what would need more than half of the mixing
that is needed now, see what mixing the rest away costs, and again with half of that; the
cheapest of all these is the answer. Bounds on groups are restored after each round of sweeps
(``group_repair``), before the mixing, which keeps them: a distribution common to all gives each
group its share everywhere.
"""

import numpy as np

from likewise.solvers.found import FoundPairs
from likewise.solvers.group_repair import GroupRepair
from likewise.solvers.pair_rules import PairRule
from likewise.solvers.scan import Scanner
from likewise.types import Array

ROUNDS = 10
SWEEPS = 20
NEAR = 0.8  # sweeps look at pairs above this share of their limit
STEP = 0.5  # each round sweeps down to this part of the last round's share to mix
MARGIN = 0.1  # and a little further, by this part of it, so that sweeps end


def make_fair(
    x: Array,
    scanner: Scanner,
    rule: PairRule,
    groups: GroupRepair,
    working: FoundPairs,
    cost: Array,
    negligible: float,
) -> Array:
    """A copy of x in which every row is a distribution and every bound is kept.

    ``working`` are the pairs that matter most, by all that is known: sweeps begin with them, and
    scans over all pairs add what they miss. A rise of the cost by a share of ``negligible`` is not
    worth another round.
    """
    x = np.maximum(x, 0.0)
    x /= x.sum(axis=1, keepdims=True)
    common = scanner.mixer
    common_cost = float(cost.sum(axis=0) @ common)
    start_cost = float(np.vdot(cost, x))
    best, best_share, best_cost = x, 1.0, common_cost
    near, target, in_vain = working, 1.0, 0
    for _ in range(ROUNDS):
        x = groups.correct(x)
        scan = scanner.full(x)
        share = _with_room_for_rounding(scan.share)
        mixed_cost = (1 - share) * float(np.vdot(cost, x)) + share * common_cost
        in_vain = 0 if mixed_cost < best_cost else in_vain + 1
        if mixed_cost < best_cost:
            best, best_share, best_cost = x, share, mixed_cost
        is_good = share == 0.0 or mixed_cost - start_cost <= negligible * abs(start_cost)
        if is_good or in_vain == 2:
            break
        near = FoundPairs.join([near, scan.found])
        target = STEP * min(share, target)
        x = x.copy()
        _sweep(x, rule, near, target)
    return _mix(best, best_share, common)


def _with_room_for_rounding(share: float) -> float:
    return min(1.0, share * (1 + 1e-12) + 1e-15) if share > 0 else 0.0


def _sweep(x: Array, rule: PairRule, pairs: FoundPairs, target: float) -> None:
    """Bring pairs together that would need a larger share than ``target`` to be mixed."""
    limit = pairs.bound / (1.0 - target)
    near = np.flatnonzero(rule.values(x, pairs) > NEAR * limit)  # moves do not reach the others
    pairs, limit = pairs.take(near), limit[near]
    for _ in range(SWEEPS):
        if rule.bring_together(x, pairs, limit, MARGIN * target) == 0:
            return


def _mix(x: Array, share: float, common: Array) -> Array:
    if share == 0.0:
        return x
    return (1.0 - share) * x + share * common
