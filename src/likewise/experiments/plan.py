"""Which runs the reproduction consists of: small cells, each of them a file when it is done."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Literal

from likewise.datasets import catalog
from likewise.datasets.samples import N_SAMPLES

DATA_SETS = tuple(catalog.DATA_SETS)
SIMILARITIES = ("global", "local")
CLUSTERS = (2, 3, 4, 5, 6, 7, 8, 9, 10)
TABLE_CLUSTERS = (4, 6, 8, 10)
OTHER_SEEDS = (1, 2, 3, 4)  # k-means run again: how much of the first table is its luck
SMALL, LARGE = 80, 1000  # points: where lower bounds can be had, and of a whole sample
SIZES = (500, 1000, 2000, 3000, 4000)  # points of the runs whose time is measured
TIME_NEIGHBORS = 250  # the paper's m in these; n / 4 elsewhere, which is the same at n = 1000

Kind = Literal["clusterings", "individual", "bound-if", "bound-cf", "time"]
# seconds a cell takes, roughly, at k = 10: the long ones go first so that no core idles at the end
_WEIGHT = {"bound-cf": 20.0, "bound-if": 15.0, "clusterings": 10.0, "individual": 3.0, "time": 8.0}


@dataclass(frozen=True)
class Cell:
    """One run: what is computed, on which rows, with how many centres, under which similarity."""

    kind: Kind
    dataset: str
    similarity: str
    n: int
    k: int
    sample: int = 0
    seed: int = 0  # of k-means

    @property
    def name(self) -> str:
        """Of its file."""
        parts = (self.kind, self.dataset, self.similarity, f"n{self.n}", f"k{self.k}")
        return "-".join((*parts, f"s{self.sample}", *([f"seed{self.seed}"] if self.seed else [])))

    @property
    def n_neighbors(self) -> int:
        """The paper's m for the global similarity, and floor(n / k) for the local one."""
        if self.similarity == "local":
            return self.n // self.k
        return TIME_NEIGHBORS if self.kind == "time" else self.n // 4

    @property
    def weight(self) -> float:
        """About how long it takes, compared with others."""
        usual = SMALL if "bound" in self.kind else LARGE
        return _WEIGHT[self.kind] * self.k / 10 * (self.n / usual)

    def as_dict(self) -> dict[str, str | int]:
        """For its file."""
        return asdict(self)


def full(datasets: tuple[str, ...] = DATA_SETS) -> list[Cell]:
    """Everything the paper shows, k = 2 to 10, and its first table on all ten samples."""
    cells = list(_small(datasets, CLUSTERS))
    for dataset in datasets:
        for similarity in SIMILARITIES:
            cells += [Cell("clusterings", dataset, similarity, LARGE, k) for k in CLUSTERS]
            cells += [
                Cell("individual", dataset, similarity, LARGE, k, sample)
                for k in TABLE_CLUSTERS
                for sample in range(1, N_SAMPLES)
            ]
        cells += [
            Cell("individual", dataset, "global", LARGE, k, seed=seed)
            for k in TABLE_CLUSTERS
            for seed in OTHER_SEEDS
        ]
    return _ordered(cells) + _times(datasets, SIZES)


def quick(datasets: tuple[str, ...] = DATA_SETS) -> list[Cell]:
    """The n = 80 cells at every other k, and one of n = 1000 for each data set."""
    cells = list(_small(datasets, (2, 4, 6)))
    cells += [Cell("clusterings", dataset, "global", LARGE, 4) for dataset in datasets]
    return _ordered(cells) + _times(datasets, SIZES[:2])


def _small(datasets: tuple[str, ...], clusters: tuple[int, ...]) -> Iterator[Cell]:
    kinds: tuple[Kind, ...] = ("clusterings", "bound-if", "bound-cf")
    for kind in kinds:
        for dataset in datasets:
            for similarity in SIMILARITIES:
                for k in clusters:
                    yield Cell(kind, dataset, similarity, SMALL, k)


def _ordered(cells: list[Cell]) -> list[Cell]:
    return sorted(cells, key=lambda cell: -cell.weight)


def _times(datasets: tuple[str, ...], sizes: tuple[int, ...]) -> list[Cell]:
    """How time grows with n; last, because they are run alone."""
    if "creditcard" not in datasets:
        return []
    return [Cell("time", "creditcard", "global", n, 4) for n in sizes]
