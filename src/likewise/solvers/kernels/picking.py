"""Compiled choice of the pairs that a working set takes in."""

from likewise.compute.jit import compiled


@compiled
def pick_spread(order, a, b, per_point, degree, picked):
    """Of the pairs (a, b), in this order, as many as ``picked`` has room for, and of each point
    ``per_point`` at most; how many there are. ``degree`` counts the pairs of each point.
    """
    count = 0
    for place in order:
        if count == len(picked):
            break
        if degree[a[place]] < per_point and degree[b[place]] < per_point:
            degree[a[place]] += 1
            degree[b[place]] += 1
            picked[count] = place
            count += 1
    return count
