"""What repairs share where points may only use some of the centres."""

from abc import ABC, abstractmethod

import numpy as np

from likewise._typing import Array
from likewise.solvers.divergence_ops.base import DivergenceOps
from likewise.solvers.repair.base import KEPT, LOOKS, cheapest_for_all, within
from likewise.solvers.repair.groups import GroupRepair
from likewise.solvers.repair.loop import RepairLoop
from likewise.solvers.separation.base import Scan, Scanner
from likewise.solvers.working_set import CandidatePairs


class AllowedRepair(ABC):
    """Everything within the centres allowed. ``fallback`` is the answer that stands where an
    iterate cannot be made fair.
    """

    def __init__(
        self,
        cost: Array,
        scanner: Scanner,
        ops: DivergenceOps,
        groups: GroupRepair,
        allowed: Array,
    ) -> None:
        self.cost = cost
        self.groups = groups
        self.allowed = np.ascontiguousarray(allowed)
        self.loop = RepairLoop(scanner, ops, self.allowed)
        self.fallback = cheapest_for_all(cost)

    def first(self) -> Array:
        """The fallback; before anything fair is known, the cheapest centre for everybody."""
        return self.fallback

    def start_with(self, fair: Array) -> None:
        """A fair answer, which stands until there is another."""
        self.fallback = fair

    def estimate(self, x: Array, scan: Scan) -> float:
        """As if it cost nothing."""
        return float(np.vdot(self.cost, x))

    def make_fair(
        self, x: Array, working: CandidatePairs, negligible: float, looks: int = LOOKS
    ) -> Array:
        """A copy of x within the centres allowed that keeps every bound, or the fallback. Moving
        groups would need centres that are not allowed, so that theirs have to be kept already.
        """
        if not self.allowed.any(axis=1).all():  # points that must be the same, without a centre
            return self.fallback
        x = within(x, self.allowed)
        if self.groups.excess(x) > KEPT:
            return self.fallback
        fair = self._with_fair_pairs(x, working, negligible, looks)
        return fair if self.groups.excess(fair) <= KEPT else self.fallback

    @abstractmethod
    def _with_fair_pairs(
        self, x: Array, working: CandidatePairs, negligible: float, looks: int
    ) -> Array:
        """The same where only pairs are above their bounds."""
