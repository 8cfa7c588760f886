"""The lower bound that duals prove.

Lagrange: whatever the duals are, the least cost with what they add to it, less the most that the
additions can amount to for a fair answer, is at most the cost of any fair answer.
"""

import numpy as np

from likewise._typing import Array
from likewise.groups.bounds import GroupBounds
from likewise.problem.assignment import AssignmentProblem, Duals


def proven_bound(problem: AssignmentProblem, duals: Duals, alike: Array) -> float:
    """Lagrange: the least cost with the duals added, less their support function.

    Points that must be equal (``alike``) move together, so the least is taken over their sum.
    """
    shift, support = cost_shift_and_support(problem, duals)
    together = np.zeros((alike.max() + 1, problem.n_centers))
    np.add.at(together, alike, possible_costs(problem) + shift)
    return float(together.min(axis=1).sum()) - support


def possible_costs(problem: AssignmentProblem) -> Array:
    """The costs; infinite where a centre may not be used."""
    if problem.allowed is None:
        return problem.cost
    return np.where(problem.allowed, problem.cost, np.inf)


def cost_shift_and_support(problem: AssignmentProblem, duals: Duals) -> tuple[Array, float]:
    """What duals add to the cost of every point at every centre, and the value of their support
    function: the most that the additions can amount to for any fair answer.
    """
    bound = problem.pairs.bounds_at(duals.i, duals.j)
    support = float(problem.divergence.support_function(duals.alpha, duals.beta, bound).sum())
    shift = np.zeros_like(problem.cost)
    np.add.at(shift, duals.i, duals.alpha)
    np.add.at(shift, duals.j, duals.beta)
    if problem.groups is not None and duals.above.size:
        shift += _cost_shift_of_groups(problem.groups, duals)
    if problem.n_open is not None and duals.opening.size:
        multiplier = np.maximum(duals.opening, 0.0)
        shift += multiplier
        # the best openings, each between 0 and 1, earn this much
        support += float(np.sort(multiplier.sum(axis=0))[-problem.n_open :].sum())
    return shift, support


def _cost_shift_of_groups(groups: GroupBounds, duals: Duals) -> Array:
    """What the multipliers of the group bounds add to the costs. The bounds' right-hand sides are
    zero, so that the support function of multipliers that are not negative is zero as well.
    """
    above, below = np.maximum(duals.above, 0.0), np.maximum(duals.below, 0.0)
    of_everybody = groups.lower @ below - groups.upper @ above
    shift = groups.groups.member @ (above - below) + of_everybody
    return np.asarray(groups.weights[:, None] * shift)
