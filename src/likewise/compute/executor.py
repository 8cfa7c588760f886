"""Where work over all pairs is done: in this process, or on the workers of a cluster.

What grows with the square of the number of points (looking for violated pairs, neighbours, the
largest distance, the certificate) is written as functions of parts of the data. An engine keeps the
parts and runs the functions; nobody else knows where. The parts that work is cut into never change
what comes out, to the last bit.
"""

from collections.abc import Callable
from itertools import pairwise
from typing import Any, Protocol

Work = Callable[..., Any]  # a function of a module: it must be found by name on other machines


class Engine(Protocol):
    """Keeps parts of the data and runs functions on them."""

    def parts(self, pairs: int) -> int:
        """Into how many parts work on so many pairs is best cut; 1: not at all."""
        ...

    def tiles(self, pairs: int) -> int:
        """The same for work on every part with every part."""
        ...

    def hold(self, parts: list[Any]) -> Any:
        """Parts to be kept where they are worked on; sent once."""
        ...

    def share(self, value: Any) -> Any:
        """One value that work on every part needs; sent once."""
        ...

    def over_parts(self, work: Work, held: Any, *values: Any) -> list[Any]:
        """work(part, *values) for each part, in order. Values are shared ones, or any others,
        which are then sent for this call."""
        ...

    def over_tiles(self, work: Work, join: Work, held: Any, others: Any, *values: Any) -> list[Any]:
        """For each part: join([work(part, its other, second part, its other, *values) over all
        second parts]), in order. ``others``, one for each part, are sent for this call."""
        ...


class LocalEngine:
    """This process, with all of its cores inside each function: one part is enough."""

    def parts(self, pairs: int) -> int:
        return 1

    def tiles(self, pairs: int) -> int:
        return 1

    def hold(self, parts: list[Any]) -> list[Any]:
        return parts

    def share(self, value: Any) -> Any:
        return value

    def over_parts(self, work: Work, held: list[Any], *values: Any) -> list[Any]:
        return [work(part, *values) for part in held]

    def over_tiles(
        self, work: Work, join: Work, held: list[Any], others: list[Any], *values: Any
    ) -> list[Any]:
        sides = list(zip(held, others, strict=True))
        return [join([work(*row, *column, *values) for column in sides]) for row in sides]


LOCAL = LocalEngine()


def cut(n: int, parts: int, grain: int = 1) -> list[tuple[int, int]]:
    """0..n in so many ranges at most, nearly equal ones that begin at multiples of ``grain``."""
    grains = -(-n // grain)
    parts = max(1, min(parts, grains))
    edges = [min(n, grain * (grains * part // parts)) for part in range(parts + 1)]
    return list(pairwise(edges))
