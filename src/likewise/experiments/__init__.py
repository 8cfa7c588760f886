"""The paper's experiments: ``reproduce`` runs them all, and writes tables and figures.

plan (which runs there are) -> cells (what a run computes) -> runner and store (in parallel, kept
as they finish) -> results -> claims, figures, writing.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from likewise.datasets import catalog, files
from likewise.datasets.files import PathLike
from likewise.errors import DataNotFound, InvalidArgument, require_extra
from likewise.experiments import plan
from likewise.experiments.figures import draw_all
from likewise.experiments.results import Results
from likewise.experiments.runner import Progress, run
from likewise.experiments.store import Store
from likewise.experiments.writing import write_reproduction

__all__ = ["Reproduction", "reproduce"]


@dataclass(frozen=True)
class Reproduction:
    """Where everything was put, and what could not be run."""

    document: Path
    results: Results
    skipped: dict[str, str]  # data sets that are not to be had, and why


def available_datasets(
    names: tuple[str, ...], data_home: PathLike | None
) -> tuple[list[str], dict[str, str]]:
    """Data sets that can be read, and the others with the reason."""
    from likewise.datasets import paper_samples

    there, skipped = [], {}
    for name in names:
        try:
            paper_samples(name, data_home=data_home)
            there.append(name)
        except DataNotFound as problem:
            skipped[name] = str(problem)
    return there, skipped


def reproduce(
    out: PathLike,
    *,
    quick: bool = False,
    data_home: PathLike | None = None,
    datasets: Iterable[str] | None = None,
    workers: int | None = None,
    started: Callable[[list[plan.Cell]], None] = lambda cells: None,
    progress: Progress = lambda cell, before: None,
) -> Reproduction:
    """Run the paper's experiments into the folder ``out``; finished cells found there are kept.

    ``started`` is called with the cells there will be, ``progress`` with each one that is done.
    """
    for extra in ("datasets", "plots", "transport"):
        require_extra(extra, "reproduce")
    names = tuple(datasets or plan.DATA_SETS)
    unknown = [name for name in names if name not in catalog.DATA_SETS]
    if unknown:
        valid = ", ".join(catalog.DATA_SETS)
        raise InvalidArgument("datasets", f"{unknown[0]!r} is not known.", f"Use some of {valid}.")
    files.folder_of(data_home)  # a folder that is not there is an error, not a reason to download
    there, skipped = available_datasets(names, data_home)
    if not there:
        raise DataNotFound("\n".join(skipped.values()))
    cells = (plan.quick if quick else plan.full)(tuple(there))
    started(cells)
    folder = Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    store = Store(folder / "cells")
    run(cells, store, data_home, workers, progress)
    results = Results.of(cells, store)
    results.write_parquet(folder / "results.parquet")
    figures = draw_all(results, folder / "figures")
    document = folder / "REPRODUCTION.md"
    write_reproduction(results, figures, document, store.seconds(cells))
    return Reproduction(document, results, skipped)
