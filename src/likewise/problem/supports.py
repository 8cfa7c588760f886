"""What follows from the centres that people may use, before any probability is chosen."""

import numpy as np

from likewise._typing import Array
from likewise.divergences.registry import Divergence
from likewise.problem.assignment import AssignmentProblem
from likewise.similarities.pairs import PairTile


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
        if isinstance(block, PairTile):
            rows = weight[block.start : block.start + len(block.bound)]
            disjoint = rows @ weight.T == 0
        else:
            in_common = (weight[block.i] * weight[block.j]).sum(axis=1)
            disjoint = in_common == 0
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
            if isinstance(block, PairTile):
                _close_tile(allowed, block, first_within_second, second_within_first)
            else:
                if first_within_second:
                    np.logical_and.at(allowed, block.i, allowed[block.j])
                if second_within_first:
                    np.logical_and.at(allowed, block.j, allowed[block.i])
        if allowed.sum() == before:
            return allowed


def _close_tile(allowed: Array, tile: PairTile, first: bool, second: bool) -> None:
    bound = np.isfinite(tile.bound).astype(np.float32)
    rows = slice(tile.start, tile.start + len(bound))
    if first:
        allowed[rows] &= bound @ (~allowed).astype(np.float32) == 0
    if second:
        allowed &= bound.T @ (~allowed[rows]).astype(np.float32) == 0


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
