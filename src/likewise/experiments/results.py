"""The results of all cells as one table, and the numbers that tables and figures are made of."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from likewise.experiments.plan import SMALL, Cell
from likewise.experiments.store import Store
from likewise.io.tables import write_table


@dataclass(frozen=True)
class Results:
    """Finished cells, looked up by what they are of."""

    found: dict[Cell, dict[str, Any]]

    @classmethod
    def of(cls, cells: list[Cell], store: Store) -> "Results":
        return cls({cell: store.result(cell) for cell in cells if store.has(cell)})

    def cells(self, *kinds: str, **wanted: Any) -> Iterator[tuple[Cell, dict[str, Any]]]:
        """Cells of these kinds with these properties, in the order of k."""
        for cell, result in sorted(self.found.items(), key=lambda item: (item[0].k, item[0].n)):
            if cell.kind in kinds and all(getattr(cell, key) == at for key, at in wanted.items()):
                yield cell, result

    def values(self, names: tuple[str, str], *kinds: str, **wanted: Any) -> dict[int, float]:
        """One number of each cell, by k; over several samples their mean."""
        gathered = self.all_values(names, *kinds, **wanted)
        return {k: float(np.mean(values)) for k, values in gathered.items()}

    def all_values(self, names: tuple[str, str], *kinds: str, **wanted: Any) -> dict:
        """The same number of all cells, by k."""
        gathered: dict[int, list[float]] = {}
        for cell, result in self.cells(*kinds, **wanted):
            if names[0] in result:
                gathered.setdefault(cell.k, []).append(result[names[0]][names[1]])
        return dict(sorted(gathered.items()))

    @property
    def datasets(self) -> list[str]:
        return list(dict.fromkeys(cell.dataset for cell in self.found if cell.kind != "time"))

    def ratios(self, which: str, dataset: str, similarity: str) -> dict[int, float]:
        """Cost of ALG-IF or ALG-CF over its lower bound, in L_2, by k (n = 80)."""
        at = dict(dataset=dataset, similarity=similarity, n=SMALL)
        ours = self.values((f"ALG-{which}", "mean_cost"), "clusterings", **at)
        bound = self.values((f"OPT-{which}", "mean_cost"), f"bound-{which.lower()}", **at)
        return {k: (ours[k] / bound[k]) ** 0.5 for k in ours if k in bound}

    def prices(self, which: str, dataset: str, similarity: str) -> dict[int, float]:
        """Cost of OPT-IF or OPT-CF over that of hard k-means, in L_2, by k (n = 80)."""
        at = dict(dataset=dataset, similarity=similarity, n=SMALL)
        hard = self.values(("HKM", "mean_cost"), "clusterings", **at)
        bound = self.values((f"OPT-{which}", "mean_cost"), f"bound-{which.lower()}", **at)
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
