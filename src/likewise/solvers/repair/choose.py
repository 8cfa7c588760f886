"""The repair for a problem."""

from likewise._typing import Array
from likewise.solvers.merged_problem import MergedProblem
from likewise.solvers.repair.anchored import AnchoredRepair
from likewise.solvers.repair.base import Repair
from likewise.solvers.repair.groups import GroupRepair
from likewise.solvers.repair.mixing import MixingRepair
from likewise.solvers.repair.sweeping import SweepingRepair


def repair_for(problem: MergedProblem) -> Repair:
    """By mixing with what is fair: a common distribution, or an answer within what is allowed."""
    cost, scanner, ops = problem.cost, problem.scanner, problem.ops
    groups = GroupRepair(problem.groups, cost)
    if problem.allowed is not None:
        return AnchoredRepair(cost, scanner, ops, groups, problem.allowed)
    return MixingRepair(cost, scanner, ops, groups, problem.n_open)


def sweeping_within(allowed: Array, problem: MergedProblem) -> Repair:
    """For iterates that are to be within the centres allowed, while nothing fair is known."""
    groups = GroupRepair(problem.groups, problem.cost)
    return SweepingRepair(problem.cost, problem.scanner, problem.ops, groups, allowed)
