"""From nearly fair to exactly fair where points may only use some of the centres.

There is no common distribution to mix everybody with. Two ways round that:

* a fair answer in which every pair keeps some room (``AnchoredRepair``) takes the place of the
  common distribution: mixed with it, what is off shrinks and the room grows;
* as long as no fair answer is known, sweeps: both ends of a violated pair go towards a
  distribution that is open to both, a little further than needed, until a scan over all pairs
  finds nothing. Where there is next to no room this need not end; then the last answer stands.
"""

from typing import Protocol

import numpy as np

from likewise._typing import Array
from likewise.solvers.repair.mixing import MixingRepair
from likewise.solvers.separation.scanners import Scan
from likewise.solvers.working_set import CandidatePairs

MARGIN = 0.3  # how much further than needed, as a share of what the worst pair is off
LARGEST_MARGIN = 1e-2  # but no more than this share of a bound: sweeps would disturb too much
LOOKS = 4  # at all pairs, where that is dear: rounds in between look at those known to matter
ROUNDS = 12  # of sweeps and a scan
PATIENCE = 3  # rounds that do not improve on the best one
SWEEPS = 20
SLACKS = (0.27, 0.09, 0.009, 9e-4, 9e-5, 9e-7)  # room of an anchor, as a share of the bounds
NEAR = 0.8  # sweeps look at pairs above this share of their limit
KEPT = 1e-11  # a pair or a group missed by this much is within its bound: rounding


class Repair(Protocol):
    """Makes iterates exactly fair."""

    def first(self) -> Array:
        """An answer to begin with."""
        ...

    def estimate(self, cost: float, scan: Scan) -> float:
        """About what the cost of a scanned iterate becomes."""
        ...

    def make_fair(self, x: Array, working: CandidatePairs, negligible: float) -> Array:
        """A copy of x that keeps every bound, or the last answer that did."""
        ...


class SweepingRepair:
    """Sweeps within the centres that are allowed."""

    def __init__(self, mixing: MixingRepair, allowed: Array) -> None:
        self.scanner, self.ops = mixing.scanner, mixing.ops
        self.groups = mixing.groups
        self.allowed = np.ascontiguousarray(allowed)
        self.last = mixing.first()

    def first(self) -> Array:
        return self.last

    def estimate(self, cost: float, scan: Scan) -> float:
        return cost

    def make_fair(self, x: Array, working: CandidatePairs, negligible: float) -> Array:
        x = within(x, self.allowed)
        if self.groups.excess(x) > KEPT:  # moving groups would need centres that are not allowed
            return self.last
        near = working
        for _ in range(LOOKS):
            x, near = self._among_known(x, near)
            scan = self.scanner.full(x)
            if self._excess(x, scan).max(initial=0.0) <= KEPT:
                self.last = x
                return x
            near = self.scanner.merging.once(CandidatePairs.join([near, scan.found]))
        return self.last

    def _excess(self, x: Array, scan: Scan) -> Array:
        return np.asarray(self.ops.values(x, scan.found) - scan.found.bound)

    def _among_known(self, x: Array, near: CandidatePairs) -> tuple[Array, CandidatePairs]:
        """The best that sweeps reach among the pairs that scans have found so far."""
        best, least, in_vain = x, np.inf, 0
        for _ in range(ROUNDS):
            scan = self.scanner.quick(x)
            excess = self._excess(x, scan)
            worst = float(excess.max(initial=0.0))
            in_vain = in_vain + 1 if worst >= least else 0
            if worst < least:
                best, least = x, worst
            if worst <= KEPT or in_vain == PATIENCE or len(self.groups.rows):
                break
            near = self.scanner.merging.once(CandidatePairs.join([near, scan.found]))
            # of the worst pair: pairs of tiny bounds are always far off as a share of them, and
            # would make everybody move further than is needed
            relative = worst / max(float(scan.found.bound[excess.argmax()]), 1e-300)
            x = x.copy()
            self._sweep(x, near, min(MARGIN * relative, LARGEST_MARGIN))
        return best, near

    def _sweep(self, x: Array, pairs: CandidatePairs, margin: float) -> None:
        for _ in range(SWEEPS):
            if self.ops.bring_together(x, pairs, pairs.bound, margin, self.allowed) == 0:
                return


class AnchoredRepair:
    """Mixes with a fair answer that has room, everything within the centres allowed."""

    def __init__(self, mixing: MixingRepair, allowed: Array) -> None:
        self.scanner, self.ops, self.groups = mixing.scanner, mixing.ops, mixing.groups
        self.cost = mixing.cost
        self.allowed = np.ascontiguousarray(allowed)
        self.anchor, self.slack = mixing.first(), 0.0

    def start_with(self, x: Array) -> None:
        """A fair answer. How much room its pairs have is found out."""
        self.anchor, self.slack = x, 0.0
        for slack in SLACKS:
            if len(self.scanner.tightened(slack).full(x).found) == 0:
                self.slack = slack
                return

    def first(self) -> Array:
        return self.anchor

    def estimate(self, cost: float, scan: Scan) -> float:
        return cost

    def make_fair(self, x: Array, working: CandidatePairs, negligible: float) -> Array:
        """Sweep what is furthest off, see what mixing the rest away costs, and again with half of
        that: as ``MixingRepair`` does.
        """
        x = within(x, self.allowed)
        if self.groups.excess(x) > KEPT:
            return self.anchor
        best, best_share, best_cost = x, 1.0, self._mixed_cost(x, 1.0)
        near = working
        for _ in range(LOOKS):
            x, hoped, near = self._among_known(x, near, negligible)
            scan = self.scanner.full(x)
            share = self._share(self.ops.furthest_off(x, scan.found, scan.share))
            cost = self._mixed_cost(x, share)
            if cost < best_cost:
                best, best_share, best_cost = x, share, cost
            # as good as was hoped: the pairs that were not known do not matter
            if self.scanner.knows_all or cost <= hoped * (1.0 + negligible):
                break
            near = self.scanner.merging.once(CandidatePairs.join([near, scan.found]))
        return self._confirmed((1.0 - best_share) * best + best_share * self.anchor)

    def _mixed_cost(self, x: Array, share: float) -> float:
        own, of_anchor = (float(np.vdot(self.cost, each)) for each in (x, self.anchor))
        return (1.0 - share) * own + share * of_anchor

    def _among_known(
        self, x: Array, near: CandidatePairs, negligible: float
    ) -> tuple[Array, float, CandidatePairs]:
        """The best that sweeps reach, as far as quick scans can tell, and what it costs mixed."""
        best, best_cost, target, in_vain = x, np.inf, np.inf, 0
        for _ in range(ROUNDS):
            scan = self.scanner.quick(x)
            off = self.ops.furthest_off(x, scan.found, scan.share)
            share = self._share(off)
            cost = self._mixed_cost(x, share)
            in_vain = in_vain + 1 if cost >= best_cost else 0
            if cost < best_cost:
                best, best_cost = x, cost
            if share <= negligible or in_vain == PATIENCE or len(self.groups.rows):
                break
            near = self.scanner.merging.once(CandidatePairs.join([near, scan.found]))
            target = 0.5 * min(off, target)
            x = x.copy()
            self._sweep(x, near, target)
        return best, best_cost, near

    def _share(self, off: float) -> float:
        """How much of the anchor brings pairs that are off by this share of their bounds within."""
        if off <= 0.0:
            return 0.0
        return min(1.0, off / (off + self.slack) * (1 + 1e-9) + 1e-15)

    def _sweep(self, x: Array, pairs: CandidatePairs, target: float) -> None:
        """Bring pairs together that are off by more than ``target``."""
        limit = (1.0 + target) * pairs.bound
        pulled = np.flatnonzero(self.ops.values(x, pairs) > NEAR * limit)
        pairs, limit = pairs.take(pulled), limit[pulled]
        for _ in range(SWEEPS):
            if self.ops.bring_together(x, pairs, limit, MARGIN * target, self.allowed) == 0:
                return

    def _confirmed(self, x: Array) -> Array:
        """x if it is fair; the scans that led to it may have left out what was not the worst."""
        found = self.scanner.full(x).found
        excess = self.ops.values(x, found) - found.bound
        return x if excess.max(initial=0.0) <= KEPT else self.anchor


def within(x: Array, allowed: Array) -> Array:
    """x without what lies on centres that are not allowed."""
    x = np.where(allowed, np.maximum(x, 0.0), 0.0)
    total = x.sum(axis=1, keepdims=True)
    lost = total[:, 0] < 1e-9
    x[lost] = allowed[lost]
    total[lost] = allowed[lost].sum(axis=1, keepdims=True)
    return x / total
