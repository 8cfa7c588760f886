"""The multipliers of the bounds on groups, and how they step: see ``group_rows``.

The rows of groups are dense, and the diagonal preconditioner's steps for them are far too short
(bank, n = 1000, k = 8 and groups: it stalls at a gap of 7e-3). They get what the norm of their own
block allows, for a share of the points' steps.
"""

import numpy as np

from likewise._typing import Array
from likewise.solvers import group_kernels
from likewise.solvers.group_constraints import SIGN, GroupRows

GROUP_SHARE = 0.3  # how much of a point's step goes to the rows of its groups


class GroupDuals:
    """A multiplier v >= 0 for each row (side, group, centre)."""

    def __init__(self, rows: GroupRows, n_centers: int) -> None:
        self.rows = rows
        self.v = np.zeros((2, len(rows), n_centers))
        self.anchor, self.image = self.v.copy(), self.v.copy()
        self.step_of = np.zeros((2, len(rows)))

    def load(self, of_others: Array) -> Array:
        """What the points' steps are divided by, with these rows added; sets the steps."""
        if len(self.rows) == 0:
            return of_others
        load = of_others / (1.0 - GROUP_SHARE)
        self.step_of = GROUP_SHARE * self.rows.steps(1.0 / load)
        return load

    def add_pull(self, v: Array, pull: Array) -> None:
        self.rows.add_pull(v, pull)

    def step(self, reflected: Array, weight: float, keep: float, back: float, pull: Array) -> float:
        """One step; adds what the multipliers then make of the costs to ``pull``."""
        if len(self.rows) == 0:
            return 0.0
        masses = self.rows.masses(reflected)
        moved = group_kernels.dual_step(
            self.v, self.anchor, self.image, masses, self.rows.bound, SIGN, self.step_of, weight,
            keep, back,
        )  # fmt: skip
        self.rows.add_pull(self.v, pull)
        return float(moved)

    def moved(self) -> float:
        """How far the image is from the anchor, in the step's norm."""
        step = np.where(self.step_of > 0, self.step_of, 1.0)[:, :, None]
        return float(np.sqrt((((self.image - self.anchor) ** 2) / step).sum()))

    def to_image(self) -> None:
        self.v[:] = self.anchor[:] = self.image
