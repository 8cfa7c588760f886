"""The fastest scanner for the pairs of a problem.

* ``ListScanner``: the pairs are a list (neighbours, the user's own, or few enough to be listed).
* ``CompiledScanner``: every pair of points, distances and bounds computed as the scan goes, in
  compiled loops that give up on a pair as soon as it is seen to be within its bound.
* ``BlockScanner``: every pair under any other rule or metric, a block of bounds at a time.

The last two never hold more than a few pairs per point (``pooled``).
"""

import numpy as np

from likewise._typing import Array
from likewise.divergences.registry import generator_of
from likewise.problem.assignment import AssignmentProblem
from likewise.similarities.pairs import LISTED_PAIRS, EveryPair, Pairs
from likewise.solvers.divergence_ops.base import DivergenceOps
from likewise.solvers.presolve import Merging, merged_by_bounds, merged_duplicates
from likewise.solvers.separation.base import Scanner
from likewise.solvers.separation.blocks import BlockScanner
from likewise.solvers.separation.boxes import near_order
from likewise.solvers.separation.compiled import CompiledScanner
from likewise.solvers.separation.listed import ListScanner
from likewise.solvers.working_set import CandidatePairs

# Every pair of total variation is quicker scanned than listed from here on: 700 points take the
# same time, 1,400 two thirds, 2,500 a quarter to a half. Within centres allowed this was not tried.
LISTED_FOR_PLANES = 500_000
UNORDERED = 10_000  # points up to which any order will do: all of them are in the nearest memory


def make_scanner(problem: AssignmentProblem, ops: DivergenceOps) -> Scanner:
    """The fastest scanner for the pairs of this problem."""
    source, reference = problem.pairs, ops.reference(problem.cost)
    if isinstance(source, EveryPair) and _is_scanned(problem) and _is_compiled(problem):
        merging = merged_duplicates(source.distances.duplicate_classes(), source.groups)
        merging = _near_together(merging, problem.cost)
        return CompiledScanner(merging, source, problem, ops, reference)
    merging = _near_together(merged_by_bounds(source, problem.n_points), problem.cost)
    if not isinstance(source, Pairs) and len(source) > LISTED_PAIRS:
        return BlockScanner(merging, problem, ops, reference)
    return ListScanner(merging, _listed(problem, merging), ops, reference, problem.executor)


def _is_scanned(problem: AssignmentProblem) -> bool:
    """Whether there are too many pairs for a list."""
    is_plain = problem.allowed is None and problem.n_open is None
    by_planes = problem.divergence.piecewise_linear and is_plain
    most = min(LISTED_PAIRS, LISTED_FOR_PLANES) if by_planes else LISTED_PAIRS
    return len(problem.pairs) > most


def _near_together(merging: Merging, cost: Array) -> Merging:
    """The same, numbered so that points with like costs, which are mostly near each other, stand
    together: then loops over pairs find both ends of most in the nearest memory.
    """
    if merging.n_merged <= UNORDERED:
        return merging
    return merging.in_order(near_order(cost[merging.row_of]))


def _is_compiled(problem: AssignmentProblem) -> bool:
    """Whether the compiled scan has the formulas of the bounds and of the divergence."""
    are_quotients = isinstance(problem.pairs, EveryPair) and problem.pairs.radii is not None
    return are_quotients and generator_of(problem.divergence) is not None


def _listed(problem: AssignmentProblem, merging: Merging) -> CandidatePairs:
    """All pairs of merged points whose bounds can be exceeded."""
    source, divergence = problem.pairs, problem.divergence
    if isinstance(source, Pairs):
        return merging.merge(source.i, source.j, source.bound, divergence)
    parts = [CandidatePairs.none()]
    for block in source.blocks():
        places = np.flatnonzero(block.bound < divergence.largest)
        i, j = block.pairs_at(places)
        parts.append(merging.merge(i, j, block.bound.ravel()[places], divergence))
    return merging.once(CandidatePairs.join(parts))
