"""Runs that are killed, and runs on several cores: the same results."""

import multiprocessing
import os
import signal
import time

from support.cells import few_cells

from likewise.experiments.runner import run
from likewise.experiments.store import Store


def without_times(store, cells):
    def strip(value):
        if isinstance(value, dict):
            return {key: strip(inner) for key, inner in value.items() if key != "s"}
        return value

    return {cell.name: strip(store.result(cell)) for cell in cells}


def test_a_killed_run_ends_with_the_same_results(folder, tmp_path):
    """Killed for good, not asked to stop: at worst the cells in work are lost."""
    cells = few_cells()
    undisturbed = Store(tmp_path / "undisturbed")
    run(cells, undisturbed, folder, workers=1)
    disturbed = Store(tmp_path / "disturbed")
    kept = 0
    for wait_for in (1, 4):
        worker = multiprocessing.get_context("spawn").Process(
            target=run, args=(cells, disturbed, folder, 1)
        )
        worker.start()
        deadline = time.monotonic() + 120
        while sum(map(disturbed.has, cells)) < wait_for and time.monotonic() < deadline:
            time.sleep(0.02)
        os.kill(worker.pid, signal.SIGKILL)
        worker.join()
        now = sum(map(disturbed.has, cells))
        assert now >= max(wait_for, kept)
        kept = now
    done_before = []
    run(cells, disturbed, folder, workers=1, progress=lambda c, b: done_before.append(b))
    assert sum(done_before) == kept
    assert without_times(disturbed, cells) == without_times(undisturbed, cells)


def test_processes_give_the_same_as_one(folder, tmp_path):
    cells = few_cells(("bank",))[:3]
    one, two = Store(tmp_path / "one"), Store(tmp_path / "two")
    run(cells, one, folder, workers=1)
    run(cells, two, folder, workers=2)
    assert without_times(one, cells) == without_times(two, cells)
