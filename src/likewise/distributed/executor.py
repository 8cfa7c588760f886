"""The engine that runs on the workers of a Dask cluster.

Parts are sent once and stay; a call sends what is new (the distributions) and gets back what is
found, bounded for each point. A worker that dies costs the tasks it had: Dask gives them to others,
and where data was lost with it, it is sent again and what was not finished is done again.
"""

import math
import os
import platform
from collections.abc import Callable
from typing import Any

from distributed import Client, KilledWorker, as_completed
from distributed.comm import CommClosedError

from likewise.compute.executor import LOCAL, Work
from likewise.compute.threads import use_cores
from likewise.distributed.progress import Progress
from likewise.distributed.transfer import Kept
from likewise.errors import SolverError

SPREAD_PAIRS = 2_000_000  # fewer are looked at here before anything would have arrived there
TASKS_PER_THREAD = 4  # so that none waits long for the last
PAIRS_A_TASK = 2_000_000_000  # some ten seconds: what a lost worker costs
ATTEMPTS = 10  # at a call, each after losing data or workers


class DaskEngine:
    """Runs functions of parts on the workers of a client."""

    def __init__(self, client: Client, least_pairs: int = SPREAD_PAIRS, verbose: int = 0) -> None:
        self.client = client
        self.least_pairs = least_pairs
        self.verbose = verbose

    @property
    def n_threads(self) -> int:
        return max(1, sum(self.client.nthreads().values()))

    def parts(self, pairs: int) -> int:
        if pairs < self.least_pairs:
            return 1
        return max(TASKS_PER_THREAD * self.n_threads, pairs // PAIRS_A_TASK)

    def tiles(self, pairs: int) -> int:
        return math.isqrt(self.parts(pairs) - 1) + 1

    def hold(self, parts: list[Any]) -> Kept:
        return Kept(parts)

    def share(self, value: Any) -> Kept:
        return Kept([value], everywhere=True)

    def over_parts(self, work: Work, held: Kept, *values: Any) -> list[Any]:
        if len(held.values) == 1:
            return LOCAL.over_parts(work, held.values, *map(_original, values))
        shared = [_kept(value) for value in values]

        def submit(which: list[int]) -> list[Any]:
            parts = held.on(self.client)
            common = [each.on(self.client)[0] for each in shared]
            return [self._submit(work, parts[i], *common) for i in which]

        return self.all_of(submit, len(held.values), [held, *shared], work.__name__)

    def over_tiles(
        self, work: Work, join: Work, held: Kept, others: list[Any], *values: Any
    ) -> list[Any]:
        if len(held.values) == 1:
            originals = map(_original, values)
            return LOCAL.over_tiles(work, join, held.values, others, *originals)
        shared, paired = [_kept(value) for value in values], Kept(others)

        def submit(which: list[int]) -> list[Any]:
            parts, others = held.on(self.client), paired.on(self.client)
            common = [each.on(self.client)[0] for each in shared]
            sides = list(zip(parts, others, strict=True))
            return [
                self._submit(
                    join,
                    [self._submit(work, *sides[i], *column, *common) for column in sides],
                )
                for i in which
            ]

        return self.all_of(submit, len(others), [held, paired, *shared], work.__name__)

    def _submit(self, work: Work, *arguments: Any) -> Any:
        # pure=False: no hashing of arguments, and nothing remembered from another call
        here = _this_process()
        return self.client.submit(_on_worker, here, work, *arguments, pure=False)

    def all_of(
        self,
        submit: Callable[[list[int]], list[Any]],
        count: int,
        kept: list[Kept],
        name: str,
    ) -> list[Any]:
        """The results of tasks 0..count, whatever happens to workers meanwhile."""
        results: dict[int, Any] = {}
        progress = Progress(name, count, self.client, self.verbose)
        for _ in range(ATTEMPTS):
            left = [i for i in range(count) if i not in results]
            failure: BaseException | None = None
            try:
                futures = dict(zip(submit(left), left, strict=True))
                arriving = as_completed(
                    futures, loop=self.client.loop, with_results=True, raise_errors=False
                )
                for future, result in arriving:
                    if future.status == "finished":
                        results[futures[future]] = result
                        progress.done(len(results))
                    elif future.status == "error" and not _is_loss(future.exception()):
                        failure = future.exception()
                        break
            except (CommClosedError, TimeoutError, OSError):
                pass  # the connection to a worker, or to all of them
            if failure is not None:
                raise failure  # of the work itself
            if len(results) == count:
                return [results[i] for i in range(count)]
            for each in kept:
                each.forget()
        raise SolverError(
            f"engine: the cluster lost workers {ATTEMPTS} times over during one step"
            f" ({len(results)} of {count} tasks done). Look at the workers' logs; too little memory"
            " a worker is the usual reason."
        )


def _on_worker(client: tuple[str, int], work: Work, *arguments: Any) -> Any:
    if client != _this_process():
        use_cores(1)  # a worker runs as many tasks as it has threads
    return work(*arguments)


def _this_process() -> tuple[str, int]:
    return platform.node(), os.getpid()


def _kept(value: Any) -> Kept:
    return value if isinstance(value, Kept) else Kept([value], everywhere=True)


def _original(value: Any) -> Any:
    return value.values[0] if isinstance(value, Kept) else value


def _is_loss(error: BaseException | None) -> bool:
    return error is None or isinstance(error, KilledWorker | CommClosedError)
