"""The first-order engine: iterate, scan, repair, bound, until the gap is small enough."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from likewise._typing import Array
from likewise.problem.assignment import Assignment, AssignmentProblem, Duals, relative_gap
from likewise.solvers.budget import Budget
from likewise.solvers.divergence_ops.base import DivergenceOps
from likewise.solvers.first_order.pdhg import SCAN_EVERY, PrimalDual
from likewise.solvers.group_constraints import GroupRows
from likewise.solvers.repair.anchored import AnchoredRepair
from likewise.solvers.repair.base import Repair
from likewise.solvers.repair.groups import GroupRepair
from likewise.solvers.repair.mixing import MixingRepair
from likewise.solvers.result import duals_of_rows, pairs_of_duals
from likewise.solvers.separation.base import Scanner
from likewise.solvers.working_set import CandidatePairs

CHECK_GROWTH = 1.03  # a check, of the bound, waits 3 % longer than the last
# Repairing an iterate costs some full scans, so it is done when the iterate's own cost says that
# it may close the gap, and otherwise only now and then, to have something fair to show.
FIRST_REPAIR, REPAIR_GROWTH = 10 * SCAN_EVERY, 1.5
TRY_GROWTH = 1.1
# Full scans wait so long that they take some third of the time: pairs scanned by a check against
# pairs and points touched by an iteration, each at its measured cost.
FULL_SCAN_WORTH = 3.0
# No progress worth the name: over half of all iterations, and many, the gap fell by less than this.
STALL_AFTER, STALL_PROGRESS = 10_000, 0.8
# Within allowed centres the gap may not close at all (``anchored``): there patience is short.
STALL_AFTER_WITHIN = 4_000


@dataclass
class _Schedule:
    """At which iteration the next check of the bound, repair, and attempt to finish are due."""

    check: int = 0
    repair: int = FIRST_REPAIR
    attempt: int = 0


class FirstOrderRun:
    """A run of the method, with the best fair answer and the best bound seen so far."""

    def __init__(
        self,
        cost: Array,
        scanner: Scanner,
        groups: GroupRows,
        ops: DivergenceOps,
        n_open: int | None = None,
        allowed: Array | None = None,
    ) -> None:
        self.cost = cost
        self.scanner = scanner
        self.groups = groups
        self.ops = ops
        self.state = PrimalDual(cost, groups, ops, n_open, allowed)
        self.repair: Repair = self._make_repair(allowed)
        self.best = self.repair.first()
        self.best_cost = float(np.vdot(cost, self.best))
        self.bound = self.state.lower_bound()
        self._best_pairs: CandidatePairs = self.state.pairs
        self._best_u: tuple[Array, Array] = self.state.duals.coefficients()
        self._best_v: Array = self.state.groups.image
        self._best_w: Array = self.state.opening.image
        self.history: list[tuple[int, float]] = []  # (iterations, gap)
        self.schedule = _Schedule()
        self.is_resumed = False
        self.between_checks: Callable[[], None] = lambda: None  # may write the state down
        self.give_up_at = np.inf  # a bound from here on is all that is wanted to know

    def _make_repair(self, allowed: Array | None) -> Repair:
        groups = GroupRepair(self.groups, self.cost)
        if allowed is not None:
            return AnchoredRepair(self.cost, self.scanner, self.ops, groups, allowed)
        n_open = self.state.opening.limit
        return MixingRepair(self.cost, self.scanner, self.ops, groups, n_open)

    def start_from(self, answer: Assignment, problem: AssignmentProblem) -> None:
        """Go on from an answer to a problem with the same pairs and groups, and other costs."""
        merging, duals = self.scanner.merging, answer.duals
        x = np.empty_like(self.cost)
        x[merging.label] = answer.distributions
        self._begin_with(x)
        if self.ops.can_iterate:
            v = np.zeros_like(self._best_v)
            if duals.above.size:
                v[:] = duals.above, duals.below
            pairs = pairs_of_duals(duals, problem, merging)
            self.state.start_from(x, *pairs, v * self.groups.unit)
            self._bound()

    @property
    def gap(self) -> float:
        return relative_gap(self.best_cost, self.bound)

    def run(self, tol: float, budget: Budget) -> bool:
        """Go on until the gap is at most ``tol`` (True), or the budget is spent or nothing
        improves any more (False).
        """
        if self.ops.can_iterate:
            self._run(tol, budget)
        if self.gap > tol and self.bound < self.give_up_at:
            self._bound()
            self._repair(tol)
        return self.gap <= tol

    def _run(self, tol: float, budget: Budget) -> None:
        state, scanner = self.state, self.scanner
        schedule = self.schedule
        if not self.is_resumed:
            state.admit(scanner.full(state.x_image))
        while not budget.is_spent and not self._stalls():
            self.between_checks()
            if state.iterations >= schedule.check:
                self._bound()
                due = state.iterations >= schedule.repair
                if due or (state.iterations >= schedule.attempt and self._may_close_the_gap(tol)):
                    self._repair(tol)
                    schedule.repair = int(state.iterations * REPAIR_GROWTH)
                    schedule.attempt = self._next_try(tol)
                self.history.append((state.iterations, self.gap))
                budget.report(self.gap, len(state.pairs), scanner.pairs_scanned)
                if self.gap <= tol or self.bound >= self.give_up_at:
                    return
                state.admit(scanner.full(state.x_image))
                state.drop_idle()
                schedule.check = self._next_check()
            else:
                state.admit(scanner.quick(state.x_image))
            state.iterate(SCAN_EVERY)

    def _stalls(self) -> bool:
        done = self.state.iterations
        if done < (STALL_AFTER if self.state.allowed is None else STALL_AFTER_WITHIN):
            return False
        before = [gap for iterations, gap in self.history if iterations <= done / 2]
        return self.history[-1][1] > STALL_PROGRESS * before[-1]

    def _next_check(self) -> int:
        done = self.state.iterations
        step_cost = len(self.cost) + 8 * len(self.state.pairs)
        worth = int(FULL_SCAN_WORTH * self.scanner.full_cost / step_cost)
        return max(int(done * CHECK_GROWTH) + 1, done + min(worth, 2000))

    def _next_try(self, tol: float) -> int:
        """A repair that was to close the gap and did not: the further off, the longer the wait."""
        done = self.state.iterations
        for factor, growth in ((10.0, REPAIR_GROWTH), (1.5, TRY_GROWTH)):
            if self.gap > factor * tol:
                return int(done * growth) + 2 * SCAN_EVERY
        return done

    def _may_close_the_gap(self, tol: float) -> bool:
        """Whether a repair is worth its while, judged by what it would make of the cost."""
        scan = self.scanner.quick(self.state.x_image)
        if self.state.iterations == 0:  # bound and cost agree there, whatever a repair would do
            return len(scan.candidates) == 0
        cost = self.repair.estimate(float(np.vdot(self.cost, self.state.x_image)), scan)
        return relative_gap(min(self.best_cost, cost), self.bound) <= tol

    def _bound(self) -> None:
        """The bound of the present duals; kept if it is better."""
        bound = self.state.lower_bound()
        if bound > self.bound:
            self.bound = bound
            self._best_pairs = self.state.pairs
            alpha, beta = self.state.duals.coefficients()
            self._best_u = alpha.copy(), beta.copy()
            self._best_v = self.state.groups.image.copy()
            self._best_w = self.state.opening.image.copy()

    def _repair(self, tol: float) -> None:
        """The present iterate, made fair; kept if it is better."""
        state = self.state
        self._keep_if_better(
            self.repair.make_fair(state.x_image, state.pairs, negligible=0.05 * tol)
        )

    def _begin_with(self, fair: Array) -> None:
        if isinstance(self.repair, AnchoredRepair):  # nothing else is known to be fair there
            self.repair.start_with(fair)
            self.best_cost = np.inf
        self._keep_if_better(fair)

    def _keep_if_better(self, fair: Array) -> None:
        cost = float(np.vdot(self.cost, fair))
        if cost < self.best_cost:
            self.best, self.best_cost = fair, cost

    def trace(self) -> dict[str, int]:
        """How much work it was."""
        return {
            "first_order_iterations": self.state.iterations,
            "pairs_in_working_set": len(self.state.pairs),
            "pairs_scanned": self.scanner.pairs_scanned,
        }

    def duals(self) -> Duals:
        """The evidence for the bound."""
        alpha, beta = self._best_u
        used = np.flatnonzero(alpha.any(axis=1) | beta.any(axis=1))
        alpha, beta = (end[used] * self.state.scale for end in (alpha, beta))
        v = self._best_v * self.state.scale / self.groups.unit
        w = self._best_w * self.state.scale
        return duals_of_rows(self._best_pairs.take(used), alpha, beta, self.scanner.merging, v, w)
