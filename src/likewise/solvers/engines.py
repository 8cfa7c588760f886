"""The engines by name: ways from an assignment problem to its answer.

An engine is a value that holds its settings only. Each begins with a first-order run, which has
the best fair answer and the best bound so far at any moment; what comes after is its own affair.
A new engine is a class like these and an entry in ``ENGINES``.
"""

from dataclasses import dataclass, replace
from typing import Protocol

from likewise.compute.budget import Budget
from likewise.solvers.cutting_planes.loop import START_GAP, exact_gap, finish_by_cuts
from likewise.solvers.first_order.run import FirstOrderRun
from likewise.solvers.first_order.stopping import RelativeGap
from likewise.solvers.merged_problem import MergedProblem
from likewise.solvers.result import Outcome


class Engine(Protocol):
    """A way to the answer."""

    def start_rule(self, rule: RelativeGap, problem: MergedProblem) -> RelativeGap:
        """When the first-order run is to end, where the answer is to obey ``rule``."""
        ...

    def solve(self, run: FirstOrderRun, rule: RelativeGap, budget: Budget) -> Outcome:
        """The answer, from a run that is about to begin."""
        ...


@dataclass(frozen=True)
class FirstOrderEngine:
    """Iterates to the gap that is asked for. Small problems that no longer improve, and divergences
    that cannot iterate, are finished by cuts.
    """

    cuts_where_stalled: int = 20_000  # points times centres up to which cuts take minutes at most

    def start_rule(self, rule: RelativeGap, problem: MergedProblem) -> RelativeGap:
        return rule

    def solve(self, run: FirstOrderRun, rule: RelativeGap, budget: Budget) -> Outcome:
        finished = run.run(budget)
        stalled = not finished and run.problem.cost.size <= self.cuts_where_stalled
        needs_cuts = stalled or not run.problem.ops.can_iterate
        return _ended(run, rule, budget, finished, needs_cuts)


@dataclass(frozen=True)
class ExactEngine:
    """A first-order start, then cuts to the optimum."""

    start_gap: float = START_GAP

    def start_rule(self, rule: RelativeGap, problem: MergedProblem) -> RelativeGap:
        """Cuts are slow to settle on what is curved: there they only finish the rest."""
        return replace(rule, tol=self.start_gap) if problem.divergence.piecewise_linear else rule

    def solve(self, run: FirstOrderRun, rule: RelativeGap, budget: Budget) -> Outcome:
        return _ended(run, rule, budget, run.run(budget), needs_cuts=True)


ENGINES: dict[str, Engine] = {"exact": ExactEngine(), "first-order": FirstOrderEngine()}


def _ended(
    run: FirstOrderRun, rule: RelativeGap, budget: Budget, finished: bool, needs_cuts: bool
) -> Outcome:
    """What a run has found; by way of cuts where they are needed, and there is time and use."""
    gave_up = rule.gives_up(run.bound)
    if needs_cuts and not gave_up and not budget.is_spent:
        to_gap = replace(rule, tol=exact_gap(rule.tol, run.problem.divergence))
        return finish_by_cuts(run, to_gap, budget)
    return run.outcome(finished or gave_up)
