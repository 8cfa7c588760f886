"""The first-order engine: iterate, scan, repair, bound, until the gap is small enough."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field

import numpy as np

from likewise._typing import Array
from likewise.compute.budget import CLOSING, SOLVING, Budget
from likewise.compute.cancellation import check
from likewise.problem.assignment import Assignment, AssignmentProblem, Duals
from likewise.solvers.checkpoint import Resumable, RunCheckpoint, named, part
from likewise.solvers.first_order import state as states
from likewise.solvers.first_order.lifting import lifted
from likewise.solvers.first_order.pdhg import SCAN_EVERY, PrimalDual
from likewise.solvers.first_order.polishing import FAR, PolishedRepair
from likewise.solvers.first_order.stopping import StoppingRule
from likewise.solvers.merged_problem import MergedProblem
from likewise.solvers.repair.base import Repair
from likewise.solvers.result import MergedDuals, Outcome
from likewise.solvers.separation.base import Scan
from likewise.solvers.working_set import CandidatePairs

CHECK_GROWTH = 1.03  # a check, of the bound, waits 3 % longer than the last
# Repairing an iterate costs some full scans, so it is done when the iterate's own cost says that
# it may close the gap, and otherwise only now and then, to have something fair to show.
FIRST_REPAIR, REPAIR_GROWTH = 10 * SCAN_EVERY, 2.0
# Full scans wait until they take some third of the time: pairs scanned by a check against points
# and pairs touched by an iteration, at their measured costs; a pair takes as long as 8 points.
FULL_SCAN_WORTH, PAIR_COST = 0.6, 8
# What the first steps look for the first scan cannot know: until a third of the time is reached
# scans come after twice the iterations each. Measured: half of the iterations to an answer within
# 5 % (credit cards and census records, every pair).
FIRST_WAIT = 2 * SCAN_EVERY
LONGEST_WAIT = 2_000  # iterations between checks, however expensive a scan: bounds are wanted too
# Before the first repair has shown how long one takes: as long as this many scans over all pairs.
SCANS_OF_A_REPAIR = 4.0
MOST_FOR_REPAIR = 0.3  # share of the time limit that is kept for the last repair
POSTPONED = 1.3  # times the iterations: then an iterate too far off for a repair is looked at again
# What a repair is expected to cost can be far too little (a million rows: a thirteenth), and each
# takes as long as hundreds of iterations: the next is expected to be off by as much, up to this.
MOST_RISES = 20.0
# Iterations between two lifts of the bound, each of which takes 60: so many, and early on a part of
# those that are done.
LIFT_EVERY, EARLY_LIFTS = 300, 0.4


@dataclass
class _Schedule:
    """At which iteration the next check of the bound, repair, attempt to finish, and lift of the
    bound are due.
    """

    check: int = 0
    repair: int = FIRST_REPAIR
    attempt: int = 0
    lift: int = 0

    def arrays(self) -> dict[str, Array]:
        return {name: np.array(when) for name, when in asdict(self).items()}

    def restore(self, arrays: dict[str, Array]) -> None:
        for name, when in arrays.items():
            setattr(self, name, int(when))


@dataclass
class _Clock:
    """How long the last scan over all pairs and the last repair took, in seconds."""

    last: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def times(self, what: str) -> Iterator[None]:
        """Time what is done in this block, if it is not cut short."""
        started = time.perf_counter()
        yield
        self.last[what] = time.perf_counter() - started

    @property
    def of_a_repair(self) -> float:
        """Seconds that the next repair will take, by all that is known."""
        return self.last.get("repair", SCANS_OF_A_REPAIR * self.last.get("scan", 0.0))


class FirstOrderRun:
    """A run of the method, with the best fair answer and the best bound seen so far."""

    def __init__(
        self,
        problem: MergedProblem,
        rule: StoppingRule,
        repair: Repair,
        checkpoint: RunCheckpoint | None = None,
        polishes: bool = False,
    ) -> None:
        self.problem = problem
        self.rule = rule
        self.checkpoint = checkpoint
        self.state = PrimalDual(problem, rule.negligible, hurries=not rule.judges_by_cost)
        self.plain_repair = repair
        self.repair = PolishedRepair(repair, problem, self.state) if polishes else repair
        self.best = repair.first()
        self.best_cost = self._cost(self.best)
        self.bound = self.state.lower_bound()
        self.best_duals = self.state.evidence()  # the evidence for the bound
        self.history: list[tuple[int, float]] = []  # (iterations, gap)
        self.schedule = _Schedule()
        self.rises = 1.0  # the last repair's rise of the cost, times what was expected of it
        self.is_resumed = False
        self._has_begun = False  # from something else than everybody at the cheapest centre
        self._clock = _Clock()

    def start_from(self, answer: Assignment, problem: AssignmentProblem) -> None:
        """Go on from an answer to a problem with the same pairs and groups, and other costs."""
        merged = self.problem
        x = merged.merged(answer.distributions)
        self._begin_with(x)
        if merged.ops.can_iterate:
            duals = MergedDuals.from_rows(answer.duals, problem, merged.merging, merged.groups)
            self.go_on_from(x, duals)

    def go_on_from(self, x: Array, duals: MergedDuals) -> None:
        """Go on from distributions that need not be fair, and duals."""
        self.state.start_from(x, duals)
        self._has_begun = True
        self._bound()

    @property
    def _knows_nothing(self) -> bool:
        """Whether bound and cost agree because neither has a dual yet."""
        return self.state.iterations == 0 and not self._has_begun

    def _begin_with(self, fair: Array) -> None:
        self.repair.start_with(fair)
        self.best, self.best_cost = fair, self._cost(fair)
        self._keep_if_better(self.repair.first())

    @property
    def gap(self) -> float:
        return self.rule.gap(self.best_cost, self.bound)

    @property
    def _has_ended(self) -> bool:
        return self.rule.ends(self.best_cost, self.bound)

    def run(self, budget: Budget) -> bool:
        """Go on until the answer is good enough (True), or the budget is spent or nothing improves
        any more (False).
        """

        def for_repair() -> float:
            return min(self._clock.of_a_repair, MOST_FOR_REPAIR * budget.max_time)

        if self.problem.ops.can_iterate:
            with budget.cut_short(SOLVING, for_repair):
                self._run(budget)
        if not self._has_ended:
            with budget.cut_short(CLOSING):
                self._bound()
                self._repair(self.plain_repair)  # quicker, should there be no time for more
                if self.repair is not self.plain_repair:
                    self._repair(self.repair)
        return self.rule.is_reached(self.best_cost, self.bound)

    def _run(self, budget: Budget) -> None:
        """Iterations, scans and repairs. Wherever it is cut short, the best answer and bound so far
        are whole, and so is the iterate, as something to repair.
        """
        state = self.state
        if not self.is_resumed:
            state.admit(self._full_scan())
        while not self.rule.stalls(state.iterations, self.history):
            check()
            self._offer_state()
            if state.iterations >= self.schedule.check:
                # before the first step there is nothing new to be seen
                scan = self._full_scan() if state.iterations else self._quick_scan()
                self._check(budget)
                if self._has_ended:
                    return
                state.admit(scan)
                state.drop_idle()
                self.schedule.check = self._next_check()
            else:
                state.admit(self._quick_scan())
            state.iterate(SCAN_EVERY)

    def _full_scan(self) -> Scan:
        with self._clock.times("scan"):
            return self.problem.scanner.full(self.state.seen(), weighs=False)

    def _quick_scan(self) -> Scan:
        return self.problem.scanner.quick(self.state.seen())

    def _check(self, budget: Budget) -> None:
        """The bound, and a fair answer if it is time for one."""
        done, schedule = self.state.iterations, self.schedule
        self._bound()
        due = done >= schedule.repair
        if due and self._is_far():
            due, schedule.repair = False, int(done * POSTPONED)
        if due or (done >= schedule.attempt and self._may_close_the_gap()):
            self._repair_and_learn()
            schedule.repair = int(done * REPAIR_GROWTH)
            schedule.attempt = self.rule.next_try(done, self.gap)
        if done >= schedule.lift and self.rule.is_nearly_reached(self.gap):
            self._lift()
            schedule.lift = done + min(LIFT_EVERY, int(EARLY_LIFTS * done))
        self.history.append((done, self.gap))
        budget.report(self.gap, len(self.state.pairs), self.problem.scanner.pairs_scanned)

    def _next_check(self) -> int:
        done = self.state.iterations
        step_cost = len(self.problem.cost) + PAIR_COST * len(self.state.pairs)
        worth = int(FULL_SCAN_WORTH * self.problem.scanner.full_cost / step_cost)
        return max(int(done * CHECK_GROWTH) + 1, done + min(worth, LONGEST_WAIT, done + FIRST_WAIT))

    def _may_close_the_gap(self) -> bool:
        """Whether a repair is worth its while, judged by what it would make of the cost."""
        if not self.rule.judges_by_cost:
            return True
        x, scan = self.state.seen(), self._quick_scan()
        if self._knows_nothing:
            return len(scan.candidates) == 0
        cost = self._estimate(x, scan)
        return self.rule.is_reached(min(self.best_cost, cost), self.bound)

    def _is_far(self) -> bool:
        """Whether a repair would leave little of what the iterate has gained."""
        if not self.rule.judges_by_cost:
            return False
        x = self.state.seen()
        cost, of_all = self._cost(x), self._cost(self.repair.first())
        return self.repair.estimate(x, self._quick_scan()) - cost > FAR * (of_all - cost)

    def _estimate(self, x: Array, scan: Scan) -> float:
        """What a repair makes of the cost, if it is off by as much as the last one was."""
        cost = self._cost(x)
        return cost + self.rises * (self.repair.estimate(x, scan) - cost)

    def _cost(self, x: Array) -> float:
        return float(np.vdot(self.problem.cost, x))

    def _bound(self) -> None:
        """The bound of the present duals; kept if it is better."""
        bound = self.state.lower_bound()
        if bound > self.bound:
            self.bound, self.best_duals = bound, self.state.evidence()

    def _lift(self) -> None:
        """A better bound near the present duals, if there is one."""
        if not self._knows_nothing:
            found = lifted(self.problem, self.state, self.bound)
            if found is not None:
                self.bound, self.best_duals = found

    def _repair_and_learn(self) -> None:
        """A repair, and by how much the cost rises compared with what was expected."""
        x = self.state.seen()
        cost, expected = self._cost(x), self.repair.estimate(x, self._quick_scan())
        fair = self._repair(self.repair)
        if expected > cost:
            times = (self._cost(fair) - cost) / (expected - cost)
            self.rises = min(max(1.0, times), MOST_RISES)

    def _repair(self, repair: Repair) -> Array:
        """The present iterate, made fair; kept if it is better."""
        x, pairs = self.state.seen(), self.state.pairs
        with self._clock.times("repair"):
            fair = repair.make_fair(x, pairs, negligible=self.rule.negligible)
        self._keep_if_better(fair)
        return fair

    def _keep_if_better(self, fair: Array) -> None:
        cost = self._cost(fair)
        if cost < self.best_cost:
            self.best, self.best_cost = fair, cost

    def trace(self) -> dict[str, int]:
        """How much work it was."""
        return {
            "first_order_iterations": self.state.iterations,
            "pairs_in_working_set": len(self.state.pairs),
            "pairs_scanned": self.problem.scanner.pairs_scanned,
        }

    def duals(self) -> Duals:
        """The evidence for the bound."""
        return self.problem.duals_of_rows(self.best_duals)

    def outcome(self, finished: bool) -> Outcome:
        """The best of it."""
        return Outcome(self.best, self.duals(), self.state.iterations, finished, self.trace())

    def resume(self) -> None:
        """Go on from what the checkpoint has of a run on these costs, if it has anything."""
        kept = None if self.checkpoint is None else self.checkpoint.state(self.problem.cost)
        if kept is not None:
            states.restore(self._parts(), kept)
            self.is_resumed = True

    def _offer_state(self) -> None:
        if self.checkpoint is not None:
            self.checkpoint.offer(self.problem.cost, lambda: states.taken(self._parts()))

    def _parts(self) -> dict[str, Resumable]:
        """What the state is made of; the blocks first, as steps depend on them."""
        state = self.state
        return {
            "pair_duals": state.pair_duals,
            "group_duals": state.group_duals,
            "opening_duals": state.opening_duals,
            "state": state,
            "schedule": self.schedule,
            "run": self,
        }

    def arrays(self) -> dict[str, Array]:
        """What is not the other parts' own: the best so far, and what scans have found."""
        counts, known = self.problem.scanner.memory()
        own = {
            "best": self.best,
            "best_cost": np.array(self.best_cost),
            "bound": np.array(self.bound),
            "rises": np.array(self.rises),
            "history": np.array(self.history, dtype=np.float64).reshape(-1, 2),
            "scans": counts,
        }
        return own | named("known", vars(known)) | named("duals", self.best_duals.arrays())

    def restore(self, arrays: dict[str, Array]) -> None:
        self.best = arrays["best"]
        self.best_cost, self.bound = float(arrays["best_cost"]), float(arrays["bound"])
        self.rises = float(arrays["rises"])
        self.best_duals = MergedDuals.from_arrays(part("duals", arrays))
        self.history = [(int(iterations), float(gap)) for iterations, gap in arrays["history"]]
        known = CandidatePairs(**part("known", arrays))
        self.problem.scanner.remember(arrays["scans"], known)
