"""Worker processes: their share of the cores, and their end with the process that began them."""

import multiprocessing
import os
import threading
from concurrent.futures import ProcessPoolExecutor
from multiprocessing.connection import wait

from likewise.compute.threads import n_cores, use_cores


def process_pool(workers: int) -> ProcessPoolExecutor:
    """A pool whose workers share the cores. Each is an interpreter of its own: threads that a fork
    would cut off are nobody's then.
    """
    return ProcessPoolExecutor(
        workers,
        mp_context=multiprocessing.get_context("spawn"),
        initializer=_begin,
        initargs=(max(1, n_cores() // workers),),
    )


def _begin(cores: int) -> None:
    use_cores(cores)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """A parent that is killed tells nobody, and workers of a pool would wait for it for ever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
