"""The scan over every pair of points, a tile at a time: some points against some others.

Bounds d(i, j) / radius_i, of any measure and any divergence with compiled formulas. A tile keeps
the worst few pairs of each of its points; joined over all tiles of the same points they are the
same few, in the same order, as if there had been one tile only.
"""

from dataclasses import dataclass, replace

import numpy as np

from likewise._typing import Array
from likewise.compute.threads import ANY_NUMBER, over_ranges
from likewise.divergences.registry import Divergence, generator_of
from likewise.divergences.shortcuts.factors import factors_of
from likewise.solvers.separation import kernels
from likewise.solvers.separation.boxes import BOX_SIZE, corners
from likewise.solvers.separation.comparisons import TreatedPoints, Way
from likewise.solvers.separation.reach import Boxes

PER_POINT = 20  # candidates of a point from a scan over every pair, at most: the worst
BY_EXCESS = 16  # of them by how far they are above their bounds, the others by what part
BOX_GRAIN = 2  # boxes worth a thread of their own: each point is compared with half of the others


@dataclass(frozen=True)
class Points:
    """Points that stand near each other, whole boxes of them."""

    X: Array  # (d, n): a column each; or their rows of a table of distances
    radius: Array
    masks: Array  # only points that share a bit are compared
    name: Array
    corners: Array  # of the boxes
    first_box: int  # its number among the boxes of all points
    n_boxes: int  # of all points

    def treated(self, x: Array, factor: float, generator: object) -> TreatedPoints:
        """The points with their distributions; bounds are multiplied by ``factor``."""
        columns = np.ascontiguousarray(x.T)
        return TreatedPoints(
            columns,
            np.ascontiguousarray(x),
            factors_of(generator, columns),
            self.X,
            self.radius / factor,
            self.masks,
            self.name,
            self.first_box * BOX_SIZE,
        )

    def boxes(self, x: Array, factor: float) -> Boxes:
        """The boxes, round the distributions too."""
        largest = corners(self.radius / factor)[:, 1]
        return Boxes(BOX_SIZE, self.first_box, self.n_boxes, corners(x), self.corners, largest)


@dataclass(frozen=True)
class Comparison:
    """How pairs are compared, wherever it is done: what a divergence is compiled to may be
    addresses, which mean nothing to another process.
    """

    measure: object
    divergence: Divergence
    largest_bound: float
    reference: Array

    def way(self, factor: float, weighs: bool) -> Way:
        """For compiled loops, bounds multiplied by ``factor``. Bounds that cannot be exceeded stay
        as they are: they need no room.
        """
        can_bind = self.largest_bound < self.divergence.largest
        return Way(
            self.measure,
            generator_of(self.divergence),
            self.divergence.symmetric,
            factor * self.largest_bound if can_bind else np.inf,
            self.reference,
            0.0 if weighs else 1.0,
        )


@dataclass(frozen=True)
class WorstPairs:
    """For each point the worst pairs it is in: the first BY_EXCESS columns by one measure, the
    others by the other, the worst first.
    """

    name: Array  # of the other point
    bound: Array
    key: Array  # what they are sorted by
    counts: Array  # (points, 3): how many of either kind, and others that were looked at
    mixing_weight: float

    @staticmethod
    def none(n: int) -> "WorstPairs":
        """No pairs yet, of n points."""
        return WorstPairs(
            np.zeros((n, PER_POINT), dtype=np.int32),
            np.zeros((n, PER_POINT)),
            np.full((n, PER_POINT), -np.inf),
            np.zeros((n, 3), dtype=np.int32),
            0.0,
        )

    @property
    def used(self) -> Array:
        """Which places hold a pair."""
        place = np.arange(PER_POINT)
        return np.where(
            place < BY_EXCESS, place < self.counts[:, :1], place - BY_EXCESS < self.counts[:, 1:2]
        )


def scan_tile(
    points: Points,
    x: Array,
    others: Points,
    other_x: Array,
    comparison: Comparison,
    factor: float,
    weighs: bool = True,
) -> WorstPairs:
    """The worst pairs of the points with the others, bounds multiplied by ``factor``."""
    worst, way = WorstPairs.none(len(x)), comparison.way(factor, weighs)
    weights = over_ranges(
        kernels.every_above,
        len(points.corners),
        way,
        points.treated(x, factor, way.generator),
        others.treated(other_x, factor, way.generator),
        points.boxes(x, factor),
        others.boxes(other_x, factor),
        kernels.Worst(worst.name, worst.bound, worst.key, worst.counts, BY_EXCESS),
        grain=BOX_GRAIN,
        most=ANY_NUMBER,
    )
    return replace(worst, mixing_weight=max(weights))


def join_tiles(tiles: list[WorstPairs]) -> WorstPairs:
    """The worst pairs of the same points over several tiles."""
    if len(tiles) == 1:
        return tiles[0]
    kinds = (slice(0, BY_EXCESS), slice(BY_EXCESS, PER_POINT))
    joined = [_worst_of_kind(tiles, kind) for kind in kinds]
    name, bound, key = (np.hstack(both) for both in zip(*joined, strict=True))
    counts = np.sum([tile.counts for tile in tiles], axis=0)
    counts[:, :2] = np.minimum(counts[:, :2], (BY_EXCESS, PER_POINT - BY_EXCESS))
    return WorstPairs(name, bound, key, counts, max(tile.mixing_weight for tile in tiles))


def _worst_of_kind(tiles: list[WorstPairs], kind: slice) -> list[Array]:
    """(names, bounds, keys) of the worst pairs in these columns of the tiles."""
    columns = [
        np.hstack([getattr(tile, column)[:, kind] for tile in tiles])
        for column in ("name", "bound", "key")
    ]
    worst = np.argsort(-columns[2], axis=1, kind="stable")[:, : kind.stop - kind.start]
    return [np.take_along_axis(column, worst, 1) for column in columns]
