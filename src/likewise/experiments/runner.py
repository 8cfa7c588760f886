"""Runs cells on all cores, keeps each as soon as it is done, goes on where it was stopped."""

import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, wait
from pathlib import Path

from likewise.compute.processes import process_pool
from likewise.compute.threads import n_cores
from likewise.datasets.files import PathLike
from likewise.experiments.cells import compute
from likewise.experiments.plan import Cell
from likewise.experiments.store import Store

Progress = Callable[[Cell, bool], None]  # a cell that is done, and whether it was done before


def run(
    cells: list[Cell],
    store: Store,
    data_home: PathLike | None = None,
    workers: int | None = None,
    progress: Progress = lambda cell, before: None,
) -> None:
    """Compute whatever the store does not have. Cells that measure time run alone, at the end."""
    for cell in cells:
        if store.has(cell):
            progress(cell, True)
    left = [cell for cell in cells if not store.has(cell)]
    together = [cell for cell in left if cell.kind != "time"]
    workers = min(workers or n_cores(), len(together))
    if workers > 1:
        _in_processes(together, store, data_home, workers, progress)
    else:
        _one_by_one(together, store, data_home, progress)
    _one_by_one([cell for cell in left if cell.kind == "time"], store, data_home, progress)


def _one_by_one(
    cells: list[Cell], store: Store, data_home: PathLike | None, progress: Progress
) -> None:
    for cell in cells:
        run_cell(cell, store.folder, data_home)
        progress(cell, False)


def _in_processes(
    cells: list[Cell], store: Store, data_home: PathLike | None, workers: int, progress: Progress
) -> None:
    with process_pool(workers) as pool:
        waiting: dict[Future[None], Cell] = {
            pool.submit(run_cell, cell, store.folder, data_home): cell for cell in cells
        }
        try:
            while waiting:
                for done in wait(waiting, return_when=FIRST_COMPLETED).done:
                    cell = waiting.pop(done)
                    done.result()
                    progress(cell, False)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def run_cell(cell: Cell, folder: Path, data_home: PathLike | None) -> None:
    """Compute one cell and keep it; in a process of its own or not."""
    started = time.perf_counter()
    result = compute(cell, data_home)
    Store(folder).keep(cell, result, time.perf_counter() - started)
