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
from likewise.solvers.opening import OpeningDuals
from likewise.solvers.pair_rules import PairRule
from likewise.solvers.scan import Scan, Scanner
from likewise.types import Array

ROUNDS = 10
SWEEPS = 20
NEAR = 0.8  # sweeps look at pairs above this share of their limit
STEP = 0.5  # each round sweeps down to this part of the last round's share to mix
MARGIN = 0.1  # and a little further, by this part of it, so that sweeps end
SWEPT = 0.5  # what sweeps usually leave of the share to mix


class MixingRepair:
    """Sweeps, and mixing with the scanner's common distribution."""

    def __init__(
        self,
        cost: Array,
        scanner: Scanner,
        rule: PairRule,
        groups: GroupRepair,
        opening: OpeningDuals,
    ) -> None:
        self.cost = cost
        self.scanner = scanner
        self.rule = rule
        self.groups = groups
        self.opening = opening
        self.common_cost = float(cost.sum(axis=0) @ scanner.mixer)

    def first(self) -> Array:
        """The one answer that is always fair: the cheapest centre for everybody."""
        x = np.zeros_like(self.cost)
        x[:, self.cost.sum(axis=0).argmin()] = 1.0
        return x

    def estimate(self, cost: float, scan: Scan) -> float:
        """About what the cost of a scanned iterate becomes. Few violated pairs may be mended by
        sweeps for next to nothing; many will not.
        """
        if len(scan.found) > len(self.cost):
            cost += SWEPT * scan.share * (self.common_cost - cost)
        return cost

    def make_fair(self, x: Array, working: FoundPairs, negligible: float) -> Array:
        """A copy of x in which every row is a distribution and every bound is kept.

        ``working`` are the pairs that matter most, by all that is known: sweeps begin with them,
        and scans over all pairs add what they miss. A rise of the cost by a share of
        ``negligible`` is not worth another round.
        """
        x = np.maximum(x, 0.0)
        x /= x.sum(axis=1, keepdims=True)
        start_cost = float(np.vdot(self.cost, x))
        best, best_share, best_cost = x, 1.0, self.common_cost
        near, target, in_vain = working, 1.0, 0
        for _ in range(ROUNDS):
            x = self.groups.correct(x)
            scan = self.scanner.full(x)
            share = _with_room_for_rounding(scan.share)
            mixed_cost = (1 - share) * float(np.vdot(self.cost, x)) + share * self.common_cost
            in_vain = 0 if mixed_cost < best_cost else in_vain + 1
            if mixed_cost < best_cost:
                best, best_share, best_cost = x, share, mixed_cost
            is_good = share == 0.0 or mixed_cost - start_cost <= negligible * abs(start_cost)
            if is_good or in_vain == 2:
                break
            near = FoundPairs.join([near, scan.found])
            target = STEP * min(share, target)
            x = x.copy()
            _sweep(x, self.rule, near, target)
        return self.opening.correct(_mix(best, best_share, self.scanner.mixer), self.cost)


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
