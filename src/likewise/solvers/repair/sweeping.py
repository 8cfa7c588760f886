"""Repair where points may only use some of the centres, and no fair answer is known yet.

There is nothing to mix with, only sweeps: both ends of a violated pair go towards a distribution
that is open to both, a little further than needed, until a scan over all pairs finds nothing. Where
there is next to no room this need not end; then the last answer stands.
"""

from dataclasses import dataclass

import numpy as np

from likewise._typing import Array
from likewise.solvers.divergence_ops.base import NOTHING, DivergenceOps
from likewise.solvers.repair.allowed import AllowedRepair
from likewise.solvers.repair.base import KEPT, LOOKS
from likewise.solvers.repair.loop import SWEEPS_ONLY, UNSCANNED, Settings, Trial
from likewise.solvers.separation.base import Scan
from likewise.solvers.working_set import CandidatePairs


@dataclass(frozen=True)
class NoReference:
    """Nothing to mix with: what is to be small is the largest excess itself."""

    ops: DivergenceOps
    settings: Settings = SWEEPS_ONLY

    def restored(self, x: Array) -> Array:
        return x  # moving groups would need centres that are not allowed

    def judge(self, x: Array, scan: Scan) -> Trial:
        bound = scan.candidates.bound
        excess = self.ops.values(x, scan.candidates) - bound
        if len(excess) == 0:
            return Trial(x, scan, 0.0, 0.0, 0.0)
        # of the worst pair: pairs of tiny bounds are always far off as a part of them, and would
        # make everybody move further than is needed
        worst = float(excess.max())
        off = worst / max(float(bound[excess.argmax()]), NOTHING)
        return Trial(x, scan, off, 0.0, max(worst, 0.0))

    def is_enough(self, trial: Trial) -> bool:
        return trial.loss <= KEPT

    def limits(self, bound: Array, off: float, target: float) -> tuple[Array, float]:
        return bound, off  # all the way: what is left cannot be mixed away

    def is_settled(self, trial: Trial, hoped: Trial, improves: bool) -> bool:
        return trial.loss <= KEPT


class SweepingRepair(AllowedRepair):
    """Sweeps alone; what they last made fair stands where they do not succeed."""

    def make_fair(
        self, x: Array, working: CandidatePairs, negligible: float, looks: int = LOOKS
    ) -> Array:
        """As any repair; and what it has made fair is remembered."""
        self.fallback = super().make_fair(x, working, negligible, looks)
        return self.fallback

    def _with_fair_pairs(
        self, x: Array, working: CandidatePairs, negligible: float, looks: int
    ) -> Array:
        reference = NoReference(self.loop.ops)
        nothing = Trial(x, UNSCANNED, np.inf, 0.0, np.inf)
        best = self.loop.best_of(x, working, reference, nothing, looks)
        return best.x if best.loss <= KEPT else self.fallback
