"""A limit on how many centres are opened, in fractions: x_jc <= y_c for all j, sum_c y_c <= limit.

With every point a possible centre this is the lower-bound program of the paper. Its multipliers
w_jc >= 0 add to the costs, and the best y earns the ``limit`` largest sums of them over a centre.
"""

import numpy as np

from likewise._typing import Array
from likewise.compute import threads
from likewise.compute.threads import over_ranges
from likewise.solvers.checkpoint import named, part
from likewise.solvers.first_order import kernels
from likewise.solvers.kernels.halpern import HalpernStep, Iterates


class OpeningDuals:
    """Multipliers w of x <= y, and the openings y themselves; nothing where there is no limit."""

    def __init__(self, n_points: int, n_centers: int, limit: int | None) -> None:
        self.limit = limit
        shape = (n_points, n_centers) if limit is not None else (0, 0)
        self.iterates = Iterates.at(np.zeros(shape))
        self.openings = Iterates.at(np.full(shape[1], 0.0 if limit is None else limit / n_centers))

    @property
    def _n_points(self) -> int:
        return len(self.iterates.current)

    @property
    def _inverse_step_of_openings(self) -> float:
        return float(self._n_points)  # each y_c is in one row per point

    def inverse_step(self, of_others: Array) -> Array:
        return of_others if self.limit is None else of_others + 1.0  # one row per centre

    def add_cost_shift(self, duals: Array, shift: Array) -> None:
        if self.limit is not None:
            shift += duals

    def step(self, reflected: Array, step: HalpernStep, shift: Array) -> float:
        """One step of y, then of w."""
        if self.limit is None:
            return 0.0
        moved, opened = self._step_openings(self.limit, step)
        parts = over_ranges(
            kernels.opening_step, self._n_points, self.iterates, reflected, opened, step, shift,
            grain=max(1, threads.GRAIN // len(opened)),
        )  # fmt: skip
        return moved + float(sum(parts))

    def _step_openings(self, limit: int, step: HalpernStep) -> tuple[float, Array]:
        """The squared length of the move of y, in the step's norm, and y reflected."""
        y = self.openings
        inverse = self._inverse_step_of_openings * step.weight
        image = kernels.project_openings(
            y.current + self.iterates.current.sum(axis=0) / inverse, limit
        )
        move = image - y.current
        reflected = image + move
        y.image[:] = image
        y.current[:] = step.keep * reflected + step.back * y.anchor
        return inverse * float(move @ move), reflected

    def support_function(self) -> float:
        """The best that openings can earn."""
        if self.limit is None:
            return 0.0
        return float(np.sort(self.iterates.image.sum(axis=0))[-self.limit :].sum())

    def moved(self) -> tuple[float, float]:
        of_y = np.linalg.norm(self.openings.image - self.openings.anchor)
        of_w = np.linalg.norm(self.iterates.image - self.iterates.anchor)
        return (
            float(np.sqrt(self._inverse_step_of_openings) * of_y),
            float(of_w / np.sqrt(kernels.OPENING_STEP)),
        )

    def restart(self) -> None:
        self.iterates.restart()
        self.openings.restart()

    def arrays(self) -> dict[str, Array]:
        return self.iterates._asdict() | named("openings", self.openings._asdict())

    def restore(self, arrays: dict[str, Array]) -> None:
        self.iterates.restore(arrays)
        self.openings.restore(part("openings", arrays))
