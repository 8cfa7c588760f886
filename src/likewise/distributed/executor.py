"""The executor that runs on the workers of a Dask cluster.

Parts are sent once and stay; a call sends what is new (the distributions) and gets back what is
found, bounded for each point. A worker that dies costs the tasks it had: Dask gives them to others,
and where data was lost with it, it is sent again and what was not finished is done again.
"""

import math
import os
import platform
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from distributed import Client, Future, KilledWorker, as_completed
from distributed.comm.core import CommClosedError

from likewise.compute.cancellation import Cancelled, check
from likewise.compute.executor import LOCAL, Placed
from likewise.compute.threads import use_cores
from likewise.distributed.progress import Progress
from likewise.distributed.transfer import Sent
from likewise.errors import SolverError

Value = TypeVar("Value")
Result = TypeVar("Result")
Tile = TypeVar("Tile")

WORTH_SENDING = 2_000_000  # fewer pairs are looked at here before anything would have arrived there
TASKS_PER_THREAD = 4  # so that none waits long for the last
PAIRS_PER_TASK = 2_000_000_000  # some ten seconds: what a lost worker costs
BETWEEN_LOOKS = 0.01  # seconds, for what has arrived
ATTEMPTS = 10  # at a call, each after losing data or workers


class DaskExecutor:
    """Runs functions of parts on the workers of a client."""

    def __init__(self, client: Client, least_pairs: int = WORTH_SENDING, verbose: int = 0) -> None:
        self.client = client
        self.least_pairs = least_pairs
        self.verbose = verbose

    @property
    def n_threads(self) -> int:
        """Tasks that run at the same time."""
        return max(1, int(sum(self.client.nthreads().values())))

    def parts(self, pairs: int) -> int:
        if pairs < self.least_pairs:
            return 1
        return max(TASKS_PER_THREAD * self.n_threads, pairs // PAIRS_PER_TASK)

    def tiles(self, pairs: int) -> int:
        return math.isqrt(self.parts(pairs) - 1) + 1

    def scatter(self, parts: Sequence[Value]) -> Sent[Value]:
        return Sent(parts)

    def broadcast(self, value: Value) -> Sent[Value]:
        return Sent([value], everywhere=True)

    def map_parts(
        self, work: Callable[..., Result], parts: Placed[Value], *values: object
    ) -> list[Result]:
        if len(parts.values) == 1:
            return LOCAL.map_parts(work, parts, *values)
        own, common = Sent.parts(parts), [Sent.value(value) for value in values]

        def submit(which: list[int]) -> "list[Future[Result]]":
            part, everywhere = own.on(self.client), [each.on(self.client)[0] for each in common]
            return [self._submit(work, part[i], *everywhere) for i in which]

        return self.results_of(submit, len(parts.values), [own, *common], work.__name__)

    def map_tiles(
        self,
        work: Callable[..., Tile],
        join: Callable[[list[Tile]], Result],
        parts: Placed[Value],
        others: Sequence[object],
        *values: object,
    ) -> list[Result]:
        if len(parts.values) == 1:
            return LOCAL.map_tiles(work, join, parts, others, *values)
        own, paired = Sent.parts(parts), Sent(others)
        common = [Sent.value(value) for value in values]

        def submit(which: list[int]) -> "list[Future[Result]]":
            sides = list(zip(own.on(self.client), paired.on(self.client), strict=True))
            everywhere = [each.on(self.client)[0] for each in common]
            return [
                self._submit(
                    join,
                    [self._submit(work, *sides[i], *column, *everywhere) for column in sides],
                )
                for i in which
            ]

        return self.results_of(submit, len(others), [own, paired, *common], work.__name__)

    def _submit(self, work: Callable[..., Result], *arguments: object) -> "Future[Result]":
        # pure=False: no hashing of arguments, and nothing remembered from another call
        here = _this_process()
        return self.client.submit(_on_worker, here, work, *arguments, pure=False)

    def results_of(
        self,
        submit: "Callable[[list[int]], list[Future[Result]]]",
        count: int,
        sent: Sequence[Sent[object]],
        name: str,
    ) -> list[Result]:
        """The results of tasks 0..count, whatever happens to workers meanwhile.

        ``submit`` starts the tasks of these numbers, ``sent`` is what they need on the workers.
        """
        results: dict[int, Result] = {}
        progress = Progress(name, count, self.client, self.verbose)
        for _ in range(ATTEMPTS):
            left = [i for i in range(count) if i not in results]
            failure: BaseException | None = None
            try:
                futures = dict(zip(submit(left), left, strict=True))
                failure = self._collect(futures, results, progress)
            except (CommClosedError, TimeoutError, OSError):
                pass  # the connection to a worker, or to all of them
            if failure is not None:
                raise failure  # of the work itself
            if len(results) == count:
                return [results[i] for i in range(count)]
            for each in sent:
                each.forget()
        raise SolverError(
            f"engine: the cluster lost workers {ATTEMPTS} times over during one step"
            f" ({len(results)} of {count} tasks done). Look at the workers' logs; too little memory"
            " a worker is the usual reason."
        )

    def _collect(
        self, futures: "dict[Future[Result], int]", results: dict[int, Result], progress: Progress
    ) -> BaseException | None:
        """Write down what arrives; the error of the work itself, if there is one. Cut short, what
        has not begun is called off.
        """
        arriving = as_completed(
            futures, loop=self.client.loop, with_results=True, raise_errors=False
        )
        future: Future[Result]
        result: Result
        for future, result in self._until_cut_short(arriving):
            if future.status == "finished":
                results[futures[future]] = result
                progress.done(len(results))
            elif future.status == "error":
                failure: BaseException | None = future.exception()
                if not _is_loss(failure):
                    return failure
        return None

    def _until_cut_short(self, arriving: as_completed) -> "Iterator[tuple[Future[Result], Result]]":
        """What arrives, (future, result) each."""
        try:
            while not arriving.is_empty():
                check()
                if arriving.has_ready():
                    yield next(arriving)
                else:
                    time.sleep(BETWEEN_LOOKS)
        except Cancelled:
            self.client.cancel(list(arriving.futures), force=True)
            raise


def _on_worker(client: tuple[str, int], work: Callable[..., Result], *arguments: object) -> Result:
    if client != _this_process():
        use_cores(1)  # a worker runs as many tasks as it has threads
    return work(*arguments)


def _this_process() -> tuple[str, int]:
    return platform.node(), os.getpid()


def _is_loss(error: BaseException | None) -> bool:
    return error is None or isinstance(error, KilledWorker | CommClosedError)
