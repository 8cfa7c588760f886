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

from dataclasses import dataclass

import numpy as np

from likewise._typing import Array
from likewise.solvers.divergence_ops.base import DivergenceOps
from likewise.solvers.first_order.opening_duals import OpeningDuals
from likewise.solvers.repair.groups import GroupRepair
from likewise.solvers.separation.scanners import Scan, Scanner
from likewise.solvers.working_set import CandidatePairs

LOOKS = 4  # at all pairs, where that is dear: rounds in between look at those known to matter
ROUNDS = 10
PATIENCE = 2  # rounds without any gain
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
        ops: DivergenceOps,
        groups: GroupRepair,
        opening: OpeningDuals,
    ) -> None:
        self.cost = cost
        self.scanner = scanner
        self.ops = ops
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

    def make_fair(self, x: Array, working: CandidatePairs, negligible: float) -> Array:
        """A copy of x in which every row is a distribution and every bound is kept.

        ``working`` are the pairs that matter most, by all that is known: sweeps begin with them,
        and scans over all pairs add what they miss. A rise of the cost by a share of
        ``negligible`` is not worth another round.
        """
        x = np.maximum(x, 0.0)
        x /= x.sum(axis=1, keepdims=True)
        rise = negligible * abs(float(np.vdot(self.cost, x)))
        enough = float(np.vdot(self.cost, x)) + rise
        best, best_share, best_cost = x, 1.0, self.common_cost
        for _ in range(LOOKS):
            hoped = self._among_known(x, working, enough)
            scan = hoped.scan if self.scanner.knows_all else self.scanner.full(hoped.x)
            share, mixed_cost = self._mixed(hoped.x, scan)
            improves = mixed_cost < best_cost
            if improves:
                best, best_share, best_cost = hoped.x, share, mixed_cost
            # as good as was hoped: the pairs that were not known do not matter
            if not improves or self.scanner.knows_all or mixed_cost <= hoped.cost + rise:
                break
            x, working = hoped.x, CandidatePairs.join([working, scan.found])
        return self.opening.correct(_mix(best, best_share, self.scanner.mixer), self.cost)

    def _among_known(self, x: Array, near: CandidatePairs, enough: float) -> "_Hoped":
        """The best that sweeps reach, as far as quick scans can tell."""
        best, target, in_vain = _Hoped(x, Scan(CandidatePairs.none(), 1.0), np.inf), 1.0, 0
        for _ in range(ROUNDS):
            x = self.groups.correct(x)
            scan = self.scanner.quick(x)
            share, mixed_cost = self._mixed(x, scan)
            in_vain = 0 if mixed_cost < best.cost else in_vain + 1
            if mixed_cost < best.cost:
                best = _Hoped(x, scan, mixed_cost)
            if share == 0.0 or mixed_cost <= enough or in_vain == PATIENCE:
                break
            near = CandidatePairs.join([near, scan.found])
            target = STEP * min(share, target)
            x = x.copy()
            _sweep(x, self.ops, near, target)
        return best

    def _mixed(self, x: Array, scan: Scan) -> tuple[float, float]:
        """The share of everybody's common distribution that is needed, and the cost with it."""
        share = _with_room_for_rounding(scan.share)
        return share, (1 - share) * float(np.vdot(self.cost, x)) + share * self.common_cost


@dataclass(frozen=True)
class _Hoped:
    """An answer whose violations are known only among the pairs that mattered before."""

    x: Array
    scan: Scan
    cost: float  # after mixing, if no other pair is worse


def _with_room_for_rounding(share: float) -> float:
    return min(1.0, share * (1 + 1e-12) + 1e-15) if share > 0 else 0.0


def _sweep(x: Array, ops: DivergenceOps, pairs: CandidatePairs, target: float) -> None:
    """Bring pairs together that would need a larger share than ``target`` to be mixed."""
    limit = pairs.bound / (1.0 - target)
    near = np.flatnonzero(ops.values(x, pairs) > NEAR * limit)  # moves do not reach the others
    pairs, limit = pairs.take(near), limit[near]
    for _ in range(SWEEPS):
        if ops.bring_together(x, pairs, limit, MARGIN * target) == 0:
            return


def _mix(x: Array, share: float, common: Array) -> Array:
    if share == 0.0:
        return x
    return (1.0 - share) * x + share * common
