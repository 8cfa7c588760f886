"""The scan of every pair under any rule, metric and divergence, a block of bounds at a time."""

import numpy as np

from likewise._typing import Array
from likewise.compute.executor import cut
from likewise.divergences.registry import Divergence
from likewise.problem.assignment import AssignmentProblem
from likewise.similarities.pairs import PairSource
from likewise.solvers.divergence_ops.base import DivergenceOps
from likewise.solvers.divergence_ops.generic import mixing_weight_for
from likewise.solvers.presolve import Merging
from likewise.solvers.separation.base import Scan
from likewise.solvers.separation.pooled import PooledScanner
from likewise.solvers.separation.tiles import PER_POINT
from likewise.solvers.working_set import CandidatePairs


class BlockScanner(PooledScanner):
    """Every pair of any source, a block at a time."""

    def __init__(
        self, merging: Merging, problem: AssignmentProblem, ops: DivergenceOps, reference: Array
    ) -> None:
        super().__init__(merging, ops, reference)
        self.divergence, self.executor = problem.divergence, problem.executor
        ranges = cut(problem.pairs.n_blocks, self.executor.parts(len(problem.pairs)))
        self.ranges = self.executor.scatter(ranges)
        self.source = self.executor.broadcast((problem.pairs, merging))

    def _scan_all(self, x: Array, weighs: bool) -> Scan:
        reference = self.reference if weighs else None
        scans: list[Scan] = self.executor.map_parts(
            scan_blocks, self.ranges, self.source, x, self.divergence, self.factor, reference
        )
        parts = [CandidatePairs.none(), *(scan.candidates for scan in scans)]
        candidates = self.merging.once(CandidatePairs.join(parts))
        return Scan(candidates, max(scan.mixing_weight for scan in scans))


def scan_blocks(
    blocks: tuple[int, int],
    source: tuple[PairSource, Merging],
    x: Array,
    divergence: Divergence,
    factor: float,
    reference: Array | None,
) -> Scan:
    """The worst pairs of each of these blocks, bounds multiplied by ``factor``."""
    pairs, merging = source
    candidates, mixing_weight = [CandidatePairs.none()], 1.0 if reference is None else 0.0
    of_rows = x[merging.label]
    for block in pairs.blocks(*blocks):
        value = block.divergences(divergence, of_rows)
        limit = factor * block.bound
        above = np.flatnonzero(value > limit)
        value, bound = value.ravel()[above], limit.ravel()[above]
        i, j = block.pairs_at(above)
        if reference is not None:
            needed = mixing_weight_for(divergence, of_rows[i], of_rows[j], bound, reference)
            mixing_weight = max(mixing_weight, needed)
        worst = np.argsort(bound - value)[: PER_POINT * len(block.bound)]
        candidates.append(merging.merge(i[worst], j[worst], bound[worst], divergence))
    return Scan(CandidatePairs.join(candidates), mixing_weight)
