"""One function, ``solve``, in front of the engines."""

import numpy as np

from likewise.errors import NotYetSupported, unknown_name
from likewise.problem import Assignment, AssignmentProblem

SOLVERS = ("auto", "exact", "first-order")


def check_solver(solver: str) -> str:
    """The engine of that name."""
    if solver not in SOLVERS:
        raise unknown_name("solver", solver, SOLVERS)
    if solver == "first-order":
        raise NotYetSupported("solver: 'first-order' is not in this version. Use solver='exact'.")
    return "exact"


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
    from likewise.solvers.exact import solve_exact
    from likewise.solvers.scan import PairScanner

    name = check_solver(solver)
    budget = Budget(max_time, verbose)
    scanner = PairScanner(problem)
    cost = np.zeros((scanner.n_merged, problem.n_centers))
    np.add.at(cost, scanner.label, problem.cost)
    outcome = solve_exact(problem, scanner, cost, budget)
    return Assignment(
        distributions=outcome.distributions[scanner.label],
        duals=outcome.duals,
        solver=name,
        n_iter=outcome.n_iter,
        seconds=budget.seconds,
        finished=outcome.finished,
        trace=outcome.trace,
    )
