"""The scan of every pair of points with coordinates, bounds d(i, j) / max(radius_i, radius_j),
total variation: computed as the scan goes, in compiled loops that give up on a pair as soon as it
is seen to be within its bound (``tiles``, ``kernels``).
"""

import numpy as np

from likewise._typing import Array
from likewise.compute.executor import Executor, cut
from likewise.similarities.pairs import EveryPair
from likewise.solvers.divergence_ops.base import DivergenceOps
from likewise.solvers.presolve import Comparable, Merging
from likewise.solvers.separation.base import Scan
from likewise.solvers.separation.boxes import BOX_SIZE, corners, near_order
from likewise.solvers.separation.pooled import PooledScanner
from likewise.solvers.separation.tiles import Points, WorstPairs, join_tiles, scan_tile
from likewise.solvers.working_set import CandidatePairs

PAIRS_PER_BOX = 10  # to see that two boxes are out of reach takes as long as this many pairs


class EuclideanScanner(PooledScanner):
    """Every pair of points, bound d(i, j) / max(radius_i, radius_j), total variation."""

    def __init__(
        self,
        merging: Merging,
        source: EveryPair,
        ops: DivergenceOps,
        reference: Array,
        executor: Executor,
    ) -> None:
        super().__init__(merging, ops, reference)
        self.executor = executor
        self.comparable = Comparable(merging.label, source.groups)
        row_of = self.comparable.row_of
        radii = source.radii
        assert radii is not None, "the bounds are no such quotients"
        self.radius = radii[row_of]
        X = source.distances.X[row_of]
        self.order = near_order(X).astype(np.int32)
        near = X[self.order]
        self._work = self.n_pairs
        self.ranges = cut(len(X), executor.tiles(self._work), BOX_SIZE)
        self.points = executor.scatter([self._points(near, *rows) for rows in self.ranges])

    def _points(self, near: Array, first: int, last: int) -> Points:
        name, X = self.order[first:last], near[first:last]
        return Points(
            X=np.ascontiguousarray(X.T),
            radius=self.radius[name],
            masks=self.comparable.masks[name],
            name=name,
            corners=corners(X),
            first_box=first // BOX_SIZE,
            n_boxes=-(-len(near) // BOX_SIZE),
        )

    @property
    def full_cost(self) -> int:
        return self._work

    def remember(self, counts: Array, known: CandidatePairs) -> None:
        super().remember(counts, known)
        self._work = int(counts[2])

    def _scan_all(self, x: Array) -> Scan:
        near = x[self.order]
        worst: list[WorstPairs] = self.executor.map_tiles(
            scan_tile,
            join_tiles,
            self.points,
            [near[first:last] for first, last in self.ranges],
            self.factor,
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
        a, b = np.minimum(own, other), np.maximum(own, other)
        bound = np.concatenate([part.bound for part in worst])[used]
        # local bounds: the order that constrains is the one that starts at the larger radius
        swap = self.radius[b] > self.radius[a]
        i_row, j_row = self.comparable.rows(np.where(swap, b, a), np.where(swap, a, b))
        code = i_row * self.merging.n_points + j_row
        return self.merging.once(CandidatePairs(a, b, bound, code))
