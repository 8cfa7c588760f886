"""Repair where points may only use some of the centres, once a fair answer is known.

There is no common distribution to mix everybody with. A fair answer in which every pair keeps some
room, the anchor, takes its place: with divergences off by a part t of their bounds, and those of
the anchor below them by a part s, a weight of t / (t + s) is enough.
"""

from dataclasses import dataclass

import numpy as np

from likewise._typing import Array
from likewise.solvers.divergence_ops.base import DivergenceOps
from likewise.solvers.repair.allowed import AllowedRepair
from likewise.solvers.repair.base import KEPT, mix
from likewise.solvers.repair.loop import ANCHORED, UNSCANNED, Settings, Trial
from likewise.solvers.separation.base import Scan
from likewise.solvers.working_set import CandidatePairs

SLACKS = (0.27, 0.09, 0.009, 9e-4, 9e-5, 9e-7)  # room of an anchor that is looked for, of a bound


@dataclass(frozen=True)
class AnchorReference:
    """A fair answer whose divergences are at most 1 - slack times their bounds."""

    cost: Array
    anchor: Array
    slack: float
    ops: DivergenceOps
    negligible: float
    settings: Settings = ANCHORED

    def restored(self, x: Array) -> Array:
        return x  # moving groups would need centres that are not allowed

    def judge(self, x: Array, scan: Scan) -> Trial:
        off = self.ops.furthest_off(x, scan.candidates, scan.mixing_weight)
        weight = self._weight(off)
        return Trial(x, scan, off, weight, self.mixed_cost(x, weight))

    def _weight(self, off: float) -> float:
        """How much of the anchor brings pairs that are off by this part of their bounds within."""
        if off <= 0.0:
            return 0.0
        return min(1.0, off / (off + self.slack) * (1 + 1e-9) + 1e-15)  # room for rounding

    def mixed_cost(self, x: Array, weight: float) -> float:
        """The cost of x mixed with this weight of the anchor."""
        own, of_anchor = (float(np.vdot(self.cost, each)) for each in (x, self.anchor))
        return (1.0 - weight) * own + weight * of_anchor

    def is_enough(self, trial: Trial) -> bool:
        return trial.weight <= self.negligible

    def limits(self, bound: Array, off: float, target: float) -> tuple[Array, float]:
        return (1.0 + target) * bound, target

    def is_settled(self, trial: Trial, hoped: Trial, improves: bool) -> bool:
        # as good as was hoped: the pairs that were not known do not matter
        return trial is hoped or trial.loss <= hoped.loss * (1.0 + self.negligible)


class AnchoredRepair(AllowedRepair):
    """Mixes with a fair answer that has room, the anchor: it is also what stands where an iterate
    cannot be made fair.
    """

    slack = 0.0

    def start_with(self, fair: Array) -> None:
        """A fair answer. How much room its pairs have is found out."""
        self.fallback, self.slack = fair, 0.0
        for slack in SLACKS:
            if len(self.loop.scanner.tightened(slack).full(fair, weighs=False).candidates) == 0:
                self.slack = slack
                return

    def _with_fair_pairs(
        self, x: Array, working: CandidatePairs, negligible: float, looks: int
    ) -> Array:
        anchor = self.fallback
        reference = AnchorReference(self.cost, anchor, self.slack, self.loop.ops, negligible)
        all_mixed = Trial(x, UNSCANNED, np.inf, 1.0, reference.mixed_cost(x, 1.0))
        best = self.loop.best_of(x, working, reference, all_mixed, looks)
        return self._confirmed(mix(best.x, best.weight, anchor))

    def _confirmed(self, x: Array) -> Array:
        """x if it is fair; the scans that led to it may have left out what was not the worst."""
        candidates = self.loop.scanner.full(x, weighs=False).candidates
        excess = self.loop.ops.values(x, candidates) - candidates.bound
        return x if excess.max(initial=0.0) <= KEPT else self.fallback
