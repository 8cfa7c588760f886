"""Compiled loops over the members of protected groups: see ``group_rows``.

The groups of point j are ``group[starts[j]:starts[j + 1]]``, with what j weighs in each.
"""

import numpy as np

from likewise.compute.jit import compiled


@compiled
def masses(lo, hi, x, starts, group, weight, total_weight, n_groups):
    """What the points lo..hi bring to each cluster: a row a group, and one for everybody."""
    k = x.shape[1]
    mass = np.zeros((n_groups + 1, k))
    for j in range(lo, hi):
        for place in range(starts[j], starts[j + 1]):
            r = group[place]
            for c in range(k):
                mass[r, c] += weight[place] * x[j, c]
        for c in range(k):
            mass[n_groups, c] += total_weight[j] * x[j, c]
    return mass


@compiled
def add_pull(lo, hi, starts, group, weight, total_weight, of_group, pull):
    """Add to the costs of the points lo..hi what the group multipliers make of them."""
    k = pull.shape[1]
    everybody = len(of_group) - 1
    for j in range(lo, hi):
        for place in range(starts[j], starts[j + 1]):
            r = group[place]
            for c in range(k):
                pull[j, c] += weight[place] * of_group[r, c]
        for c in range(k):
            pull[j, c] += total_weight[j] * of_group[everybody, c]


@compiled
def dual_step(v, anchor, image, mass, bound, sign, step_of, weight, keep, back):
    """One step of the multipliers; returns the squared length of the move, in the step's norm.

    v[side, r, c] >= 0 belongs to sign * (mass of r - bound * mass of everybody) <= 0 at centre c.
    """
    sides, groups, k = v.shape
    moved = 0.0
    for side in range(sides):
        for r in range(groups):
            step = step_of[side, r] * weight
            if step == 0.0:
                continue
            for c in range(k):
                excess = sign[side] * (mass[r, c] - bound[side, r] * mass[groups, c])
                out = max(v[side, r, c] + step * excess, 0.0)
                move = out - v[side, r, c]
                moved += move * move / step
                image[side, r, c] = out
                v[side, r, c] = keep * (out + move) + back * anchor[side, r, c]
    return moved
