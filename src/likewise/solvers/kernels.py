"""Compiled inner loops of the first-order method, for total variation.

They are plain loops on contiguous float64 arrays, without numba's own threading: they release the
interpreter lock and work on a range of rows, so callers split the work as they like. Compiled once,
then cached on disk. ``scan_kernels`` looks for pairs, ``repair_kernels`` brings them together;
``f_kernels`` has the same for other divergences.
"""

import numba as nb
import numpy as np

MANY_CENTERS = 16  # from here on sorting is slower than searching

compiled = nb.njit(nogil=True, cache=True, fastmath={"contract", "nsz", "arcp"})
# sums may be added up in any order, several at a time
summing = nb.njit(nogil=True, cache=True, fastmath={"contract", "nsz", "arcp", "reassoc"})


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


@compiled
def apart(x, a, b):
    """TV of the rows a and b of x."""
    total = 0.0
    for c in range(x.shape[1]):
        total += abs(x[a, c] - x[b, c])
    return 0.5 * total


@compiled
def gather_pull(lo, hi, u, awake, first, second, seconds, ends, pull):
    """What the duals add to the costs of the points lo..hi.

    The pairs of a point as first end are first[point] .. first[point + 1], as second end those
    that ``seconds`` lists between second[point] and second[point + 1]. A pair has k duals for its
    first end and, if ``ends`` is 2, k more for its second; else that end gets the same, negative.
    """
    k = pull.shape[1]
    at, sign = (k, 1.0) if ends == 2 else (0, -1.0)
    for point in range(lo, hi):
        for c in range(k):
            pull[point, c] = 0.0
        for p in range(first[point], first[point + 1]):
            if awake[p]:
                for c in range(k):
                    pull[point, c] += u[p, c]
        for place in range(second[point], second[point + 1]):
            p = seconds[place]
            if awake[p]:
                for c in range(k):
                    pull[point, c] += sign * u[p, at + c]


@compiled
def primal_step(lo, hi, x, anchor, image, reflected, cost, pull, load, weight, keep, back):
    """One step of the points lo..hi; returns the squared length of the move, in the step's norm.

    ``image`` becomes the plain step T(x); ``reflected`` 2 T(x) - x; x itself the Halpern average
    ``keep * reflected + back * anchor``.
    """
    k = x.shape[1]
    v = np.empty(k)
    out = np.empty(k)
    work = np.empty(k)
    moved = 0.0
    for j in range(lo, hi):
        inverse = load[j] * weight
        step = 1.0 / inverse
        for c in range(k):
            v[c] = x[j, c] - step * (cost[j, c] + pull[j, c])
        project_simplex(v, k, out, work)
        for c in range(k):
            move = out[c] - x[j, c]
            moved += move * move * inverse
            image[j, c] = out[c]
            reflected[j, c] = out[c] + move
            x[j, c] = keep * reflected[j, c] + back * anchor[j, c]
    return moved


@compiled
def dual_step(
    lo, hi, u, anchor, image, awake, reflected, i, j, bound, step_of, weight, keep, back, pull,
    scatter,
):  # fmt: skip
    """One step of the pairs lo..hi; returns the squared length of the move, in the step's norm.

    A pair whose duals are all zero and whose points are within the bound sleeps: it is only looked
    at. With ``scatter`` the new duals are added to ``pull`` on the way; ranges that run side by
    side cannot do that, and leave it to ``gather_pull``.
    """
    k = u.shape[1]
    v = np.empty(k)
    out = np.empty(k)
    work = np.empty(k)
    moved = 0.0
    for p in range(lo, hi):
        a = i[p]
        b = j[p]
        step = step_of[p] * weight
        inverse = 1.0 / step
        if not awake[p] and apart(reflected, a, b) <= bound[p]:
            continue
        for c in range(k):
            v[c] = u[p, c] + step * (reflected[a, c] - reflected[b, c])
        shrink_range(v, k, step * bound[p], out, work)
        stays_awake = False
        for c in range(k):
            move = out[c] - u[p, c]
            moved += move * move * inverse
            image[p, c] = out[c]
            value = keep * (out[c] + move) + back * anchor[p, c]
            u[p, c] = value
            if value != 0.0 or anchor[p, c] != 0.0 or out[c] != 0.0:
                stays_awake = True
        awake[p] = stays_awake
        if scatter:
            for c in range(k):
                pull[a, c] += u[p, c]
                pull[b, c] -= u[p, c]
    return moved


@compiled
def least_costs(lo, hi, cost, pull):
    """Sum over the points lo..hi of their least cost with the duals added."""
    total = 0.0
    for j in range(lo, hi):
        least = cost[j, 0] + pull[j, 0]
        for c in range(1, cost.shape[1]):
            least = min(least, cost[j, c] + pull[j, c])
        total += least
    return total


@compiled
def dual_price(lo, hi, u, bound):
    """sum of bound * (max u - min u) over the pairs lo..hi: what the lower bound pays for them."""
    total = 0.0
    for p in range(lo, hi):
        top = u[p, 0]
        bottom = u[p, 0]
        for c in range(1, u.shape[1]):
            top = max(top, u[p, c])
            bottom = min(bottom, u[p, c])
        total += bound[p] * (top - bottom)
    return total


@compiled
def places_by_value(values, n):
    """(starts, order): the positions of each value 0..n-1, by counting."""
    starts = np.zeros(n + 1, dtype=np.int64)
    for value in values:
        starts[value + 1] += 1
    for value in range(n):
        starts[value + 1] += starts[value]
    order = np.empty(len(values), dtype=np.int32)
    free = starts[:-1].copy()
    for place in range(len(values)):
        order[free[values[place]]] = place
        free[values[place]] += 1
    return starts, order


@compiled
def opening_step(lo, hi, w, anchor, image, reflected, opened, step, keep, back, pull):
    """One step of the multipliers of the points lo..hi; returns the squared length of the move."""
    moved = 0.0
    inverse = 1.0 / step
    for j in range(lo, hi):
        for c in range(w.shape[1]):
            out = max(w[j, c] + step * (reflected[j, c] - opened[c]), 0.0)
            move = out - w[j, c]
            moved += move * move * inverse
            image[j, c] = out
            w[j, c] = keep * (out + move) + back * anchor[j, c]
            pull[j, c] += w[j, c]
    return moved


@compiled
def within_limit(y, limit):
    """The nearest openings to y: between 0 and 1, ``limit`` in all."""
    low, high = y.min() - 1.0, y.max()
    shift = low
    for _ in range(100):
        shift = 0.5 * (low + high)
        total = 0.0
        for value in y:
            total += min(max(value - shift, 0.0), 1.0)
        if total > limit:
            low = shift
        else:
            high = shift
        if high - low <= 1e-15 * (1.0 + abs(shift)):
            break
    return np.minimum(np.maximum(y - shift, 0.0), 1.0)
