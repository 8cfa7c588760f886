"""The multipliers of the bounds on groups, and how they step: see ``group_constraints``.

The rows of groups are dense, and the diagonal preconditioner's steps for them are far too short
(measured: it stalls at a gap of 7e-3). They get what the norm of their own block allows, for a
part of the points' steps.
"""

import numpy as np

from likewise._typing import Array
from likewise.solvers.group_constraints import GroupRows
from likewise.solvers.kernels import groups as group_kernels
from likewise.solvers.kernels.halpern import HalpernStep, Iterates

OF_STEPS = 0.3  # the part of a point's step that goes to the rows of its groups


class GroupDuals:
    """A multiplier v >= 0 for each row (side, group, centre)."""

    def __init__(self, rows: GroupRows, n_centers: int) -> None:
        self.rows = rows
        self.iterates = Iterates.at(np.zeros((2, len(rows), n_centers)))
        self.length = np.zeros((2, len(rows)))  # of the steps

    def inverse_step(self, of_others: Array) -> Array:
        if len(self.rows) == 0:
            return of_others
        inverse = of_others / (1.0 - OF_STEPS)
        self.length = OF_STEPS * self.rows.steps(1.0 / inverse)
        return inverse

    def add_cost_shift(self, duals: Array, shift: Array) -> None:
        self.rows.add_cost_shift(duals, shift)

    def step(self, reflected: Array, step: HalpernStep, shift: Array) -> float:
        if len(self.rows) == 0:
            return 0.0
        masses = self.rows.masses(reflected)
        moved = group_kernels.dual_step(
            self.iterates, masses, self.rows.for_kernels, self.length, step
        )
        self.rows.add_cost_shift(self.iterates.current, shift)
        return float(moved)

    def support_function(self) -> float:
        return 0.0  # the right-hand sides are zero

    def moved(self) -> tuple[float, float]:
        length = np.where(self.length > 0, self.length, 1.0)[:, :, None]
        move = self.iterates.image - self.iterates.anchor
        return 0.0, float(np.sqrt(((move**2) / length).sum()))

    def restart(self) -> None:
        self.iterates.restart()

    def arrays(self) -> dict[str, Array]:
        return self.iterates._asdict()

    def restore(self, arrays: dict[str, Array]) -> None:
        self.iterates.restore(arrays)
