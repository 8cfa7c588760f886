"""What follows from the centres that people may use, before any probability is chosen."""

import numpy as np

from likewise._typing import Array
from likewise.divergences.registry import Divergence
from likewise.problem.assignment import AssignmentProblem


def supports_suffice(allowed: Array, problem: AssignmentProblem) -> bool:
    """Whether everybody has a centre, and any two who are bound to each other have one in common.

    Disjoint supports are as far apart as a divergence goes, so a bound below its largest value
    forbids them. If this does not hold, no fair assignment keeps to the centres allowed.
    """
    allowed = closed(allowed, problem)
    return bool(allowed.any(axis=1).all()) and not _bound_but_disjoint(allowed, problem)


def _bound_but_disjoint(allowed: Array, problem: AssignmentProblem) -> bool:
    """Whether two must share a centre, and their supports are disjoint."""
    weight = allowed.astype(np.float32)
    largest = problem.divergence.largest
    for block in problem.pairs.blocks():
        disjoint = block.inner_products(weight) == 0
        if (disjoint & (block.bound < largest)).any():
            return True
    return False


def closed(allowed: Array, problem: AssignmentProblem) -> Array:
    """What can be used at all, where a divergence is infinite unless one's centres are also the
    other's: a centre that is closed to one is closed to all who are bound to that one.
    """
    first_within_second, second_within_first = _nested_supports(problem.divergence)
    if not (first_within_second or second_within_first):
        return allowed
    allowed = allowed.copy()
    while True:
        before = allowed.sum()
        for block in problem.pairs.blocks():
            if first_within_second:
                block.intersect_first(allowed)
            if second_within_first:
                block.intersect_second(allowed)
        if allowed.sum() == before:
            return allowed


def _nested_supports(divergence: Divergence) -> tuple[bool, bool]:
    """Whether D(P || Q) is infinite where P has a centre that Q has not, and the other way."""
    one, both = np.array([[1.0, 0.0]]), np.array([[0.5, 0.5]])
    return (
        bool(np.isinf(divergence.values(both, one)[0])),
        bool(np.isinf(divergence.values(one, both)[0])),
    )


def distances_that_count(problem: AssignmentProblem, distances: Array) -> Array:
    """The distances; 0 for points that cost nothing anywhere: no radius binds them."""
    return np.where(problem.cost.any(axis=1, keepdims=True), distances, 0.0)
