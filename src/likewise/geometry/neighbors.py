"""Who is near whom: the nearest other rows of each row, and how far the last of them is.

Distances that are equal but for the last bits are ties, and all ties are included: fairness must
not depend on the order of the rows. Euclidean distances in few dimensions are asked of scipy's k-d
tree (``NearTree``), all others are looked at block by block.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from scipy.spatial import cKDTree

from likewise._typing import Array
from likewise.compute.cancellation import check
from likewise.compute.executor import LOCAL, Executor
from likewise.compute.threads import ANY_NUMBER, n_cores, over_ranges
from likewise.geometry import kernels
from likewise.geometry.distances import Distances, check_finite, map_rows

# Up to here the tree is asked. Measured: 14 dimensions and 29,737 rows as quick as by block, 5
# dimensions and 76,000 rows ten times as quick, a million rows in minutes and not hours.
TREE_DIMENSIONS = 16
TIE = 1 + 1e-12  # at least as many pairs, never fewer
LEAF_SIZE = 64  # rows in a leaf of the tree; of 16 to 128 the quickest at a million rows
TREE_CELLS = 200_000  # neighbours asked for at a time: a fraction of a second's work
RADIUS_GRAIN = 64  # rows worth a thread of their own, each looked at with all others


class Neighbors(NamedTuple):
    """The pairs (i, j) with j near i, and their distances."""

    i: Array
    j: Array
    distance: Array


class NearTree(NamedTuple):
    """A tree of rows that stand in its own order: what is asked one after the other is then in the
    same places of the memory. Measured: a million rows take a third of the time.
    """

    tree: cKDTree
    order: Array  # the row at each place

    @staticmethod
    def of(X: Array) -> "NearTree":
        order = cKDTree(X).indices
        return NearTree(cKDTree(X[order], LEAF_SIZE), order.astype(np.int32))


def neighbors(distances: Distances, n_neighbors: int, executor: Executor = LOCAL) -> Neighbors:
    """For each row i the ``n_neighbors`` nearest other rows j, all ties included; sorted by i."""
    tree, grain = None, distances.block_rows
    if distances.has_vectors and distances.X.shape[1] <= TREE_DIMENSIONS:
        with np.errstate(over="ignore"):
            check_finite(np.square(np.ptp(distances.X, axis=0)), distances.metric)
        tree, grain = NearTree.of(distances.X), 1
    parts = map_rows(
        _neighbors_of_rows, distances, n_neighbors, tree, executor=executor, grain=grain
    )
    found = _joined(parts)
    return found if tree is None else _sorted_by_row(found)


def neighbor_radius(distances: Distances, n_neighbors: int, executor: Executor = LOCAL) -> Array:
    """For each row, the distance to its ``n_neighbors``-th nearest other row; 0 if it is alone."""
    if (
        distances.n_points == 1
    ):  # of those who are a measure for newcomers: the others weigh nothing
        return np.zeros(1)
    grain = 1 if distances.measured is not None else distances.block_rows
    parts = map_rows(_radius_of_rows, distances, n_neighbors, executor=executor, grain=grain)
    return np.concatenate(parts)


def kth_smallest(table: Array, k: int) -> Array:
    """The k-th smallest number of each row, counted from 1."""
    smallest: Array = np.partition(table, k - 1, axis=1)[:, k - 1]
    return smallest


def is_within(distances: Array, radius: Array) -> Array:
    """Which distances are at most the radius, ties with it included."""
    return np.asarray(distances <= radius * TIE)


def _neighbors_of_rows(
    rows: tuple[int, int], distances: Distances, n_neighbors: int, tree: NearTree | None
) -> Neighbors:
    """``neighbors`` of the rows first..last, as the tree counts them if there is one."""
    if tree is not None:
        return _joined(list(_near_by_tree(rows, n_neighbors, tree)))
    return _joined(
        [_near_in_block(start, block, n_neighbors) for start, _, block in distances.blocks(*rows)]
    )


def _radius_of_rows(rows: tuple[int, int], distances: Distances, n_neighbors: int) -> Array:
    """``neighbor_radius`` of the rows first..last."""
    first, last = rows
    radius = np.empty(last - first)
    if distances.measured is not None:
        over_ranges(
            kernels.kth_nearest,
            last - first,
            first,
            *distances.measured,
            n_neighbors,
            radius,
            grain=RADIUS_GRAIN,
            most=ANY_NUMBER,
        )
        return check_finite(radius, distances.metric)
    for start, stop, block in distances.blocks(first, last):
        radius[start - first : stop - first] = _kth_other(block, start, n_neighbors)
    return radius


def _near_in_block(start: int, block: Array, n_neighbors: int) -> Neighbors:
    """The neighbours of the rows of one block of distances."""
    radius = _kth_other(block, start, n_neighbors)
    near = is_within(block, radius[:, None])
    near[np.arange(len(block)), np.arange(start, start + len(block))] = False
    i, j = np.nonzero(near)
    return Neighbors(i.astype(np.int32) + np.int32(start), j.astype(np.int32), block[i, j])


def _near_by_tree(
    places: tuple[int, int], n_neighbors: int, near_tree: NearTree
) -> Iterator[Neighbors]:
    """The neighbours of the rows at the places first..last, asked of the tree.

    Two more than wanted: the row itself, and one to see whether the ties go on; where they do,
    twice as many, and so on.
    """
    tree, order = near_tree
    n = len(order)
    waiting, asked = np.arange(*places), min(n_neighbors + 2, n)
    while len(waiting):
        step = max(1, TREE_CELLS // asked)
        left = []
        for start in range(0, len(waiting), step):
            check()
            part = waiting[start : start + step]
            d, near = tree.query(tree.data[part], k=asked, workers=n_cores())
            is_self = near == part[:, None]
            d[is_self] = np.inf
            has_self = is_self.any(axis=1)
            radius = kth_smallest(d, n_neighbors) * TIE
            farthest = np.where(np.isfinite(d), d, -np.inf).max(axis=1)
            open_ended = ((farthest <= radius) | ~has_self) & (asked < n)
            r, c = np.nonzero((d <= radius[:, None]) & ~open_ended[:, None])
            yield Neighbors(order[part[r]], order[near[r, c]], d[r, c])
            left.append(part[open_ended])
        waiting, asked = np.concatenate(left), min(2 * asked, n)


def _sorted_by_row(found: Neighbors) -> Neighbors:
    by_row = np.argsort(found.i, kind="stable")
    return Neighbors(*(column[by_row] for column in found))


def _kth_other(block: Array, start: int, n_neighbors: int) -> Array:
    """The distance of each row of a block to its n_neighbors-th nearest other row."""
    rows = np.arange(len(block))
    own = block[rows, start + rows].copy()
    block[rows, start + rows] = np.inf
    radius = kth_smallest(block, n_neighbors)
    block[rows, start + rows] = own
    return radius


def _joined(parts: list[Neighbors]) -> Neighbors:
    return Neighbors(*(np.concatenate(column) for column in zip(*parts, strict=True)))
