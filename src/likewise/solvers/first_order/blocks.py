"""A block of duals: those of pairs, of group bounds, or of openings.

Each block adds a term to the saddle point: linear in the distributions, its cost shift, less what
the best values on the other side of its rows are worth, its support function.
"""

from typing import Protocol

from likewise._typing import Array
from likewise.solvers.checkpoint import Resumable
from likewise.solvers.kernels.halpern import HalpernStep, Iterates


class DualBlock(Resumable, Protocol):
    """What the primal-dual method asks of a block."""

    @property
    def iterates(self) -> Iterates:
        """Where the duals stand."""
        ...

    def inverse_step(self, of_others: Array) -> Array:
        """What the points' steps are divided by, with these rows added to the others'.

        Diagonal preconditioning (Pock and Chambolle): the more rows a point is in, the shorter its
        steps. Sets the block's own step lengths where they depend on the points'.
        """
        ...

    def add_cost_shift(self, duals: Array, shift: Array) -> None:
        """Add to ``shift`` what these duals (the current ones, or the image) add to the costs."""
        ...

    def step(self, reflected: Array, step: HalpernStep, shift: Array) -> float:
        """One step from the reflected distributions; adds the new cost shift to ``shift``.

        Returns the squared length of the move, in the step's norm.
        """
        ...

    def support_function(self) -> float:
        """What the lower bound pays for the image."""
        ...

    def moved(self) -> tuple[float, float]:
        """How far the images are from the anchors, in the step's norm: the block's own primal
        variables, if it has any, and its duals.
        """
        ...

    def restart(self) -> None:
        """New averages, from the images."""
        ...
