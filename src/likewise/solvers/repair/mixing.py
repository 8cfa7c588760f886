"""Repair where points may use every centre: mixing with one distribution common to all.

Mixed with a weight w of it, a pair needs w no larger than what a scan says. Bounds on groups are
restored after each round of sweeps (``groups``), before the mixing, which keeps them: a
distribution common to all gives each group its share everywhere.
"""

from dataclasses import dataclass

import numpy as np

from likewise._typing import Array
from likewise.solvers.divergence_ops.base import DivergenceOps
from likewise.solvers.repair.base import LOOKS, as_distributions, cheapest_for_all, mix
from likewise.solvers.repair.groups import GroupRepair
from likewise.solvers.repair.loop import MIXING, UNSCANNED, RepairLoop, Settings, Trial
from likewise.solvers.repair.openings import within_limit
from likewise.solvers.separation.base import Scan, Scanner
from likewise.solvers.working_set import CandidatePairs

LEFT_BY_SWEEPS = 0.5  # what sweeps usually leave of the mixing weight


@dataclass(frozen=True)
class CommonReference:
    """The same distribution for everybody."""

    cost: Array
    common_cost: float  # if everybody had that distribution
    groups: GroupRepair
    rise: float  # of the cost, that is not worth another look
    enough: float  # a cost that is not worth another round
    settings: Settings = MIXING

    def restored(self, x: Array) -> Array:
        return self.groups.correct(x)

    def judge(self, x: Array, scan: Scan) -> Trial:
        weight = _with_room_for_rounding(scan.mixing_weight)
        loss = (1 - weight) * float(np.vdot(self.cost, x)) + weight * self.common_cost
        return Trial(x, scan, weight, weight, loss)

    def is_enough(self, trial: Trial) -> bool:
        return trial.weight == 0.0 or trial.loss <= self.enough

    def limits(self, bound: Array, off: float, target: float) -> tuple[Array, float]:
        return bound / (1.0 - target), target

    def is_settled(self, trial: Trial, hoped: Trial, improves: bool) -> bool:
        # as good as was hoped: the pairs that were not known do not matter
        return not improves or trial is hoped or trial.loss <= hoped.loss + self.rise


class MixingRepair:
    """Sweeps, and mixing with the scanner's reference distribution."""

    def __init__(
        self,
        cost: Array,
        scanner: Scanner,
        ops: DivergenceOps,
        groups: GroupRepair,
        n_open: int | None = None,
    ) -> None:
        self.cost = cost
        self.groups = groups
        self.n_open = n_open
        self.loop = RepairLoop(scanner, ops)
        self.common = scanner.reference
        self.common_cost = float(cost.sum(axis=0) @ self.common)

    def first(self) -> Array:
        """The one answer that is always fair: the cheapest centre for everybody."""
        return cheapest_for_all(self.cost)

    def start_with(self, fair: Array) -> None:
        """Nothing has to be known: there is always something to mix with."""

    def estimate(self, x: Array, scan: Scan) -> float:
        """Few violated pairs may be mended by sweeps for next to nothing; many will not."""
        cost = float(np.vdot(self.cost, x))
        if len(scan.candidates) > len(self.cost):
            cost += LEFT_BY_SWEEPS * scan.mixing_weight * (self.common_cost - cost)
        return cost

    def make_fair(
        self, x: Array, working: CandidatePairs, negligible: float, looks: int = LOOKS
    ) -> Array:
        """A copy of x in which every row is a distribution and every bound is kept."""
        x = as_distributions(x)
        cost = float(np.vdot(self.cost, x))
        rise = negligible * abs(cost)
        reference = CommonReference(self.cost, self.common_cost, self.groups, rise, cost + rise)
        all_mixed = Trial(x, UNSCANNED, 1.0, 1.0, self.common_cost)
        best = self.loop.best_of(x, working, reference, all_mixed, looks)
        return within_limit(mix(best.x, best.weight, self.common), self.cost, self.n_open)


def _with_room_for_rounding(weight: float) -> float:
    return min(1.0, weight * (1 + 1e-12) + 1e-15) if weight > 0 else 0.0
