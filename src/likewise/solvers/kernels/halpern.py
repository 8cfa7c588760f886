"""Reflected Halpern iteration: what every block of variables does with its plain step.

With T the plain primal-dual step and x_0, the anchor, where the average last started, s steps ago:

    x  <-  keep (2 T(x) - x) + back x_0        keep = (s + 1) / (s + 2),  back = 1 / (s + 2)

The distributions and each block of duals keep the same three arrays for it, and step with the same
three numbers.
"""

from typing import NamedTuple

from likewise._typing import Array
from likewise.compute.jit import compiled


class Iterates(NamedTuple):
    """Where one block of variables stands."""

    current: Array  # x, the average
    anchor: Array  # x_0, where the average started
    image: Array  # T(x), the plain step: what answers and bounds are made of

    @staticmethod
    def at(start: Array) -> "Iterates":
        """All three at ``start``."""
        return Iterates(start, start.copy(), start.copy())

    def restart(self) -> None:
        """A new average, from the plain step."""
        self.current[:] = self.anchor[:] = self.image

    def restart_at(self, start: Array) -> None:
        """A new average, from ``start``."""
        self.image[:] = start
        self.restart()

    def restore(self, arrays: dict[str, Array]) -> None:
        """Take the values of a checkpoint: arrays by the names of the three."""
        for name, values in self._asdict().items():
            values[:] = arrays[name]


class HalpernStep(NamedTuple):
    """The numbers of one step, the same for all blocks."""

    weight: float  # dual steps are multiplied by it, primal steps divided
    keep: float
    back: float

    @staticmethod
    def after(steps: int, weight: float) -> "HalpernStep":
        """The step that follows ``steps`` others since the last restart."""
        return HalpernStep(weight, (steps + 1) / (steps + 2), 1 / (steps + 2))


@compiled
def averaged(image, move, anchor, step):
    """One entry of the new average; ``image`` is T(x) and ``move`` is T(x) - x."""
    return step.keep * (image + move) + step.back * anchor
