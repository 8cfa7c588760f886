"""Points in an order in which neighbours stand together, and boxes round every few of them.

A scan over every pair asks of a whole box at once whether it can hold a pair above its bound: no
distribution in it is further from a given one than the farthest corner of the box that holds them
all, and no point is nearer than the box. Most boxes cannot, and are passed over.
"""

import numpy as np

from likewise._typing import Array

BOX_SIZE = 32  # points in a box


def near_order(X: Array) -> Array:
    """Rows in the order of a k-d tree's leaves: halves along the widest side, again and again."""
    order = np.arange(len(X))
    waiting = [(0, len(X))]
    while waiting:
        start, stop = waiting.pop()
        if stop - start <= BOX_SIZE:
            continue
        part = order[start:stop]
        rows = X[part]
        widest = int(np.ptp(rows, axis=0).argmax())
        # whole boxes to the left, so that boxes and halves end at the same places
        half = BOX_SIZE * (((stop - start) // BOX_SIZE + 1) // 2)
        order[start:stop] = part[np.argpartition(rows[:, widest], half - 1)]
        waiting += [(start, start + half), (start + half, stop)]
    return order


def corners(table: Array) -> Array:
    """(boxes, 2, columns): the lowest and highest entries of each BOX_SIZE rows."""
    starts = np.arange(0, len(table), BOX_SIZE)
    lowest = np.minimum.reduceat(table, starts, axis=0)
    return np.stack([lowest, np.maximum.reduceat(table, starts, axis=0)], axis=1)
