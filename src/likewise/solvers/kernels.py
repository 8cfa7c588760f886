"""Compiled inner loops, for total variation.

They are plain loops on contiguous float64 arrays, without numba's own threading: they release the
interpreter lock and work on a range of rows, so callers split the work as they like. Compiled once,
then cached on disk.
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
def total_variation(lo, hi, x, i, j, out):
    """TV of the pairs lo..hi."""
    for p in range(lo, hi):
        out[p] = apart(x, i[p], j[p])


@compiled
def listed_above(lo, hi, x, i, j, bound, out):
    """Of the pairs lo..hi those with TV > bound: their places from out[lo] on.

    Returns how many there are, and the largest 1 - bound / TV.
    """
    count = 0
    share = 0.0
    for p in range(lo, hi):
        value = apart(x, i[p], j[p])
        if value > bound[p]:
            out[lo + count] = p
            count += 1
            share = max(share, 1.0 - bound[p] / value)
    return count, share


@compiled
def share_a_bit(masks, i, j):
    """Whether the rows i and j have a bit in common; they count as having one without any bits."""
    words = masks.shape[1]
    for word in range(words):
        if masks[i, word] & masks[j, word]:
            return True
    return words == 0


@compiled
def is_out_of_reach(i, leaf, x, X, reach, low_x, high_x, low_X, high_X):
    """Whether no point of a leaf can be above its bound with the point i: see ``leaves``."""
    value = 0.0
    for c in range(x.shape[1]):
        value += max(abs(x[i, c] - low_x[leaf, c]), abs(x[i, c] - high_x[leaf, c]))
    limit = 0.5 * value * reach * (1.0 + 1e-12)  # room for rounding
    limit *= limit
    total = 0.0
    for c in range(X.shape[1]):
        step = max(low_X[leaf, c] - X[i, c], X[i, c] - high_X[leaf, c], 0.0)
        total += step * step
        if total >= limit:
            return True
    return total >= limit


@compiled
def keep_worst(key, count, keys, j, bound, js, bounds):
    """Keep (j, bound) among those of the largest keys, largest first; how many there are now."""
    most = len(keys)
    if count == most and key <= keys[most - 1]:
        return count
    place = count if count < most else most - 1
    while place > 0 and keys[place - 1] < key:
        keys[place] = keys[place - 1]
        js[place] = js[place - 1]
        bounds[place] = bounds[place - 1]
        place -= 1
    keys[place] = key
    js[place] = j
    bounds[place] = bound
    return min(count + 1, most)


@compiled
def every_above(
    lo, hi, x, X, radius, masks, name, size, low_x, high_x, low_X, high_X, high_r,
    by_excess, out_j, out_bound, counts,
):  # fmt: skip
    """For each point lo..hi its worst points of later names with TV > d / max(radius).

    Names are in no order that has to do with places: each pair belongs to the one or the other of
    its points by chance, so that everybody gets some.

    Only points that share a bit of their masks are compared. At most as many a point as out_j has
    columns: the first ``by_excess`` by TV - bound, the others by 1 - bound / TV, which is what
    pairs of tiny bounds are large in. counts has how many there are of each kind. Leaves of
    ``size`` points that are out of reach are passed over; distances are only computed as far as is
    needed to see that the pair is within its bound. Returns the largest 1 - bound / TV.
    """
    n, d = X.shape
    excess, shares = np.empty(by_excess), np.empty(out_j.shape[1] - by_excess)
    share = 0.0
    for i in range(lo, hi):
        first, second = 0, 0
        for leaf in range(len(low_x)):
            farthest = max(radius[i], high_r[leaf])
            if is_out_of_reach(i, leaf, x, X, farthest, low_x, high_x, low_X, high_X):
                continue
            for j in range(leaf * size, min((leaf + 1) * size, n)):
                if name[j] <= name[i] or not share_a_bit(masks, i, j):
                    continue
                value = apart(x, i, j)
                reach = max(radius[i], radius[j])
                limit = value * reach
                limit *= limit
                total = 0.0
                for c in range(d):
                    step = X[i, c] - X[j, c]
                    total += step * step
                    if total >= limit:
                        break
                if total >= limit:
                    continue
                bound = np.sqrt(total) / reach
                needed = 1.0 - bound / value if value > bound else 0.0
                share = max(share, needed)
                first = keep_worst(value - bound, first, excess, j, bound, out_j[i], out_bound[i])
                second = keep_worst(
                    needed, second, shares, j, bound, out_j[i, by_excess:], out_bound[i, by_excess:]
                )
        counts[i, 0] = first
        counts[i, 1] = second
    return share


@compiled
def bring_together(x, i, j, bound, margin):
    """Move both ends of each violated pair towards each other, to bound * (1 - margin).

    One pass over the pairs; returns how many were violated. Rows stay distributions because each
    becomes a mixture of two.
    """
    k = x.shape[1]
    violated = 0
    for p in range(len(i)):
        a = i[p]
        b = j[p]
        value = apart(x, a, b)
        if value > bound[p]:
            violated += 1
            share = 0.5 * (1.0 - (1.0 - margin) * bound[p] / value)
            for c in range(k):
                difference = x[b, c] - x[a, c]
                x[a, c] += share * difference
                x[b, c] -= share * difference
    return violated


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
def meeting_point(x, allowed, a, b, meet):
    """A distribution over the centres open to both a and b, like the two where they agree.

    False if there is no such centre.
    """
    total = 0.0
    count = 0
    for c in range(x.shape[1]):
        meet[c] = 0.0
        if allowed[a, c] and allowed[b, c]:
            meet[c] = x[a, c] + x[b, c]
            total += meet[c]
            count += 1
    for c in range(x.shape[1]):
        if total > 1e-9:
            meet[c] /= total
        elif count and allowed[a, c] and allowed[b, c]:
            meet[c] = 1.0 / count
    return count > 0


@compiled
def bring_together_within(x, allowed, i, j, bound, margin):
    """The same as ``bring_together`` where points may only use the centres allowed to them: both
    ends go towards a distribution that is open to both, which shrinks TV in proportion.
    """
    k = x.shape[1]
    meet = np.empty(k)
    violated = 0
    for p in range(len(i)):
        a = i[p]
        b = j[p]
        value = apart(x, a, b)
        if value > bound[p]:
            violated += 1
            if meeting_point(x, allowed, a, b, meet):
                share = 1.0 - (1.0 - margin) * bound[p] / value
                for c in range(k):
                    x[a, c] += share * (meet[c] - x[a, c])
                    x[b, c] += share * (meet[c] - x[b, c])
    return violated


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
