"""The first-order engine: iterate, scan, repair, bound, until the gap is small enough."""

import numpy as np

from likewise.problem import PairDuals, relative_gap
from likewise.solvers.budget import Budget
from likewise.solvers.outcome import duals_of_rows
from likewise.solvers.primal_dual import SCAN_EVERY, PrimalDual
from likewise.solvers.repair import make_fair
from likewise.solvers.scan import FoundPairs, PairScanner
from likewise.types import Array

CHECK_GROWTH = 1.1  # repairs and bounds cost a scan or two: each check waits 10 % longer


class FirstOrderRun:
    """A run of the method, with the best fair answer and the best bound seen so far."""

    def __init__(self, cost: Array, scanner: PairScanner) -> None:
        self.cost = cost
        self.scanner = scanner
        self.state = PrimalDual(cost, scanner)
        self.best = _everyone_to_one_center(cost)
        self.best_cost = float(np.vdot(cost, self.best))
        self.bound = self.state.lower_bound()
        self._best_pairs: FoundPairs = self.state.pairs
        self._best_u: Array = self.state.u_image

    @property
    def gap(self) -> float:
        return relative_gap(self.best_cost, self.bound)

    def run(self, tol: float, budget: Budget) -> bool:
        """Go on until the gap is at most ``tol`` (True) or the budget is spent (False)."""
        next_check = 0
        while not budget.is_spent:
            self.state.scan()
            if self.state.iterations >= next_check:
                self.check()
                budget.report(self.gap, len(self.state.pairs), self.scanner.pairs_scanned)
                next_check = int(self.state.iterations * CHECK_GROWTH) + 1
                if self.gap <= tol:
                    return True
            self.state.iterate(SCAN_EVERY)
        self.check()
        return self.gap <= tol

    def check(self) -> None:
        """Turn the present iterate into a fair answer and a bound; keep whichever is better."""
        bound = self.state.lower_bound()
        if bound > self.bound:
            self.bound = bound
            self._best_pairs, self._best_u = self.state.pairs, self.state.u_image.copy()
        fair = make_fair(self.state.x_image, self.scanner, self.cost)
        cost = float(np.vdot(self.cost, fair))
        if cost < self.best_cost:
            self.best, self.best_cost = fair, cost

    def duals(self) -> PairDuals:
        """The evidence for the bound."""
        used = np.flatnonzero(self._best_u.any(axis=1))
        u = self._best_u[used] * self.state.scale
        return duals_of_rows(self._best_pairs.take(used), u, -u, self.scanner.label)


def _everyone_to_one_center(cost: Array) -> Array:
    """The one answer that is always fair: the same for all."""
    x = np.zeros_like(cost)
    x[:, cost.sum(axis=0).argmin()] = 1.0
    return x
