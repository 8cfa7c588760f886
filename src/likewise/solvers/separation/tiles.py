"""The scan over every pair of points, a tile at a time: some points against some others.

Euclidean distances, bounds d(i, j) / max(radius_i, radius_j), total variation. A tile keeps the
worst few pairs of each of its points; joined over all tiles of the same points they are the same
few, in the same order, as if there had been one tile only.
"""

from dataclasses import dataclass

import numpy as np

from likewise._typing import Array
from likewise.compute.threads import over_ranges
from likewise.solvers.separation import kernels as scan_kernels
from likewise.solvers.separation.boxes import LEAF, boxes

PER_POINT = 20  # a scan over every pair gives so many a point at most, the worst
BY_EXCESS = 16  # of them by how far they are above their bounds, the others by what part
ROW_GRAIN = 64


@dataclass(frozen=True)
class Points:
    """Points that stand near each other, whole leaves of them, and boxes round the leaves."""

    X: Array
    radius: Array
    masks: Array  # only points that share a bit are compared
    name: Array
    low: Array
    high: Array

    @staticmethod
    def of(X: Array, radius: Array, masks: Array, name: Array) -> "Points":
        return Points(X, radius, masks, name, *boxes(X))


@dataclass(frozen=True)
class WorstPairs:
    """For each point the worst pairs it is in: the first BY_EXCESS columns by one measure, the
    others by the other, the worst first.
    """

    name: Array  # of the other point
    bound: Array
    key: Array  # what they are sorted by
    counts: Array  # (points, 3): how many of either kind, and leaves that were looked into
    share: float

    @property
    def used(self) -> Array:
        place = np.arange(PER_POINT)
        return np.where(
            place < BY_EXCESS, place < self.counts[:, :1], place - BY_EXCESS < self.counts[:, 1:2]
        )


def scan_tile(
    points: Points, x: Array, others: Points, other_x: Array, factor: float
) -> WorstPairs:
    """The worst pairs of the points with the others, bounds multiplied by ``factor``."""
    n = len(points.X)
    found = WorstPairs(
        np.zeros((n, PER_POINT), dtype=np.int32),
        np.zeros((n, PER_POINT)),
        np.full((n, PER_POINT), -np.inf),
        np.zeros((n, 3), dtype=np.int32),
        0.0,
    )
    radius, other_radius = points.radius / factor, others.radius / factor
    shares = over_ranges(
        scan_kernels.every_above, n, x, points.X, radius, points.masks, points.name,
        other_x, others.X, other_radius, others.masks, others.name,
        LEAF, *boxes(other_x), others.low, others.high, boxes(other_radius)[1],
        BY_EXCESS, found.name, found.bound, found.key, found.counts, grain=ROW_GRAIN,
    )  # fmt: skip
    return WorstPairs(found.name, found.bound, found.key, found.counts, max(shares))


def join_tiles(tiles: list[WorstPairs]) -> WorstPairs:
    """The worst pairs of the same points over several tiles."""
    if len(tiles) == 1:
        return tiles[0]
    kept = []
    for kind in (slice(0, BY_EXCESS), slice(BY_EXCESS, PER_POINT)):
        key = np.hstack([tile.key[:, kind] for tile in tiles])
        worst = np.argsort(-key, axis=1, kind="stable")[:, : kind.stop - kind.start]
        kept.append(
            [
                np.take_along_axis(np.hstack([column[:, kind] for column in columns]), worst, 1)
                for columns in (
                    [tile.name for tile in tiles],
                    [tile.bound for tile in tiles],
                    [tile.key for tile in tiles],
                )
            ]
        )
    counts = np.sum([tile.counts for tile in tiles], axis=0)
    counts[:, :2] = np.minimum(counts[:, :2], (BY_EXCESS, PER_POINT - BY_EXCESS))
    name, bound, key = (np.hstack(both) for both in zip(*kept, strict=True))
    return WorstPairs(name, bound, key, counts, max(tile.share for tile in tiles))
