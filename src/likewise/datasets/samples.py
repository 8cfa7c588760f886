"""The paper's ten samples of each data set, and of other sizes."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from sklearn.utils import Bunch

from likewise._typing import Array
from likewise.datasets.catalog import DATA_SETS
from likewise.datasets.files import PathLike, find, folder_of
from likewise.datasets.loading import load
from likewise.errors import InvalidArgument

N_SAMPLES = 10  # of each data set, as the paper has them
SAMPLE_SIZE = 1000


@dataclass(frozen=True)
class Sample:
    """Scaled points and the integer codes of their two protected attributes."""

    X: Array
    groups: Array

    def first(self, n: int) -> "Sample":
        """The first n rows, as the paper's small experiments use them."""
        return Sample(self.X[:n], self.groups[:n])


def paper_samples(
    name: str, *, data_home: PathLike | None = None, download: bool = True
) -> list[Sample]:
    """The ten samples of 1000 rows the paper's experiments were run on.

    Ready ones (``samples_<name>.npz`` in the data folder) are taken as they are. Otherwise they are
    drawn from the raw file as its authors did: one legacy generator, seeded 0, shuffles all rows
    ten times, each time on top of the last order; a sample is the first 1000.
    """
    ready = _ready_file(name, data_home)
    raw_is_there = name in DATA_SETS and find(DATA_SETS[name], folder_of(data_home)) is not None
    if ready is not None and not raw_is_there:
        return ready_samples(ready)
    return shuffled_samples(load(name, data_home=data_home, download=download))


def _ready_file(name: str, data_home: PathLike | None) -> Path | None:
    """Where somebody kept samples under this name, if anybody did."""
    folder = folder_of(data_home)
    path = None if folder is None else folder / f"samples_{name}.npz"
    return path if path is not None and path.is_file() else None


def ready_samples(path: Path) -> list[Sample]:
    """Samples somebody kept: arrays X (samples, n, d) and groups (samples, n, attributes)."""
    with np.load(path, allow_pickle=False) as file:
        if not {"X", "groups"} <= set(file.files):
            raise InvalidArgument(str(path), "it has no arrays X and groups.", "Remove the file.")
        pairs = zip(file["X"], file["groups"], strict=True)
        return [Sample(np.asarray(X, dtype=np.float64), groups) for X, groups in pairs]


def shuffled_samples(bunch: Bunch, count: int = N_SAMPLES, size: int = SAMPLE_SIZE) -> list[Sample]:
    """The first rows of ever again shuffled data."""
    codes = np.column_stack(
        [np.unique(values, return_inverse=True)[1] for values in bunch.sensitive_features.values()]
    )
    random = np.random.RandomState(0)
    order = np.arange(len(bunch.data))
    samples = []
    for _ in range(count):
        places = list(range(len(order)))
        random.shuffle(places)  # the same numbers as numpy.random.seed(0) once
        order = order[places]
        samples.append(Sample(bunch.data[order[:size]], codes[order[:size]]))
    return samples


def by_size_sample(n: int, *, data_home: PathLike | None = None, download: bool = True) -> Sample:
    """The n credit cards behind the paper's running times (``samples_creditcard_by_size.npz`` in
    the data folder), or n others where they are not to be had.
    """
    ready = _ready_file("creditcard_by_size", data_home)
    if ready is not None:
        with np.load(ready, allow_pickle=False) as file:
            if f"X_{n}" in file.files:
                return Sample(np.asarray(file[f"X_{n}"], dtype=np.float64), file[f"groups_{n}"])
    bunch = load("creditcard", data_home=data_home, download=download)
    return shuffled_samples(bunch, count=1, size=n)[0]
