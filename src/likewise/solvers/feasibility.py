"""Is there a fair assignment in which every point uses only the centres allowed to it?

The elastic problem: all centres may be used, at a cost of 1 where they are not allowed and of 0
where they are. It always has a fair answer. One that costs nothing shows that the answer is yes;
a positive lower bound shows that it is no, and its duals are the proof. The first-order method
decides nearly all cases; where it hesitates and the problem is small enough, cuts do.
"""

from copy import copy
from dataclasses import dataclass, replace

import numpy as np

from likewise._typing import Array
from likewise.compute.budget import Budget
from likewise.problem.assignment import AssignmentProblem, Duals
from likewise.solvers.cutting_planes.loop import EXACT_GAP, finish_by_cuts
from likewise.solvers.first_order.run import FirstOrderRun
from likewise.solvers.first_order.stopping import POSITIVE, ElasticRule, RelativeGap
from likewise.solvers.merged_problem import MergedProblem
from likewise.solvers.repair.choose import sweeping_within
from likewise.solvers.result import MergedDuals

MOST_ITERATIONS = 4_000
# Sweeps disturb bounds on groups: where there are any, an answer is looked for that has this much
# room, as a share of the bounds, so that what sweeps and rounding do stays within the bounds.
GROUP_ROOM = 1e-3
BY_CUTS = 20_000  # variables up to which cuts decide where the first-order method does not
# of cuts: a program without costs jumps from corner to corner, and what is not decided by then
# mostly never is (measured: some fifty where it is)
MOST_ROUNDS = 150


@dataclass(frozen=True)
class Verdict:
    """Distributions within the centres allowed, or duals that prove that there are none; neither
    where it could not be decided.
    """

    distributions: Array | None = None
    duals: Duals | None = None


@dataclass(frozen=True)
class _Ended:
    """Where a run ended, for the next one to go on from: duals of pairs with this much slack."""

    x: Array
    duals: MergedDuals
    slack: float

    def with_slack(self, slack: float) -> MergedDuals:
        """The duals, of the same pairs with bounds that have another slack."""
        pairs = self.duals.pairs
        bound = pairs.bound * (1.0 - slack) / (1.0 - self.slack)
        return replace(self.duals, pairs=replace(pairs, bound=bound))


class Feasibility:
    """Answers the question for one problem and any centres allowed, each from where the last one
    ended. The costs of the problem do not matter.
    """

    def __init__(self, problem: AssignmentProblem) -> None:
        self.merged = MergedProblem.of(problem)
        self.slack = 0.0
        self._last: _Ended | None = None

    def tightened(self, slack: float) -> "Feasibility":
        """The question for bounds on pairs of 1 - slack times what they are, from where this one
        stands. A no then proves nothing about the bounds themselves.
        """
        tight = copy(self)
        tight.slack = _both(self.slack, slack)
        tight.merged = replace(self.merged, scanner=self.merged.scanner.tightened(slack))
        return tight

    def decide(
        self,
        allowed: Array,
        budget: Budget,
        most_iterations: int = MOST_ITERATIONS,
        by_cuts: bool = True,
    ) -> Verdict:
        """Whether every point can keep to the centres that are True in its row. Cuts may take long:
        without them it is left undecided sooner.
        """
        rule, elastic = ElasticRule(most_iterations), self._elastic(allowed)
        repair = sweeping_within(elastic.cost == 0.0, elastic)
        run = FirstOrderRun(elastic, rule, repair)
        self._go_on_from_last(run)
        run.run(budget)
        self._last = _Ended(run.state.x.image, run.state.duals(), self.slack)
        if run.best_cost == 0.0:
            return Verdict(self.merged.unmerged(run.best))
        if run.bound > POSITIVE:
            return Verdict(duals=None if self.slack else run.duals())
        if len(elastic.groups) > 0 and elastic.ops.can_iterate and not budget.is_spent:
            roomy = FirstOrderRun(_with_room(elastic), rule, repair)
            slack = _both(self.slack, GROUP_ROOM)
            roomy.state.start_from(self._last.x, self._last.with_slack(slack))
            roomy.run(budget)
            if roomy.best_cost == 0.0:
                return Verdict(self.merged.unmerged(roomy.best))
        if not by_cuts or run.problem.cost.size > BY_CUTS or budget.is_spent or self.slack:
            return Verdict()
        return self._by_cuts(run, budget)

    def _elastic(self, allowed: Array) -> MergedProblem:
        common = self.merged.merging.common(allowed)
        assert common is not None
        cost: Array = (~common).astype(np.float64)
        return replace(self.merged, cost=cost, n_open=None, allowed=None)

    def _go_on_from_last(self, run: FirstOrderRun) -> None:
        if self._last is not None and self.merged.ops.can_iterate:
            run.state.start_from(self._last.x, self._last.with_slack(self.slack))

    def _by_cuts(self, run: FirstOrderRun, budget: Budget) -> Verdict:
        rule = RelativeGap(EXACT_GAP)
        outcome = finish_by_cuts(run, rule, budget, any_of_equals=True, most_rounds=MOST_ROUNDS)
        x = outcome.distributions
        if x[run.problem.cost > 0].max(initial=0.0) == 0.0:
            return Verdict(self.merged.unmerged(x))
        return Verdict(duals=outcome.duals)


def _with_room(elastic: MergedProblem) -> MergedProblem:
    """The same question with a little room."""
    scanner, groups = elastic.scanner.tightened(GROUP_ROOM), elastic.groups.tightened(GROUP_ROOM)
    return replace(elastic, scanner=scanner, groups=groups)


def _both(slack: float, another: float) -> float:
    """The slack of bounds that have one and then get another."""
    return 1.0 - (1.0 - slack) * (1.0 - another)
