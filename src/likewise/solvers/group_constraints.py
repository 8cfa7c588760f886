"""The bounds on groups as linear rows over merged points.

For every group r and centre c, with M_rc the mass that r brings to c and S_c that of everybody:

    M_rc - alpha_r S_c <= 0     (side 0)          beta_r S_c - M_rc <= 0     (side 1)

The right-hand sides are zero, so multipliers cost nothing in the lower bound: they only shift the
costs of the points. Weights are counted in units of their mean. Without groups there are no rows,
and everything here is a quick no-op.
"""

from copy import copy

import numpy as np
from scipy import sparse

from likewise._typing import Array
from likewise.compute.threads import over_ranges
from likewise.groups.bounds import GroupBounds
from likewise.solvers.kernels import groups as group_kernels
from likewise.solvers.kernels.groups import BoundRows, Members
from likewise.solvers.presolve import Merging

SIGN = np.array([1.0, -1.0])  # of the two sides: upper bounds, lower bounds


class GroupRows:
    """Who weighs how much in which group, and the bounds (side, group)."""

    def __init__(self, bounds: GroupBounds | None, merging: Merging) -> None:
        n = merging.n_merged
        self.unit = 1.0
        self.share: Array = np.zeros(0)
        if bounds is None:
            self.profile = self.member = sparse.csr_array((n, 0))
            self.weight: Array = np.zeros(n)
            self.bound = np.zeros((2, 0))
            self.used = np.zeros((2, 0), dtype=bool)
            return
        self.unit = float(bounds.weights.sum()) / n or 1.0
        weight = bounds.weights / self.unit
        self.weight = np.bincount(merging.label, weight, n)
        self.member = _merged(bounds, merging, weight)
        # what a unit of each point weighs in each group: without weights, its members count alike
        counted = np.where(self.weight[merging.label] > 0, weight, 1.0)
        by_weight = sparse.diags_array(1.0 / np.bincount(merging.label, counted, n))
        self.profile = sparse.csr_array(by_weight @ _merged(bounds, merging, counted))
        self.share = bounds.shares
        self.bound = np.array([bounds.upper, bounds.lower])
        # a share is never above 1 nor below 0: such bounds need no row
        self.used = np.array([bounds.upper < 1, bounds.lower > 0])
        self.used &= bounds.shares < 1  # nor is that of everybody anything but 1

    def __len__(self) -> int:
        return self.bound.shape[1]

    def tightened(self, slack: float) -> "GroupRows":
        """Bounds that go this part of the way to each group's share of everybody."""
        tight = copy(self)
        tight.bound = self.bound + slack * (self.share - self.bound)
        return tight

    @property
    def for_kernels(self) -> BoundRows:
        """The rows as the compiled loops take them."""
        return BoundRows(SIGN, self.bound)

    @property
    def _members(self) -> Members:
        member = self.member
        return Members(member.indptr, member.indices, member.data, self.weight)

    def masses(self, x: Array) -> Array:
        """(groups + 1, k): what each group, and last everybody, brings to each cluster."""
        parts = over_ranges(group_kernels.masses, len(x), x, self._members, len(self))
        total: Array = sum(parts[1:], parts[0])
        return total

    def add_cost_shift(self, v: Array, shift: Array) -> None:
        """Add to the costs what the multipliers v (side, group, k) make of them."""
        if len(self) == 0:
            return
        signed = SIGN[:, None, None] * v
        everybody = -(self.bound[:, :, None] * signed).sum(axis=(0, 1))
        of_group = np.vstack([signed.sum(axis=0), everybody])
        over_ranges(group_kernels.add_group_shift, len(shift), self._members, of_group, shift)

    def over_masses(self, k: int) -> sparse.csr_array:
        """The rows of the bounds over the masses (group or last everybody, centre)."""
        used = np.argwhere(self.used)
        rows = sparse.lil_array((len(used), len(self) + 1))
        for row, (side, r) in enumerate(used):
            rows[row, r] = SIGN[side]
            rows[row, len(self)] = -SIGN[side] * self.bound[side, r]
        return sparse.kron(rows, sparse.eye_array(k), format="csr")

    def steps(self, of_points: Array) -> Array:
        """(side, group): the largest dual steps that go with these steps of the points.

        Row sums of |A T A'|, where A has the rows of the bounds and T the steps, bound its norm
        (Gershgorin). Each row is dense, but their products follow from those of the groups.
        """
        by_step = sparse.diags_array(of_points)
        both = (self.member.T @ by_step @ self.member).toarray()
        one = self.member.T @ (of_points * self.weight)
        everybody = float(of_points @ self.weight**2)
        side, r = np.nonzero(self.used)
        bound = self.bound[side, r]
        product = (
            both[np.ix_(r, r)]
            - np.outer(one[r], bound)
            - np.outer(bound, one[r])
            + np.outer(bound, bound) * everybody
        )
        sums = np.abs(product).sum(axis=1)
        steps = np.zeros(self.used.shape)
        real = sums > 1e-12 * everybody  # the rest is rounding: a group of everybody
        steps[side, r] = np.divide(1.0, sums, out=np.zeros_like(sums), where=real)
        return steps


def _merged(bounds: GroupBounds, merging: Merging, weight: Array) -> sparse.csr_array:
    """(merged points, groups): what each point weighs in each group."""
    rows = np.arange(merging.n_points)
    shape = (merging.n_merged, merging.n_points)
    merged = sparse.csr_array(
        sparse.csr_array((weight, (merging.label, rows)), shape=shape) @ bounds.groups.member
    )
    merged.sort_indices()
    return merged
