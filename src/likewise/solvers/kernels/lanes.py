"""Projections of several vectors at a time: onto distributions, and the prox of a range.

A vector is a *lane*, ``v[c, lane]``, and the compiler works on the lanes side by side. Sorting one
vector after the other is slow, because nobody can guess which way each comparison goes; a sorting
network makes the same comparisons whatever the values are, as maxima and minima, for all lanes at
once. Long vectors are not sorted: their levels are searched for.
"""

from typing import NamedTuple

import numpy as np

from likewise._typing import Array
from likewise.compute.jit import compiled

LANES = 16  # vectors at a time
MOST_SORTED = 16  # entries up to which sorting is faster than searching


class Room(NamedTuple):
    """Room for the projection of lanes, all of k entries."""

    network: Array  # (comparisons, 2): which entries a sort compares
    work: Array  # (k, LANES)
    amount: Array  # (LANES,) what each lane holds above its level
    top: Array  # (LANES,) the levels
    bottom: Array


@compiled
def room_for(k):
    """Room for vectors of k entries, which hold 1 each."""
    network = sorting_network(k if k <= MOST_SORTED else 1)
    return Room(network, np.empty((k, LANES)), np.ones(LANES), np.empty(LANES), np.empty(LANES))


@compiled
def sorting_network(k):
    """Batcher's odd-even merge sort of k entries: descending if of every two that are compared the
    larger goes to the first place.
    """
    size = 1
    while size < k:
        size *= 2
    pairs = np.empty((8 * size, 2), dtype=np.int64)
    count = 0
    block = 1
    while block < size:
        step = block
        while step >= 1:
            for start in range(step % block, size - step, 2 * step):
                for a in range(start, start + min(step, size - start - step)):
                    b = a + step
                    if a // (2 * block) == b // (2 * block) and b < k:
                        pairs[count, 0], pairs[count, 1] = a, b
                        count += 1
            step //= 2
        block *= 2
    return pairs[:count]


@compiled
def project_lanes(v, room):
    """Every lane of v becomes the nearest vector that is not negative and sums to its amount."""
    if len(v) <= MOST_SORTED:
        sort_lanes(v, room)
        levels_of_sorted(room.work, room.amount, room.top, 1.0)
    else:
        levels_of_any(v, room.amount, room.top, 1.0)
    for row in v:
        for lane in range(LANES):
            value = row[lane] - room.top[lane]
            row[lane] = value if value > 0.0 else 0.0


@compiled
def shrink_lanes(v, room):
    """The prox of ``amount * (max - min)`` of every lane: its amount is cut off its top and off its
    bottom.

    Centred round zero, because a constant changes nothing for distributions. What is left of a lane
    whose top and bottom meet is nothing: zero.
    """
    top, bottom = room.top, room.bottom
    if len(v) <= MOST_SORTED:
        sort_lanes(v, room)
        levels_of_sorted(room.work, room.amount, top, 1.0)
        levels_of_sorted(room.work[::-1], room.amount, bottom, -1.0)
    else:
        levels_of_any(v, room.amount, top, 1.0)
        levels_of_any(v, room.amount, bottom, -1.0)
    for row in v:
        for lane in range(LANES):
            value = row[lane] if row[lane] < top[lane] else top[lane]
            value = value if value > bottom[lane] else bottom[lane]
            middle = 0.5 * (top[lane] + bottom[lane])
            row[lane] = value - middle if bottom[lane] < top[lane] else 0.0


@compiled
def sort_lanes(v, room):
    """Every lane of v, in descending order, into ``room.work``."""
    work, network = room.work, room.network
    for c in range(len(v)):
        for lane in range(LANES):
            work[c, lane] = v[c, lane]
    for r in range(len(network)):
        first, second = work[network[r, 0]], work[network[r, 1]]
        for lane in range(LANES):
            a, b = first[lane], second[lane]
            first[lane] = a if a > b else b
            second[lane] = b if a > b else a


@compiled
def levels_of_sorted(work, amount, level, sign):
    """The level above which each lane holds its amount, the sum of max(entry - level, 0); the lanes
    descend. It is the largest of the levels of the first 1, 2, ... k entries alone.

    With ``sign`` -1 the lanes ascend, and it is the level below which they hold it.
    """
    total = np.empty(LANES)
    for lane in range(LANES):
        total[lane] = -amount[lane]
        level[lane] = -np.inf
    for c in range(len(work)):
        row, share = work[c], 1.0 / (c + 1)
        for lane in range(LANES):
            total[lane] += sign * row[lane]
            held = total[lane] * share
            level[lane] = held if held > level[lane] else level[lane]
    for lane in range(LANES):
        level[lane] *= sign


@compiled
def levels_of_any(v, amount, level, sign):
    """The same for lanes in any order: Newton from below, where the levels only rise, until no lane
    has fewer entries above its level than before.
    """
    k = len(v)
    total, above, before = np.zeros(LANES), np.empty(LANES), np.full(LANES, float(k))
    for row in v:
        for lane in range(LANES):
            total[lane] += sign * row[lane]
    for lane in range(LANES):
        level[lane] = (total[lane] - amount[lane]) / k
    for _ in range(k):
        total[:] = 0.0
        above[:] = 0.0
        for row in v:
            for lane in range(LANES):
                value = sign * row[lane] - level[lane]
                total[lane] += value if value > 0.0 else 0.0
                above[lane] += 1.0 if value > 0.0 else 0.0
        is_found = True
        for lane in range(LANES):
            if above[lane] != before[lane] and above[lane] > 0.0:
                level[lane] += (total[lane] - amount[lane]) / above[lane]
                before[lane] = above[lane]
                is_found = False
        if is_found:
            break
    for lane in range(LANES):
        level[lane] *= sign
