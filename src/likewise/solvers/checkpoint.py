"""The state of a run as arrays by name, and where it may be kept.

Every part of a run gives its own arrays and takes them back; names are joined by dots, so that a
part need not know what it is a part of.
"""

from collections.abc import Callable
from typing import Protocol

from likewise._typing import Array


class RunCheckpoint(Protocol):
    """Keeps the state of a run on some costs."""

    def state(self, cost: Array) -> dict[str, Array] | None:
        """What was kept of a run on these costs."""
        ...

    def offer(self, cost: Array, state: Callable[[], dict[str, Array]]) -> None:
        """Take the state of a run on these costs, if it is time to."""
        ...


class Resumable(Protocol):
    """A part of a run that can be put where another one was."""

    def arrays(self) -> dict[str, Array]:
        """All that the rest of the run depends on and that does not follow from the problem."""
        ...

    def restore(self, arrays: dict[str, Array]) -> None:
        """Go on from there."""
        ...


def named(name: str, arrays: dict[str, Array]) -> dict[str, Array]:
    """The arrays of a part, under the part's name."""
    return {f"{name}.{key}": array for key, array in arrays.items()}


def part(name: str, arrays: dict[str, Array]) -> dict[str, Array]:
    """The way back: the arrays of the part of that name, by their own names."""
    prefix = f"{name}."
    return {
        key.removeprefix(prefix): array for key, array in arrays.items() if key.startswith(prefix)
    }
