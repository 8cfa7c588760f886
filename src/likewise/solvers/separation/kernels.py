"""Compiled loops that look for pairs above their bounds among all pairs, for total variation."""

import numpy as np

from likewise.compute.jit import compiled


@compiled
def apart_from(x, i, y, j):
    """TV of row i of x and row j of y."""
    total = 0.0
    for c in range(x.shape[1]):
        total += abs(x[i, c] - y[j, c])
    return 0.5 * total


@compiled
def share_a_bit(masks, i, others, j):
    """Whether two rows have a bit in common; they count as having one without any bits."""
    words = masks.shape[1]
    for word in range(words):
        if masks[i, word] & others[j, word]:
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
    lo, hi, x, X, radius, masks, name, other_x, other_X, other_radius, other_masks, other_name,
    size, low_x, high_x, low_X, high_X, high_r, by_excess, out_name, out_bound, out_key, counts,
):  # fmt: skip
    """For each point lo..hi its worst other points of later names with TV > d / max(radius).

    Names are in no order that has to do with places: each pair belongs to the one or the other of
    its points by chance, so that everybody gets some.

    Only points that share a bit of their masks are compared. At most as many a point as out_name
    has columns: the first ``by_excess`` by TV - bound, the others by 1 - bound / TV, which is what
    pairs of tiny bounds are large in (out_key has these numbers); counts has how many there are of
    each kind. Leaves of ``size`` other points that are out of reach are passed over (counts has how
    many are not), and distances are only computed as far as is needed to see that the pair is
    within its bound. Returns the largest 1 - bound / TV.
    """
    n, d = other_X.shape
    share = 0.0
    for i in range(lo, hi):
        first, second, opened = 0, 0, 0
        for leaf in range(len(low_x)):
            farthest = max(radius[i], high_r[leaf])
            if is_out_of_reach(i, leaf, x, X, farthest, low_x, high_x, low_X, high_X):
                continue
            opened += 1
            for j in range(leaf * size, min((leaf + 1) * size, n)):
                if other_name[j] <= name[i] or not share_a_bit(masks, i, other_masks, j):
                    continue
                value = apart_from(x, i, other_x, j)
                reach = max(radius[i], other_radius[j])
                limit = value * reach
                limit *= limit
                total = 0.0
                for c in range(d):
                    step = X[i, c] - other_X[j, c]
                    total += step * step
                    if total >= limit:
                        break
                if total >= limit:
                    continue
                bound = np.sqrt(total) / reach
                needed = 1.0 - bound / value if value > bound else 0.0
                share = max(share, needed)
                first = keep_worst(
                    value - bound, first, out_key[i, :by_excess], other_name[j], bound,
                    out_name[i], out_bound[i],
                )  # fmt: skip
                second = keep_worst(
                    needed, second, out_key[i, by_excess:], other_name[j], bound,
                    out_name[i, by_excess:], out_bound[i, by_excess:],
                )  # fmt: skip
        counts[i, 0] = first
        counts[i, 1] = second
        counts[i, 2] = opened
    return share
