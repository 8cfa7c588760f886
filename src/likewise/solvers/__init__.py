"""One function, ``solve``, in front of the engines."""

import numpy as np

from likewise.divergences import Divergence
from likewise.errors import unknown_name
from likewise.problem import Assignment, AssignmentProblem

# Up to here every pair is listed. Half of them are kept, 24 bytes each: 100 MB.
LISTED_PAIRS = 8_000_000
SOLVERS = ("auto", "exact", "first-order")
# Up to here (points times centres) "auto" is exact: it takes about as long as first-order does to
# 1e-4, and the answer is optimal. `make bench` measures both.
EXACT_VARIABLES = 6_000
# Up to here a first-order run that no longer improves is finished by cuts.
CUTS_WHERE_STALLED = 20_000


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
) -> Assignment:
    """The cheapest distributions that keep every pair within its bound.

    Whatever ends it (the gap, the time limit, Ctrl-C), the answer is exactly fair.
    """
    # the engines bring numba and HiGHS with them: only when something is to be solved
    from likewise.solvers.budget import Budget
    from likewise.solvers.exact import START_GAP, finish_by_cuts
    from likewise.solvers.first_order import FirstOrderRun
    from likewise.solvers.group_rows import GroupRows
    from likewise.solvers.outcome import Outcome
    from likewise.solvers.pair_rules import rule_for
    from likewise.solvers.scan import make_scanner

    check_solver(solver)
    budget = Budget(max_time, verbose)
    rule = rule_for(problem.divergence)
    scanner = make_scanner(problem, LISTED_PAIRS, rule)
    label = scanner.merging.label
    cost = np.zeros((scanner.merging.n_merged, problem.n_centers))
    np.add.at(cost, label, problem.cost)
    name = _choose(cost.size, problem.divergence, rule.can_iterate) if solver == "auto" else solver
    with budget.ended_by_interrupt():
        run = FirstOrderRun(cost, scanner, GroupRows(problem.groups, scanner.merging), rule)
        finished = run.run(START_GAP if name == "exact" else tol, budget)
        by_cuts = name == "exact" or not rule.can_iterate
        if by_cuts or (not finished and cost.size <= CUTS_WHERE_STALLED):
            outcome = finish_by_cuts(problem, run, budget, tol)
        else:
            outcome = Outcome(run.best, run.duals(), run.state.iterations, finished, run.trace())
    return Assignment(
        distributions=outcome.distributions[label],
        duals=outcome.duals,
        solver=name,
        n_iter=outcome.n_iter,
        seconds=budget.seconds,
        finished=outcome.finished,
        trace=outcome.trace,
    )
