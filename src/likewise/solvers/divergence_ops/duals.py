"""What the duals of a pair are under a divergence, and what the first-order method asks about them.

The duals of a pair (a, b) are alpha and beta, one k-vector per end, added to the costs of x_a and
x_b. The most that alpha.p + beta.q can be over the fair distributions p and q, the support
function of these, is what the lower bound pays for them.
"""

from typing import NamedTuple, Protocol

from likewise._typing import Array
from likewise.solvers.kernels.halpern import HalpernStep, Iterates

BINDING = 1e-9  # a plane whose multiplier is smaller, in units of the typical cost, is left out


class WorkingDuals(NamedTuple):
    """The duals of a working set, one row per pair, as the compiled loops take them."""

    iterates: Iterates  # of one or two k-vectors
    # for projections: the multiplier of the image, and the log ratios where the last one ended;
    # no columns where steps project on nothing
    guess: Array
    active: Array  # where any of the iterates is not zero; the other pairs are only looked at
    a: Array
    b: Array
    bound: Array
    length: Array  # of the pair's step


class Planes(NamedTuple):
    """Planes alpha.p + beta.q <= bound, one for each of the pairs at ``which``."""

    which: Array
    alpha: Array
    beta: Array


class DualOps(Protocol):
    """Steps, support functions and planes of pairs under one divergence."""

    # how many k-vectors a pair has: one where D depends on P - Q alone, as beta = -alpha then
    ends: int
    projects: bool  # whether steps project on the fair pairs, each from where the last one ended
    largest_step: float  # length of a dual step that the norm of a pair's rows allows

    def dual_step(
        self, duals: WorkingDuals, reflected: Array, step: HalpernStep, shift: Array
    ) -> tuple[float, bool]:
        """One step of all pairs: the squared length of the move, in the step's norm, and whether
        the new duals were added to ``shift`` on the way.
        """
        ...

    def support_function(self, duals: WorkingDuals) -> float:
        """The most that the images can earn within the bounds, summed over the pairs."""
        ...

    def at_ends(self, image: Array) -> tuple[Array, Array]:
        """(alpha, beta): what the duals add to the costs of either end."""
        ...

    def from_ends(self, alpha: Array, beta: Array) -> Array:
        """The way back: one row per pair."""
        ...

    def planes(self, duals: WorkingDuals) -> list[Planes]:
        """Planes that hold for fair pairs and that the images name."""
        ...
