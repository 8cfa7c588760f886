"""Results of cells, one JSON file each, written whole or not at all."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from likewise import __version__
from likewise.experiments.plan import Cell
from likewise.io.atomic import write_atomically

# of each algorithm, its quantities: numbers, and the curve of soft k-means as rows of numbers
Quantity: TypeAlias = float | list[list[float]]
CellResult: TypeAlias = dict[str, dict[str, Quantity]]


@dataclass(frozen=True)
class Kept:
    """What a file holds: the result of a cell, and how long it took."""

    result: CellResult
    seconds: float


class Store:
    """A folder of finished cells; whatever is in it need not be computed again."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def has(self, cell: Cell) -> bool:
        """Whether it is finished."""
        return self._read(cell) is not None

    def result(self, cell: Cell) -> CellResult:
        """Of a finished cell; a KeyError for others."""
        kept = self._read(cell)
        if kept is None:
            raise KeyError(cell.name)
        return kept.result

    def keep(self, cell: Cell, result: CellResult, seconds: float) -> None:
        """Write a finished cell."""
        record = {
            "cell": cell.as_dict(),
            "version": __version__,
            "seconds": seconds,
            "result": result,
        }
        write_atomically(self._path(cell), json.dumps(record, indent=1).encode() + b"\n")

    def seconds(self, cells: list[Cell]) -> float:
        """What the cells took together."""
        found = [self._read(cell) for cell in cells]
        return sum(kept.seconds for kept in found if kept is not None)

    def _path(self, cell: Cell) -> Path:
        return self.folder / f"{cell.name}.json"

    def _read(self, cell: Cell) -> Kept | None:
        """What was kept of this very cell by this very version."""
        try:
            found = json.loads(self._path(cell).read_text())
            if found["cell"] == cell.as_dict() and found["version"] == __version__:
                return Kept(found["result"], found["seconds"])
        except (OSError, ValueError, KeyError, TypeError):  # absent, cut off, or another's file
            pass
        return None
