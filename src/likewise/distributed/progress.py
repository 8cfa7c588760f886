"""How far a step on the cluster is: tasks done, workers, time left."""

import sys
import time

from distributed import Client

SILENT = 2.0  # seconds: steps this short say nothing
EVERY = 1.0  # seconds between two lines


class Progress:
    """Writes a line now and then while a step takes long."""

    def __init__(self, name: str, total: int, client: Client, verbose: int) -> None:
        self.name = name.strip("_").replace("_", " ")
        self.total = total
        self.client = client
        self.verbose = verbose
        self._started = time.monotonic()
        self._next = self._started + SILENT

    def done(self, count: int) -> None:
        """So far, ``count`` of the tasks are done."""
        now = time.monotonic()
        if not self.verbose or now < self._next:
            return
        self._next = now + EVERY
        left = (now - self._started) / count * (self.total - count)
        workers = len(self.client.nthreads())
        print(
            f"  {self.name}: {count} of {self.total} parts, {workers} workers, {left:.0f} s left",
            file=sys.stderr,
            flush=True,
        )
