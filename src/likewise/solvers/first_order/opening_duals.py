"""A limit on how many centres are opened, in fractions: x_jc <= y_c for all j, sum_c y_c <= limit.

With every point a possible centre this is the lower-bound program of the paper. Its multipliers
w_jc >= 0 add to the costs, and the best y earns the ``limit`` largest sums of them over a centre.
"""

import numpy as np

from likewise._typing import Array
from likewise.compute import threads
from likewise.compute.threads import over_ranges
from likewise.solvers.first_order import kernels


class OpeningDuals:
    """Multipliers w of x <= y, and the openings y themselves."""

    def __init__(self, n_points: int, n_centers: int, limit: int | None) -> None:
        self.limit = limit
        shape = (n_points, n_centers) if limit is not None else (0, 0)
        self.w = np.zeros(shape)
        self.anchor, self.image = self.w.copy(), self.w.copy()
        self.y = np.full(shape[1], 0.0 if limit is None else limit / n_centers)
        self.y_anchor, self.y_image = self.y.copy(), self.y.copy()

    @property
    def _y_load(self) -> float:
        return float(len(self.w))

    def load(self, of_others: Array) -> Array:
        """What the points' steps are divided by, with these rows added: one row a centre."""
        return of_others if self.limit is None else of_others + 1.0

    def add_pull(self, w: Array, pull: Array) -> None:
        if self.limit is not None:
            pull += w

    def step(self, reflected: Array, weight: float, keep: float, back: float, pull: Array) -> float:
        """One step of y, then of w; adds w to ``pull``."""
        if self.limit is None:
            return 0.0
        load = self._y_load * weight
        y = kernels.within_limit(self.y + self.w.sum(axis=0) / load, self.limit)
        move = y - self.y
        moved = load * float(move @ move)
        self.y_image = y
        opened = y + move
        self.y = keep * opened + back * self.y_anchor
        moved += sum(
            over_ranges(
                kernels.opening_step, len(self.w), self.w, self.anchor, self.image, reflected,
                opened, 0.5 * weight, keep, back, pull, grain=max(1, threads.GRAIN // len(y)),
            )
        )  # fmt: skip
        return moved

    def price(self) -> float:
        """What the lower bound pays for the image: the best that openings can earn."""
        if self.limit is None:
            return 0.0
        return float(np.sort(self.image.sum(axis=0))[-self.limit :].sum())

    def moved(self) -> tuple[float, float]:
        """How far the images of y and of w are from their anchors, in the step's norm."""
        of_y = np.sqrt(self._y_load) * np.linalg.norm(self.y_image - self.y_anchor)
        return float(of_y), float(np.linalg.norm(self.image - self.anchor) / np.sqrt(0.5))

    def to_image(self) -> None:
        self.w[:] = self.anchor[:] = self.image
        self.y, self.y_anchor = self.y_image.copy(), self.y_image.copy()
