"""The results of all cells as one table, and the numbers that tables and figures are made of."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from likewise._typing import Array
from likewise.experiments.plan import LARGE, SMALL, Cell
from likewise.experiments.store import CellResult, Store
from likewise.io.tables import write_table


def number(result: CellResult, algorithm: str, quantity: str) -> float:
    """One number of a cell."""
    value = result[algorithm][quantity]
    if isinstance(value, list):
        raise TypeError(f"{quantity} of {algorithm} is a curve")
    return value


def curve(result: CellResult) -> Array:
    """Soft k-means along beta: one row (beta, mean cost, share of pairs violated) for each."""
    return np.array(result["SKM"]["curve"])


@dataclass(frozen=True)
class Results:
    """Finished cells, looked up by what they are of."""

    found: dict[Cell, CellResult]

    @classmethod
    def of(cls, cells: list[Cell], store: Store) -> "Results":
        """Those of these cells that are finished."""
        return cls({cell: store.result(cell) for cell in cells if store.has(cell)})

    def cells(self, *kinds: str, **wanted: object) -> Iterator[tuple[Cell, CellResult]]:
        """Cells of these kinds with these properties, in the order of k."""
        for cell, result in sorted(self.found.items(), key=lambda item: (item[0].k, item[0].n)):
            if cell.kind in kinds and all(getattr(cell, key) == at for key, at in wanted.items()):
                yield cell, result

    def values(self, names: tuple[str, str], *kinds: str, **wanted: object) -> dict[int, float]:
        """One number of each cell, by k; over several samples their mean."""
        gathered = self.all_values(names, *kinds, **wanted)
        return {k: float(np.mean(values)) for k, values in gathered.items()}

    def all_values(
        self, names: tuple[str, str], *kinds: str, **wanted: object
    ) -> dict[int, list[float]]:
        """The same number of all cells, by k."""
        gathered: dict[int, list[float]] = {}
        for cell, result in self.cells(*kinds, **wanted):
            if names[0] in result:
                gathered.setdefault(cell.k, []).append(number(result, *names))
        return dict(sorted(gathered.items()))

    def large(self, names: tuple[str, str], dataset: str, similarity: str) -> dict[int, float]:
        """One number of the clusterings of a whole sample, by k (n = 1000)."""
        return self._clusterings(names, dataset, similarity, LARGE)

    def _clusterings(
        self, names: tuple[str, str], dataset: str, similarity: str, n: int
    ) -> dict[int, float]:
        return self.values(names, "clusterings", dataset=dataset, similarity=similarity, n=n)

    def _bounds(self, which: str, dataset: str, similarity: str) -> dict[int, float]:
        """OPT-IF or OPT-CF (n = 80)."""
        at = dict(dataset=dataset, similarity=similarity, n=SMALL)
        return self.values((f"OPT-{which}", "mean_cost"), f"bound-{which.lower()}", **at)

    @property
    def datasets(self) -> list[str]:
        """Those that anything but the running time was measured on."""
        return list(dict.fromkeys(cell.dataset for cell in self.found if cell.kind != "time"))

    def seconds(self) -> dict[int, float]:
        """Running time of ALG-IF, by n."""
        return {cell.n: number(result, "ALG-IF", "s") for cell, result in self.cells("time")}

    def ratios(self, which: str, dataset: str, similarity: str) -> dict[int, float]:
        """Cost of ALG-IF or ALG-CF over its lower bound, in L_2, by k (n = 80)."""
        ours = self._clusterings((f"ALG-{which}", "mean_cost"), dataset, similarity, SMALL)
        bound = self._bounds(which, dataset, similarity)
        return {k: (ours[k] / bound[k]) ** 0.5 for k in ours if k in bound}

    def prices(self, which: str, dataset: str, similarity: str) -> dict[int, float]:
        """Cost of OPT-IF or OPT-CF over that of hard k-means, in L_2, by k (n = 80)."""
        hard = self._clusterings(("HKM", "mean_cost"), dataset, similarity, SMALL)
        bound = self._bounds(which, dataset, similarity)
        return {k: (bound[k] / hard[k]) ** 0.5 for k in bound if k in hard}

    def write_parquet(self, path: Path) -> None:
        """One row for each number: cell, algorithm, quantity, value."""
        rows = [
            cell.as_dict() | {"algorithm": algorithm, "quantity": quantity, "value": float(value)}
            for cell, result in self.found.items()
            for algorithm, numbers in result.items()
            for quantity, value in numbers.items()
            if isinstance(value, int | float)
        ]
        write_table(rows, path)
