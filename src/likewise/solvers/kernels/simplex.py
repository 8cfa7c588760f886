"""Compiled projections: onto distributions, and the prox of a range (``max - min``)."""

from likewise.compute.jit import compiled, summing

MANY_CENTERS = 16  # from here on sorting is slower than searching


@compiled
def sort_descending(values, k):
    """Insertion sort: the fastest for a handful of centres."""
    for a in range(1, k):
        value = values[a]
        b = a - 1
        while b >= 0 and values[b] < value:
            values[b + 1] = values[b]
            b -= 1
        values[b + 1] = value


@compiled
def level_sorted(values, k, amount):
    """The level above which descending values hold ``amount``: sum of max(value - level, 0)."""
    total = -amount
    level = values[0] - amount
    for c in range(k):
        total += values[c]
        level = total / (c + 1)
        if c + 1 == k or values[c + 1] <= level:
            break
    return level


@summing
def level_of_many(values, k, amount, sign):
    """The same for sign * values in any order: Newton from below, where the level only rises."""
    total = 0.0
    for c in range(k):
        total += values[c]
    level = (sign * total - amount) / k
    above = float(k)
    for _ in range(k):
        total = 0.0
        count = 0.0
        for c in range(k):
            value = sign * values[c] - level
            total += max(value, 0.0)
            count += 1.0 if value > 0.0 else 0.0
        if count == above or count == 0.0:
            break
        above = count
        level += (total - amount) / count
    return level


@compiled
def project_simplex(v, k, out, work):
    """The nearest distribution to v."""
    if k > MANY_CENTERS:
        shift = level_of_many(v, k, 1.0, 1.0)
    else:
        for c in range(k):
            work[c] = v[c]
        sort_descending(work, k)
        shift = level_sorted(work, k, 1.0)
    for c in range(k):
        out[c] = max(v[c] - shift, 0.0)


@compiled
def shrink_range(v, k, amount, out, work):
    """The prox of ``amount * (max - min)``: cut ``amount`` off the top of v and off its bottom.

    Returned centred round zero, because a constant changes nothing for distributions. What is left
    of v when top and bottom meet is nothing: zero.
    """
    if k > MANY_CENTERS:
        top = level_of_many(v, k, amount, 1.0)
        bottom = -level_of_many(v, k, amount, -1.0)
    else:
        for c in range(k):
            work[c] = v[c]
        sort_descending(work, k)
        top = level_sorted(work, k, amount)
        for c in range(k):
            out[c] = -work[k - 1 - c]
        bottom = -level_sorted(out, k, amount)
    if bottom >= top:
        for c in range(k):
            out[c] = 0.0
        return
    middle = 0.5 * (top + bottom)
    for c in range(k):
        out[c] = min(max(v[c], bottom), top) - middle
