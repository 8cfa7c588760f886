"""All cores, without any library's own threading.

Kernels release the interpreter lock and work on a range lo..hi, so ordinary threads are enough:
nothing to configure, safe inside other people's threads and processes. The number of ranges
depends on the size of the work only, never on the number of cores: sums come out the same, to the
last bit, with one core or many. Between ranges work may be cut short (``cancellation``): those
that are at it finish theirs, and no other is begun.
"""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from functools import cache
from itertools import pairwise
from typing import TypeVar

from threadpoolctl import ThreadpoolController

from likewise.compute.cancellation import check, current

Result = TypeVar("Result")

MOST_RANGES = 64  # some for each core of a large machine; more only cost the handing over
ANY_NUMBER = 2**31  # of ranges: where each takes long, and work may have to end between them
GRAIN = 15_000  # points or pairs worth a thread of their own, where each takes some 100 ns
_at_most: int | None = None  # cores, where several processes share the machine


def use_cores(count: int) -> None:
    """Let this process use at most this number of cores; to be said before it does any work."""
    global _at_most
    _at_most = count


def n_cores() -> int:
    """The cores this process may use."""
    if _at_most is not None:
        return _at_most
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@cache
def _crew(process: int) -> ThreadPoolExecutor:
    # one per process: threads do not survive a fork
    return ThreadPoolExecutor(n_cores(), thread_name_prefix="likewise")


def range_edges(n: int, grain: int, most: int = MOST_RANGES) -> list[int]:
    """Where the ranges of ``over_ranges`` begin and end."""
    count = max(1, min(most, n // grain))
    return [n * part // count for part in range(count + 1)]


def is_one_range(n: int, grain: int) -> bool:
    """Whether ``over_ranges`` would make one range of it."""
    return n < 2 * grain


def over_ranges(
    kernel: Callable[..., Result],
    n: int,
    *arguments: object,
    grain: int | None = None,
    most: int = MOST_RANGES,
) -> list[Result]:
    """kernel(lo, hi, *arguments) over ranges that make up 0..n, of about ``grain`` (by default
    GRAIN) or more each, ``most`` of them at most.

    Handing a range to a thread costs some 50 microseconds: the grain should be worth a millisecond.
    """
    grain = GRAIN if grain is None else grain
    if is_one_range(n, grain):  # asked for thousands of times a second
        return [kernel(0, n, *arguments)]
    scopes = current()

    def work(lo: int, hi: int) -> Result:
        check(scopes)
        return kernel(lo, hi, *arguments)

    ranges = list(pairwise(range_edges(n, grain, most)))
    if n_cores() == 1:
        return [work(lo, hi) for lo, hi in ranges]
    crew = _crew(os.getpid())
    return _results_of([crew.submit(work, lo, hi) for lo, hi in ranges])


def _results_of(parts: list[Future[Result]]) -> list[Result]:
    """The results in order; whatever ends it early (a scope, a mistake, Ctrl-C), nobody is still at
    work afterwards: arrays are written in place.
    """
    try:
        return [part.result() for part in parts]
    except BaseException:
        for part in parts:
            part.cancel()
        wait(parts)
        raise


@contextmanager
def plain_blas() -> Iterator[None]:
    """Within this block linear algebra uses one thread: with several it adds up in another order,
    and the last bits would depend on the machine's cores.
    """
    with _blas().limit(limits=1, user_api="blas"):
        yield


@cache
def _blas() -> ThreadpoolController:
    return ThreadpoolController()
