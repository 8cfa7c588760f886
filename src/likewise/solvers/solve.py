"""One function, ``solve``, in front of the engines."""

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

from likewise._typing import Array
from likewise.divergences.registry import Divergence
from likewise.errors import SolverError, unknown_name
from likewise.problem.assignment import Assignment, AssignmentProblem

SOLVERS = ("auto", "exact", "first-order")
# Up to here (points times centres) "auto" is exact: it takes up to twice as long as first-order
# does to 1e-4, and the answer is optimal. Seconds at n = 1000, global, over three data sets, exact
# and first-order: 2,000 variables 0.5 to 0.8 and 0.4 to 1.3; 4,000: 2.0 to 3.9 and 1.0 to 2.2;
# 6,000: 5.0 to 8.5 and 4.4 to 4.8; 8,000: 11 to 29 and 5.6 to 14 (`make bench`).
EXACT_VARIABLES = 6_000
# Up to here a first-order run that no longer improves is finished by cuts.
CUTS_WHERE_STALLED = 20_000


class StateKeeper(Protocol):
    """Keeps the state of a run on some costs."""

    def state(self, cost: Array) -> dict[str, Array] | None:
        """What was kept of a run on these costs."""
        ...

    def offer(self, cost: Array, state: Callable[[], dict[str, Array]]) -> None:
        """Take the state of a run on these costs, if it is time to."""
        ...


def check_solver(solver: str) -> str:
    """The engine of that name."""
    if solver not in SOLVERS:
        raise unknown_name("solver", solver, SOLVERS)
    return solver


def _choose(n_variables: int, divergence: Divergence, can_iterate: bool) -> str:
    """Few planes bound the fair pairs of total variation; elsewhere cuts gain slowly."""
    by_cuts = divergence.piecewise_linear and n_variables <= EXACT_VARIABLES
    return "exact" if by_cuts or not can_iterate else "first-order"


def solve(
    problem: AssignmentProblem,
    solver: str = "auto",
    *,
    tol: float = 1e-4,
    max_time: float | None = None,
    verbose: int = 0,
    start: Assignment | None = None,
    give_up_at: float = float("inf"),
    keeper: StateKeeper | None = None,
) -> Assignment:
    """The cheapest distributions that keep every pair within its bound.

    Whatever ends it (the gap, the time limit, Ctrl-C), the answer is exactly fair. ``start`` is an
    answer to a problem with the same pairs and groups but other costs, from which to go on. Where
    no answer can be cheaper than ``give_up_at``, it ends as soon as that is proven. ``keeper``
    writes the state down now and then; what it has of an earlier run is gone on from.
    """
    # the engines bring numba and HiGHS with them: only when something is to be solved
    from likewise.solvers.budget import Budget
    from likewise.solvers.cutting_planes.loop import START_GAP, finish_by_cuts
    from likewise.solvers.divergence_ops.choose import ops_for
    from likewise.solvers.first_order.run import FirstOrderRun
    from likewise.solvers.group_constraints import GroupRows
    from likewise.solvers.result import Outcome
    from likewise.solvers.separation.choose import make_scanner

    check_solver(solver)
    budget = Budget(max_time, verbose)
    ops = ops_for(problem.divergence)
    scanner = make_scanner(problem, ops)
    label = scanner.merging.label
    cost = np.zeros((scanner.merging.n_merged, problem.n_centers))
    np.add.at(cost, label, problem.cost)
    name = _choose(cost.size, problem.divergence, ops.can_iterate) if solver == "auto" else solver
    with budget.ended_by_interrupt():
        groups = GroupRows(problem.groups, scanner.merging)
        allowed = scanner.merging.common(problem.allowed)
        run = FirstOrderRun(cost, scanner, groups, ops, problem.n_open, allowed)
        run.give_up_at = give_up_at
        if start is None and allowed is not None:
            start = _any_answer(problem, problem.allowed, budget)
        if start is not None:
            run.start_from(start, problem)
        if keeper is not None and allowed is None:
            _keep_state(run, keeper)
        # cuts are slow to settle on what is curved: there they only finish what iterating leaves
        hands_over = name == "exact" and problem.divergence.piecewise_linear
        finished = run.run(START_GAP if hands_over else tol, budget)
        gave_up = run.bound >= give_up_at
        by_cuts = name == "exact" or not ops.can_iterate
        stalled = not finished and cost.size <= CUTS_WHERE_STALLED
        if (by_cuts or stalled) and not gave_up and not budget.is_spent:
            outcome = finish_by_cuts(problem, run, budget, tol)
        else:
            done = finished or gave_up
            outcome = Outcome(run.best, run.duals(), run.state.iterations, done, run.trace())
    return Assignment(
        distributions=outcome.distributions[label],
        duals=outcome.duals,
        solver=name,
        n_iter=outcome.n_iter,
        seconds=budget.seconds,
        finished=outcome.finished,
        trace=outcome.trace,
    )


def _keep_state(run: Any, keeper: StateKeeper) -> None:
    """Go on from what was kept for these costs, and keep what comes."""
    from likewise.solvers.first_order import state as snapshots

    kept = keeper.state(run.cost)
    if kept is not None:
        snapshots.restore(run, kept)
    run.between_checks = lambda: keeper.offer(run.cost, lambda: snapshots.taken(run))


def _any_answer(problem: AssignmentProblem, allowed: Any, budget: Any) -> Assignment:
    """An answer within the centres allowed, or an error if there is none."""
    from likewise.solvers.feasibility import Feasibility

    verdict = Feasibility(problem).decide(allowed, budget)
    if verdict.distributions is None:
        reason = "there is none" if verdict.duals is not None else "none was found"
        raise SolverError(
            f"allowed: no fair assignment keeps to the centres allowed ({reason})."
            " Allow more centres, or raise the bounds of the pairs."
        )
    return Assignment.of(verdict.distributions)
