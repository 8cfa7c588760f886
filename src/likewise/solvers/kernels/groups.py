"""Compiled loops over the members of protected groups: see ``group_constraints``."""

from typing import NamedTuple

import numpy as np

from likewise._typing import Array
from likewise.compute.jit import compiled
from likewise.solvers.kernels.halpern import averaged


class Members(NamedTuple):
    """Who is in which group.

    The groups of point j are ``group[starts[j]:starts[j + 1]]``, ``weight`` what j weighs in each.
    """

    starts: Array
    group: Array
    weight: Array
    total_weight: Array  # of each point, in no matter which group


class BoundRows(NamedTuple):
    """The rows sign * (mass of r - bound * mass of everybody) <= 0 of each side and group r."""

    sign: Array  # (side,)
    bound: Array  # (side, group)


@compiled
def masses(lo, hi, x, members, n_groups):
    """What the points lo..hi bring to each cluster: one row per group, and one for everybody."""
    k = x.shape[1]
    mass = np.zeros((n_groups + 1, k))
    for j in range(lo, hi):
        for place in range(members.starts[j], members.starts[j + 1]):
            r = members.group[place]
            for c in range(k):
                mass[r, c] += members.weight[place] * x[j, c]
        for c in range(k):
            mass[n_groups, c] += members.total_weight[j] * x[j, c]
    return mass


@compiled
def add_group_shift(lo, hi, members, of_group, shift):
    """Add to the costs of the points lo..hi what the group multipliers make of them."""
    k = shift.shape[1]
    everybody = len(of_group) - 1
    for j in range(lo, hi):
        for place in range(members.starts[j], members.starts[j + 1]):
            r = members.group[place]
            for c in range(k):
                shift[j, c] += members.weight[place] * of_group[r, c]
        for c in range(k):
            shift[j, c] += members.total_weight[j] * of_group[everybody, c]


@compiled
def dual_step(v, mass, rows, length_of, step):
    """One step of the multipliers v[side, r, c] >= 0 of the rows, at each centre c.

    ``v`` are ``Iterates``, ``length_of`` the step lengths (side, r) and ``step`` a
    ``HalpernStep``. Returns the squared length of the move, in the step's norm.
    """
    sides, groups, k = v.current.shape
    moved = 0.0
    for side in range(sides):
        for r in range(groups):
            length = length_of[side, r] * step.weight
            if length == 0.0:
                continue
            for c in range(k):
                excess = rows.sign[side] * (mass[r, c] - rows.bound[side, r] * mass[groups, c])
                out = max(v.current[side, r, c] + length * excess, 0.0)
                move = out - v.current[side, r, c]
                moved += move * move / length
                v.image[side, r, c] = out
                v.current[side, r, c] = averaged(out, move, v.anchor[side, r, c], step)
    return moved
