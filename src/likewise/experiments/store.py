"""Results of cells, one JSON file each, written whole or not at all."""

import json
from pathlib import Path
from typing import Any

from likewise import __version__
from likewise.experiments.plan import Cell
from likewise.io.atomic import write_atomically


class Store:
    """A folder of finished cells; whatever is in it need not be computed again."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def has(self, cell: Cell) -> bool:
        return self._read(cell) is not None

    def result(self, cell: Cell) -> dict[str, Any]:
        found = self._read(cell)
        if found is None:
            raise KeyError(cell.name)
        return found["result"]

    def keep(self, cell: Cell, result: dict[str, Any], seconds: float) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
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
        return sum(each["seconds"] for each in found if each is not None)

    def _path(self, cell: Cell) -> Path:
        return self.folder / f"{cell.name}.json"

    def _read(self, cell: Cell) -> dict[str, Any] | None:
        """What was kept of this very cell by this very version."""
        try:
            found = json.loads(self._path(cell).read_text())
        except (OSError, ValueError):
            return None
        fits = found.get("cell") == cell.as_dict() and found.get("version") == __version__
        return found if fits else None
