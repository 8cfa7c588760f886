"""New points with coordinates under total variation: from distances to answers in compiled loops.

Squared distances are worked out for a few new points at a time, so that the fitted ones are read
once for all of them; from then on only boxes that matter are looked into (``search``).
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from likewise._typing import Array
from likewise.compute.jit import compiled_strictly
from likewise.compute.threads import ANY_NUMBER, over_ranges
from likewise.geometry.kernels import BINS, mth_smallest
from likewise.geometry.neighbors import TIE
from likewise.prediction.kernels import SOLVED, Solved, solve_point
from likewise.prediction.search import Bounds, Fitted, Quotients, in_boxes, share_a_bit
from likewise.similarities.quotients import Quotient
from likewise.solvers.separation.boxes import BOX_SIZE, near_order

TILE = 8  # new points that share a reading of the fitted ones
CHUNK = 512  # fitted points that stay in the cache meanwhile
POINT_GRAIN = 64  # new points worth a thread of their own


class Counts(NamedTuple):
    """What is looked up by counting; 0: nothing is."""

    n_inside: int  # fitted points in a new point's ball
    n_neighbors: int  # whom it is compared with
    most_steps: int


class NewPoints(NamedTuple):
    """Points that were not fitted."""

    X: Array
    costs: Array  # at the centres
    masks: Array  # groups


class Places(NamedTuple):
    """Where the fitted points are, in the order of the boxes."""

    columns: Array  # (d, n)
    row: Array  # their numbers


@dataclass(frozen=True)
class EuclideanPredictor:
    """The fitted points, arranged to be looked through quickly."""

    places: Places
    fitted: Fitted
    quotients: Quotients
    counts: Counts

    @classmethod
    def of(
        cls,
        X: Array,
        distributions: Array,
        quotient: Quotient,
        neighbors: tuple[int, Array] | None,
        masks: Array,
        most_steps: int,
    ) -> "EuclideanPredictor":
        """``neighbors``: with how many each is compared, and how far the last of them is from each
        fitted point; None where everybody is.
        """
        order = near_order(X)
        n_neighbors, reach = neighbors or (0, np.full(len(X), np.inf))
        return cls(
            Places(np.ascontiguousarray(X[order].T), order),
            in_boxes(distributions[order]),
            Quotients(
                quotient.radius[order],
                reach[order] * TIE,
                masks[order],
                float(quotient.scale),
                float(quotient.cap),
            ),
            Counts(quotient.n_inside or 0, n_neighbors, most_steps),
        )

    def predict(self, new: NewPoints) -> Solved:
        """A distribution, a factor and a state for each new point."""
        n, k = new.costs.shape
        solved = Solved(np.empty((n, k)), np.empty(n), np.empty(n, dtype=np.int64))
        over_ranges(
            predict_range,
            n,
            new,
            self.places,
            self.fitted,
            self.quotients,
            self.counts,
            solved,
            grain=POINT_GRAIN,
            most=ANY_NUMBER,
        )
        return solved


@compiled_strictly
def squared_distances(points, columns, out):
    """Of a few points to all columns."""
    d, n = columns.shape
    for first in range(0, n, CHUNK):
        last = min(first + CHUNK, n)
        for p in range(len(points)):
            total = out[p, first:last]
            total[:] = 0.0
            for c in range(d):
                own, column = points[p, c], columns[c, first:last]
                for j in range(last - first):
                    step = column[j] - own
                    total[j] += step * step


@compiled_strictly
def box_minima(squared, out):
    """The least entry of each box."""
    for box in range(len(out)):
        least = np.inf
        for i in range(box * BOX_SIZE, min((box + 1) * BOX_SIZE, len(squared))):
            least = min(least, squared[i])
        out[box] = least


@compiled_strictly
def duplicate_of(squared, minima, mask, masks, row):
    """The place of the first row at distance zero that the point is compared with; -1: none."""
    found = -1
    for box in range(len(minima)):
        if minima[box] == 0.0:
            for i in range(box * BOX_SIZE, min((box + 1) * BOX_SIZE, len(squared))):
                is_first = found < 0 or row[i] < row[found]
                if squared[i] == 0.0 and is_first and share_a_bit(mask, masks[i]):
                    found = i
    return found


@compiled_strictly
def box_maxima(values):
    """The largest entry of each box."""
    out = np.empty(-(-len(values) // BOX_SIZE))
    for box in range(len(out)):
        out[box] = values[box * BOX_SIZE : (box + 1) * BOX_SIZE].max()
    return out


@compiled_strictly
def least_bounds(bounds, minima, widest, farthest):
    """What no bound of a box is below, from its nearest point, largest radius and reach."""
    scale, cap = bounds.quotients.scale, bounds.quotients.cap
    for box in range(len(minima)):
        d, radius = np.sqrt(minima[box]), max(bounds.own[0], widest[box])
        if d > max(bounds.own[1], farthest[box]):
            bounds.least[box] = np.inf
        elif radius > 0.0:
            bounds.least[box] = scale * min(cap, d / radius)
        else:
            bounds.least[box] = scale * cap if d > 0.0 else 0.0


@compiled_strictly
def predict_range(lo, hi, new, places, fitted, quotients, counts, solved):
    """New points lo..hi."""
    n, n_boxes = places.columns.shape[1], len(fitted.lowest)
    table, minima = np.empty((TILE, n)), np.empty(n_boxes)
    least, not_listed = np.empty(n_boxes), np.empty(0)
    among, bins, own = np.empty(n), np.empty(BINS, dtype=np.int64), np.empty(2)
    widest, farthest = box_maxima(quotients.radius), box_maxima(quotients.reach)
    for first in range(lo, hi, TILE):
        last = min(first + TILE, hi)
        squared_distances(new.X[first:last], places.columns, table)
        for p in range(first, last):
            squared, mask = table[p - first], new.masks[p]
            box_minima(squared, minima)
            same = duplicate_of(squared, minima, mask, quotients.masks, places.row)
            if same >= 0:
                solved.distributions[p] = fitted.boxes[same // BOX_SIZE, :, same % BOX_SIZE]
                solved.factors[p] = 1.0
                solved.states[p] = SOLVED
                continue
            own[0], own[1] = quotients.radius[0], np.inf
            guess = quotients.radius[np.argmin(minima) * BOX_SIZE]
            if counts.n_inside > 0:
                own[0] = np.sqrt(mth_smallest(squared, counts.n_inside, guess**2, among, bins))
            if counts.n_neighbors > 0:
                nearby = mth_smallest(squared, counts.n_neighbors, guess**2, among, bins)
                own[1] = np.sqrt(nearby) * TIE
            bounds = Bounds(least, not_listed, squared, own, mask, quotients)
            least_bounds(bounds, minima, widest, farthest)
            solve_point(p, new.costs[p], fitted, bounds, counts.most_steps, solved)
