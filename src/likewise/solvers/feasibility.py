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
from likewise.problem.assignment import AssignmentProblem, Duals
from likewise.solvers.budget import Budget
from likewise.solvers.cutting_planes.loop import finish_by_cuts
from likewise.solvers.divergence_ops.choose import ops_for
from likewise.solvers.first_order.run import FirstOrderRun
from likewise.solvers.group_constraints import GroupRows
from likewise.solvers.repair.mixing import MixingRepair
from likewise.solvers.repair.supports import Repair, SweepingRepair
from likewise.solvers.separation.scanners import make_scanner

POSITIVE = 1e-7  # in points: a proven cost from here on is more than rounding
MOST_ITERATIONS = 4_000
BY_CUTS = 20_000  # variables up to which cuts decide where the first-order method does not
TRY_GROWTH = 1.6  # tries to make the iterate fair are so far apart; each takes seconds


@dataclass(frozen=True)
class Verdict:
    """Distributions within the centres allowed, or duals that prove that there are none; neither
    where it could not be decided.
    """

    distributions: Array | None = None
    duals: Duals | None = None


class _ElasticRun(FirstOrderRun):
    """Ends when the bound is positive, or the cost zero."""

    most_iterations = MOST_ITERATIONS

    def __init__(self, allowed: Array, *arguments) -> None:  # type: ignore[no-untyped-def]
        self._allowed = allowed
        super().__init__((~allowed).astype(np.float64), *arguments)

    def _make_repair(self, allowed: Array | None) -> Repair:
        mixing = super()._make_repair(None)
        assert isinstance(mixing, MixingRepair)
        return SweepingRepair(mixing, self._allowed)

    @property
    def gap(self) -> float:
        return 0.0 if self.bound > POSITIVE or self.best_cost == 0.0 else float("inf")

    def _stalls(self) -> bool:
        return self.state.iterations >= self.most_iterations

    def _may_close_the_gap(self, tol: float) -> bool:
        return True

    def _next_try(self, tol: float) -> int:
        return int(TRY_GROWTH * self.state.iterations) + 1


class Feasibility:
    """Answers the question for one problem and any centres allowed, each from where the last one
    ended. The costs of the problem do not matter.
    """

    def __init__(self, problem: AssignmentProblem) -> None:
        self.problem = problem
        self.slack = 0.0
        self.ops = ops_for(problem.divergence)
        self.scanner = make_scanner(problem, self.ops)
        self.groups = GroupRows(problem.groups, self.scanner.merging)
        self._last: FirstOrderRun | None = None
        self._last_slack = 0.0

    def tightened(self, slack: float) -> "Feasibility":
        """The question for bounds on pairs of 1 - slack times what they are, from where this one
        stands. A no then proves nothing about the bounds themselves.
        """
        tight = copy(self)
        tight.slack = 1.0 - (1.0 - self.slack) * (1.0 - slack)
        tight.scanner = self.scanner.tightened(slack)
        return tight

    def decide(
        self, allowed: Array, budget: Budget, most_iterations: int = MOST_ITERATIONS
    ) -> Verdict:
        """Whether every point can keep to the centres that are True in its row."""
        merging = self.scanner.merging
        common = merging.common(allowed)
        assert common is not None
        run = _ElasticRun(common, self.scanner, self.groups, self.ops)
        run.most_iterations = most_iterations
        if self._last is not None and self.ops.can_iterate:
            last = self._last.state
            alpha, beta = (end * last.scale for end in last.duals.coefficients())
            v = last.groups.image * last.scale
            bound = last.pairs.bound * (1.0 - self.slack) / (1.0 - self._last_slack)
            pairs = replace(last.pairs, bound=bound)
            run.state.start_from(last.x_image, pairs, alpha, beta, v)
        run.run(0.0, budget)
        self._last, self._last_slack = run, self.slack
        if run.best_cost == 0.0:
            return Verdict(run.best[merging.label])
        if run.bound > POSITIVE:
            return Verdict(duals=None if self.slack else run.duals())
        if run.cost.size > BY_CUTS or budget.is_spent or self.slack:
            return Verdict()
        elastic = AssignmentProblem(
            (~allowed).astype(np.float64),
            self.problem.pairs,
            self.problem.divergence,
            self.problem.groups,
            executor=self.problem.executor,
        )
        outcome = finish_by_cuts(elastic, run, budget, tol=1e-9)
        x = outcome.distributions
        if x[~common].max(initial=0.0) == 0.0:
            return Verdict(x[merging.label])
        return Verdict(duals=outcome.duals)
