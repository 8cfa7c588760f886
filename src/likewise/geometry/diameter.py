"""The largest distance of any two points.

Euclidean: exactly, and mostly without looking at all pairs. With m the middle of the points,

    d(i, j) <= d(i, m) + d(m, j)

so once a good guess is known, only points whose distances from the middle add up to more than the
guess can be further apart. Other metrics with compiled loops: all pairs. The rest: block by block.
"""

import numpy as np

from likewise._typing import Array
from likewise.compute.executor import LOCAL, Executor, cut
from likewise.compute.threads import ANY_NUMBER, over_ranges
from likewise.geometry import kernels
from likewise.geometry.distances import Distances, check_finite, map_rows
from likewise.geometry.measures import largest_sum, of_sums

WALKS = 4  # to the farthest row, again and again: the guess is then mostly the answer
SLACK = 1 + 1e-12  # the bound must not exclude a pair by rounding
POINT_GRAIN = 64  # points worth a thread of their own, each looked at with all later ones
ROW_GRAIN = 1000  # rows worth a thread of their own: most are done after a few others


def diameter(distances: Distances, executor: Executor = LOCAL) -> float:
    """The largest distance of any two rows."""
    if distances.has_vectors:
        return _of_vectors(distances.X, executor)
    if distances.measured is not None:
        parts = map_rows(_largest_of_points, distances, executor=executor, grain=1)
        return float(check_finite(np.array(parts), distances.metric).max(initial=0.0))
    parts = map_rows(_largest_of_rows, distances, executor=executor, grain=distances.block_rows)
    return max(parts, default=0.0)


def _largest_of_rows(rows: tuple[int, int], distances: Distances) -> float:
    return max((float(block.max()) for _, _, block in distances.blocks(*rows)), default=0.0)


def _largest_of_points(rows: tuple[int, int], distances: Distances) -> float:
    """Of the points first..last and later ones."""
    first, last = rows
    measured = distances.measured
    assert measured is not None, "there are loops for this metric"
    parts = over_ranges(
        largest_sum, last - first, first, *measured, grain=POINT_GRAIN, most=ANY_NUMBER
    )
    out = np.empty(1)
    of_sums(measured.measure, np.array([max(parts)]), out)
    return float(out[0])


def _of_vectors(X: Array, executor: Executor) -> float:
    with np.errstate(over="ignore", invalid="ignore"):
        from_middle = np.sqrt(((X - X.mean(axis=0)) ** 2).sum(axis=1))
    check_finite(from_middle, "euclidean")
    order = np.argsort(-from_middle, kind="stable")
    outermost = np.ascontiguousarray(X[order])
    best = _guess(outermost)
    reach = from_middle[order] * SLACK
    candidates = int(np.searchsorted(-(reach + reach[0]), -best))
    ranges = cut(candidates, executor.parts(candidates * candidates))
    parts = executor.map_parts(_farthest_of_rows, executor.scatter(ranges), outermost, reach, best)
    return float(check_finite(np.array(parts or [best]), "euclidean").max())


def _guess(outermost: Array) -> float:
    """A distance that is large: walk to the farthest row a few times."""
    best, row = 0.0, 0
    for _ in range(WALKS):
        distance = np.sqrt(((outermost - outermost[row]) ** 2).sum(axis=1))
        best, row = max(best, float(distance.max())), int(distance.argmax())
    return best


def _farthest_of_rows(rows: tuple[int, int], outermost: Array, reach: Array, best: float) -> float:
    first, last = rows
    parts = over_ranges(
        kernels.farthest, last - first, first, outermost, reach, best, grain=ROW_GRAIN
    )
    return float(max(parts))
