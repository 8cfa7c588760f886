"""The repair for a problem."""

from likewise._typing import Array
from likewise.solvers.first_order.opening_duals import OpeningDuals
from likewise.solvers.merged_problem import MergedProblem
from likewise.solvers.repair.groups import GroupRepair
from likewise.solvers.repair.mixing import MixingRepair
from likewise.solvers.repair.supports import AnchoredRepair, Repair, SweepingRepair


def repair_for(problem: MergedProblem) -> Repair:
    """By mixing with what is fair: a common distribution, or an answer within what is allowed."""
    mixing = _mixing(problem)
    return mixing if problem.allowed is None else AnchoredRepair(mixing, problem.allowed)


def sweeping_within(allowed: Array, problem: MergedProblem) -> Repair:
    """For iterates that are to be within the centres allowed, while nothing fair is known."""
    return SweepingRepair(_mixing(problem), allowed)


def _mixing(problem: MergedProblem) -> MixingRepair:
    cost = problem.cost
    groups = GroupRepair(problem.groups, cost)
    openings = OpeningDuals(len(cost), cost.shape[1], problem.n_open)
    return MixingRepair(cost, problem.scanner, problem.ops, groups, openings)
