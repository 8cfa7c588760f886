"""Compiled choice of the pairs that a working set takes in, and of the rows that it keeps."""

from likewise.compute.jit import compiled


@compiled
def pick_spread(order, a, b, per_point, degree, picked, count):
    """Go on picking, where ``count`` are picked already: of the pairs (a, b), in this order, as
    many as ``picked`` has room for, and of each point ``per_point`` at most; how many there are
    then. ``degree`` counts the pairs of each point.
    """
    for place in order:
        if count == len(picked):
            break
        if degree[a[place]] < per_point and degree[b[place]] < per_point:
            degree[a[place]] += 1
            degree[b[place]] += 1
            picked[count] = place
            count += 1
    return count


@compiled
def rows_at(lo, hi, rows, places, out):
    """The rows lo..hi of ``out`` become those at these places; zero where a place is negative."""
    for row in range(lo, hi):
        place = places[row]
        for c in range(rows.shape[1]):
            out[row, c] = rows[place, c] if place >= 0 else 0.0


@compiled
def have_values(lo, hi, arrays, out):
    """Which of the rows lo..hi are not zero throughout, in any of the arrays."""
    for row in range(lo, hi):
        out[row] = False
        for rows in arrays:
            for c in range(rows.shape[1]):
                if rows[row, c] != 0.0:
                    out[row] = True
