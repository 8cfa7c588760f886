"""k-center: the least radius within which everybody can be treated fairly (the paper's A.2).

A point may only use centres within R of it. The least R for which a fair assignment exists is one
of the distances to the centres; whether one exists gets no harder as R grows, so it is searched
for by halving. Below, supports alone rule radii out: everybody needs a centre, and two whose
treatment may not differ altogether need one in common. Above, one centre that is near enough to
everybody will do. In between a feasibility problem is solved for each candidate.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from likewise._typing import Array
from likewise.problem.assignment import AssignmentProblem, Duals
from likewise.problem.supports import closed, distances_that_count, supports_suffice
from likewise.solvers.budget import Budget
from likewise.solvers.feasibility import MOST_ITERATIONS, Feasibility

# Iterations spent on the least radius that is not ruled out, before anything else is known: it is
# asked for again from above (creditcard, n = 4000, k = 8: 4,000 iterations decide nothing in 40 s).
AT_FIRST = 400
SLACKS = (1e-3, 1e-2)  # room for pairs that is looked for, as a share of their bounds


@dataclass(frozen=True)
class LeastRadius:
    """The radius, distributions within it, and why the next smaller candidate will not do."""

    radius: float
    distributions: Array
    allowed: Array
    next_smaller: float | None  # None: there is no smaller candidate
    # the proof, where supports alone are not enough; without it a smaller radius may do
    duals_below: Duals | None


def least_radius(problem: AssignmentProblem, distances: Array, budget: Budget) -> LeastRadius:
    """Search the distances to the centres for the least radius of a fair assignment.

    The costs of ``problem`` do not matter, but points that cost nothing anywhere may go anywhere.
    """
    reach = distances_that_count(problem, distances)
    one = int(reach.max(axis=0).argmin())  # this centre alone would do for everybody
    candidates = np.unique(reach)
    top = int(np.searchsorted(candidates, reach[:, one].max()))
    x = np.zeros(reach.shape)
    x[:, one] = 1.0
    low = _first(lambda place: supports_suffice(reach <= candidates[place], problem), 0, top)
    proven, proof = low - 1, None  # impossible, and the duals that show it: none, supports do
    given_up, duals = proven, proof  # taken for impossible
    undecided: dict[int, bool] = {}  # places without a verdict, and whether to ask again
    question = Feasibility(problem) if low < top else None
    iterations = AT_FIRST  # often supports are all there is to it: try that first
    while question is not None and (given_up + 1 < top or undecided.get(given_up)):
        # what was left undecided is asked again from where the radii just above it ended
        place = low if iterations == AT_FIRST else (given_up + top) // 2
        allowed = closed(reach <= candidates[place], problem)
        verdict = question.decide(allowed, budget, iterations)
        iterations = MOST_ITERATIONS
        if verdict.distributions is not None:
            top, x = place, verdict.distributions
            if place == given_up:
                given_up, duals = proven, proof
            continue
        given_up, duals = place, verdict.duals
        if duals is not None:
            proven, proof = place, duals
        undecided[place] = duals is None and place not in undecided and not budget.is_spent
    allowed = closed(reach <= candidates[top], problem)
    return LeastRadius(
        radius=float(candidates[top]),
        distributions=x if question is None else _with_room(question, allowed, x, budget),
        allowed=allowed,
        next_smaller=float(candidates[top - 1]) if top > 0 else None,
        duals_below=duals,
    )


def _with_room(question: Feasibility, allowed: Array, x: Array, budget: Budget) -> Array:
    """A fair answer whose pairs have as much room as is easily had: better to go on from."""
    for slack in SLACKS:
        question = question.tightened(slack)
        verdict = question.decide(allowed, budget)
        if verdict.distributions is None:
            break
        x = verdict.distributions
    return x


def _first(holds: Callable[[int], bool], low: int, high: int) -> int:
    """The first place from low on at which it holds; it holds at high."""
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle + 1, high)
    return low
