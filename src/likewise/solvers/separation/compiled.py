"""The scan of every pair of points, bounds d(i, j) / radius_i: computed as the scan goes, in
compiled loops that give up on a pair as soon as it is seen to be within its bound (``tiles``,
``kernels``, ``comparisons``).
"""

import numpy as np

from likewise._typing import Array
from likewise.compute.executor import cut
from likewise.geometry.measured import Measured
from likewise.problem.assignment import AssignmentProblem
from likewise.similarities.pairs import EveryPair
from likewise.solvers.divergence_ops.base import DivergenceOps
from likewise.solvers.presolve import Comparable, Merging
from likewise.solvers.separation.base import Scan
from likewise.solvers.separation.boxes import BOX_SIZE, corners, near_order
from likewise.solvers.separation.pooled import PooledScanner
from likewise.solvers.separation.tiles import (
    Comparison,
    Points,
    WorstPairs,
    join_tiles,
    scan_tile,
)
from likewise.solvers.working_set import CandidatePairs

PAIRS_PER_BOX = 10  # to see that two boxes are out of reach takes as long as this many pairs


class CompiledScanner(PooledScanner):
    """Every pair of points, bound d(i, j) / radius_i or the largest there is."""

    def __init__(
        self,
        merging: Merging,
        source: EveryPair,
        problem: AssignmentProblem,
        ops: DivergenceOps,
        reference: Array,
    ) -> None:
        super().__init__(merging, ops, reference)
        self.executor = executor = problem.executor
        self.divergence = problem.divergence
        self.comparable = Comparable(merging.label, source.groups)
        row_of = self.comparable.row_of
        radii = source.radii
        assert radii is not None, "the bounds are no such quotients"
        self.radius = radii[row_of]
        rows = source.distances.measured
        assert rows is not None, "there are loops for this metric"
        self.comparison = Comparison(
            rows.measure, problem.divergence, source.largest_bound, reference
        )
        rows = rows.among(row_of)
        near = rows.coordinates
        order = np.arange(len(near)) if rows.is_given else near_order(near)
        self.order = order.astype(np.int32)
        self._work = self.n_pairs
        self.ranges = cut(len(row_of), executor.tiles(self._work), BOX_SIZE)
        self.points = executor.scatter([self._points(rows, near, *part) for part in self.ranges])

    def _points(self, rows: Measured, near: Array, first: int, last: int) -> Points:
        name = self.order[first:last]
        return Points(
            X=rows.part(name),
            radius=self.radius[name],
            masks=self.comparable.masks[name],
            name=name,
            corners=corners(rows.coordinates_with_gaps(near, name)),
            first_box=first // BOX_SIZE,
            n_boxes=-(-len(near) // BOX_SIZE),
        )

    @property
    def full_cost(self) -> int:
        return self._work

    def remember(self, counts: Array, known: CandidatePairs) -> None:
        super().remember(counts, known)
        self._work = int(counts[2])

    def _scan_all(self, x: Array, weighs: bool) -> Scan:
        near = x[self.order]
        worst: list[WorstPairs] = self.executor.map_tiles(
            scan_tile,
            join_tiles,
            self.points,
            [near[first:last] for first, last in self.ranges],
            self.comparison,
            self.factor,
            weighs,
        )
        self._work = self._work_of(sum(int(part.counts[:, 2].sum()) for part in worst))
        return Scan(self._candidates(worst), max(part.mixing_weight for part in worst))

    def _work_of(self, pairs_looked_at: int) -> int:
        """What the next scan will take, in pairs looked at, if it looks at as many."""
        n_boxes = len(self.order) // BOX_SIZE
        return pairs_looked_at + PAIRS_PER_BOX * n_boxes * n_boxes

    def _candidates(self, worst: list[WorstPairs]) -> CandidatePairs:
        """The worst pairs of all points as pairs (a, b), and the rows that they stand for."""
        used = np.concatenate([part.used for part in worst])
        own = np.repeat(self.order, used.sum(axis=1))
        other = np.concatenate([part.name for part in worst])[used]
        bound = np.concatenate([part.bound for part in worst])[used]
        is_second = other < 0  # the pair is (other, own)
        other = np.where(is_second, -1 - other, other)
        if self.divergence.symmetric:
            # the order that constrains is the one that starts at the larger radius
            a, b = np.minimum(own, other), np.maximum(own, other)
            swap = self.radius[b] > self.radius[a]
        else:
            a, b = np.where(is_second, other, own), np.where(is_second, own, other)
            swap = np.zeros(len(a), dtype=bool)
        i_row, j_row = self.comparable.rows(np.where(swap, b, a), np.where(swap, a, b))
        code = i_row * self.merging.n_points + j_row
        return self.merging.once(CandidatePairs(a, b, bound, code))
