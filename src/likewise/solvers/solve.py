"""One function, ``solve``, in front of the engines."""

from dataclasses import replace

from likewise._typing import Array
from likewise.compute.budget import PREPARING, SOLVING, Budget
from likewise.compute.threads import plain_blas
from likewise.errors import SolverError, unknown_name
from likewise.problem.assignment import Assignment, AssignmentProblem, negligible_cost
from likewise.similarities.pairs import UnknownPairs
from likewise.solvers.checkpoint import RunCheckpoint
from likewise.solvers.coarse import coarse_start
from likewise.solvers.engines import ENGINES
from likewise.solvers.feasibility import Feasibility
from likewise.solvers.first_order.run import FirstOrderRun
from likewise.solvers.first_order.stopping import STALL_AFTER, STALL_AFTER_WITHIN, RelativeGap
from likewise.solvers.merged_problem import MergedProblem
from likewise.solvers.repair.base import cheapest_for_all
from likewise.solvers.repair.choose import repair_for

AUTO = "auto"
# Up to here (points times centres) "auto" is exact: it takes up to twice as long as first-order
# does to 1e-4, and the answer is optimal (measured: `make bench`).
EXACT_VARIABLES = 6_000


def check_solver(solver: str) -> str:
    """The name of an engine, or "auto"."""
    if solver != AUTO and solver not in ENGINES:
        raise unknown_name("solver", solver, [AUTO, *ENGINES])
    return solver


def solve(
    problem: AssignmentProblem,
    solver: str = "auto",
    *,
    tol: float = 1e-4,
    max_time: float | None = None,
    verbose: int = 0,
    start: Assignment | None = None,
    give_up_at: float = float("inf"),
    checkpoint: RunCheckpoint | None = None,
) -> Assignment:
    """The cheapest distributions that keep every pair within its bound.

    Whatever ends it (the gap, the time limit, Ctrl-C), the answer is exactly fair. ``start`` is an
    answer to a problem with the same pairs and groups but other costs, from which to go on. Where
    no answer can be cheaper than ``give_up_at``, it ends as soon as that is proven. ``checkpoint``
    keeps the state now and then; what it has of an earlier run is gone on from.
    """
    return solve_within(
        problem,
        Budget(max_time, verbose),
        solver,
        tol=tol,
        start=start,
        give_up_at=give_up_at,
        checkpoint=checkpoint,
    )


@plain_blas()
def solve_within(
    problem: AssignmentProblem,
    budget: Budget,
    solver: str = "auto",
    *,
    tol: float = 1e-4,
    start: Assignment | None = None,
    give_up_at: float = float("inf"),
    checkpoint: RunCheckpoint | None = None,
) -> Assignment:
    """``solve`` with what is left of a budget, which may have begun before and go on after."""
    check_solver(solver)
    began = budget.seconds
    if isinstance(problem.pairs, UnknownPairs):
        return _without_solving(problem, start)
    with budget.ended_by_interrupt():
        with budget.cut_short(PREPARING) as preparing:
            merged = MergedProblem.of(problem)
            name = _choose(merged) if solver == AUTO else solver
            engine, rule = ENGINES[name], _rule_for(merged, tol, give_up_at)
            run = _new_run(merged, engine.start_rule(rule, merged), checkpoint)
            if start is None and problem.allowed is not None:
                start = _any_answer(problem, problem.allowed, budget)
            if start is not None:
                run.start_from(start, problem)
            run.resume()
        if preparing.was_cut:
            return replace(_without_solving(problem, start), seconds=budget.seconds - began)
        begun = {}
        if start is None and not run.is_resumed:
            begun = _begin_coarsely(run, problem, budget, tol)
        outcome = engine.solve(run, rule, budget)
    return Assignment(
        distributions=merged.unmerged(outcome.distributions),
        duals=outcome.duals,
        solver=name,
        n_iter=outcome.n_iter,
        seconds=budget.seconds - began,
        finished=outcome.finished,
        trace=begun | outcome.trace,
    )


def _begin_coarsely(
    run: FirstOrderRun, problem: AssignmentProblem, budget: Budget, tol: float
) -> dict[str, int]:
    """Let the run go on from a rough answer for some of the points, where that is worth it; how
    much work that was.
    """

    def roughly(few: AssignmentProblem, within: Budget, gap: float) -> Assignment:
        return solve_within(few, within, "first-order", tol=gap)

    with budget.cut_short(SOLVING) as finding:
        found = coarse_start(problem, run.problem, budget, roughly, tol)
    if finding.was_cut or found is None:
        return {}
    run.go_on_from(found.x, found.duals)
    return found.trace


def _rule_for(problem: MergedProblem, tol: float, give_up_at: float) -> RelativeGap:
    patience = STALL_AFTER if problem.allowed is None else STALL_AFTER_WITHIN
    return RelativeGap(tol, give_up_at, patience, negligible_cost(problem.cost))


def _new_run(
    problem: MergedProblem, rule: RelativeGap, checkpoint: RunCheckpoint | None
) -> FirstOrderRun:
    """Within allowed centres nothing is kept: what the repair knows is no part of the state."""
    kept = checkpoint if problem.allowed is None else None
    polishes = problem.ops.can_iterate and problem.n_open is None
    return FirstOrderRun(problem, rule, repair_for(problem), kept, polishes)


def is_large(n: int, k: int) -> bool:
    """Whether cuts would take long."""
    return n * k > EXACT_VARIABLES


def _choose(problem: MergedProblem) -> str:
    """Few planes bound the fair pairs of total variation; elsewhere cuts gain slowly."""
    by_cuts = problem.divergence.piecewise_linear and not is_large(*problem.cost.shape)
    return "exact" if by_cuts or not problem.ops.can_iterate else "first-order"


def _without_solving(problem: AssignmentProblem, start: Assignment | None) -> Assignment:
    """What is fair without a look at any pair: an answer that is known already, or the same
    distribution for everybody.
    """
    if start is None:
        if problem.allowed is not None:
            raise _no_answer_within_allowed("none was found in time")
        start = Assignment.of(cheapest_for_all(problem.cost))
    return replace(Assignment.of(start.distributions), solver="none", finished=False)


def _any_answer(problem: AssignmentProblem, allowed: Array, budget: Budget) -> Assignment:
    """An answer within the centres allowed, or an error if there is none."""
    verdict = Feasibility(problem).decide(allowed, budget)
    if verdict.distributions is None:
        raise _no_answer_within_allowed(
            "there is none" if verdict.duals is not None else "none was found"
        )
    return Assignment.of(verdict.distributions)


def _no_answer_within_allowed(reason: str) -> SolverError:
    return SolverError(
        f"allowed: no fair assignment keeps to the centres allowed ({reason})."
        " Allow more centres, or raise the bounds of the pairs."
    )
