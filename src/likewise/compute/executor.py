"""Where work over all pairs is done: in this process, or on the workers of a cluster.

What grows with the square of the number of points (looking for violated pairs, neighbours, the
largest distance, the certificate) is written as functions of parts of the data. An executor places
the parts and runs the functions; nobody else knows where. The parts that work is cut into never
change what comes out, to the last bit.

The functions are functions of a module: they must be found by name on other machines.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Generic, Protocol, TypeVar, runtime_checkable

Value = TypeVar("Value")
Value_co = TypeVar("Value_co", covariant=True)
Result = TypeVar("Result")
Tile = TypeVar("Tile")


class Placed(Generic[Value_co]):
    """Values that are kept where they are worked on; in this process they simply are."""

    def __init__(self, values: Sequence[Value_co]) -> None:
        self.values = values


@runtime_checkable
class Executor(Protocol):
    """Places parts of the data and runs functions on them."""

    def parts(self, pairs: int) -> int:
        """Into how many parts work on this number of pairs is best cut; 1: not at all."""
        ...

    def tiles(self, pairs: int) -> int:
        """The same for work on every part with every part."""
        ...

    def scatter(self, parts: Sequence[Value]) -> Placed[Value]:
        """Parts to be kept where they are worked on, each in one place; sent once."""
        ...

    def broadcast(self, value: Value) -> Placed[Value]:
        """One value that work on every part needs, everywhere; sent once."""
        ...

    def map_parts(
        self, work: Callable[..., Result], parts: Placed[Value], *values: object
    ) -> list[Result]:
        """work(part, *values) for each part, in order. Values are broadcast ones, or any others,
        which are then sent for this call.
        """
        ...

    def map_tiles(
        self,
        work: Callable[..., Tile],
        join: Callable[[list[Tile]], Result],
        parts: Placed[Value],
        others: Sequence[object],
        *values: object,
    ) -> list[Result]:
        """For each part: join([work(part, its other, second part, its other, *values) over all
        second parts]), in order. ``others``, one for each part, are sent for this call.
        """
        ...


class LocalExecutor:
    """This process, with all of its cores inside each function: one part is enough."""

    def parts(self, pairs: int) -> int:
        return 1

    def tiles(self, pairs: int) -> int:
        return 1

    def scatter(self, parts: Sequence[Value]) -> Placed[Value]:
        return Placed(parts)

    def broadcast(self, value: Value) -> Placed[Value]:
        return Placed([value])

    def map_parts(
        self, work: Callable[..., Result], parts: Placed[Value], *values: object
    ) -> list[Result]:
        own = [_original(value) for value in values]
        return [work(part, *own) for part in parts.values]

    def map_tiles(
        self,
        work: Callable[..., Tile],
        join: Callable[[list[Tile]], Result],
        parts: Placed[Value],
        others: Sequence[object],
        *values: object,
    ) -> list[Result]:
        own = [_original(value) for value in values]
        sides = list(zip(parts.values, others, strict=True))
        return [join([work(*row, *column, *own) for column in sides]) for row in sides]


LOCAL = LocalExecutor()


def _original(value: object) -> object:
    """What was broadcast, as it is here."""
    return value.values[0] if isinstance(value, Placed) else value


def cut(n: int, parts: int, grain: int = 1) -> list[tuple[int, int]]:
    """0..n in at most this number of ranges, nearly equal ones that begin at multiples of
    ``grain``.
    """
    grains = -(-n // grain)
    parts = max(1, min(parts, grains))
    edges = [min(n, grain * (grains * part // parts)) for part in range(parts + 1)]
    return list(pairwise(edges))
