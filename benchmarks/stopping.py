"""Does a fit end when it is told to? Time limits and Ctrl-C at random moments, on large data.

    python -m benchmarks stopping        # 60 tries, some twenty minutes

A time limit is kept if ``fit`` is back within it, a tenth of it and two seconds; Ctrl-C, if it is
back within five seconds. Every answer must be fair.
"""

import os
import signal
import threading
import time
import warnings
from dataclasses import dataclass

import numpy as np

from benchmarks.table import Table
from likewise import LikewiseClustering

SIZES = (30_000, 100_000, 300_000)
LIMITS = (5.0, 10.0, 30.0, 60.0)
KINDS = {
    "every pair, local": dict(similarity="local"),
    "every pair, global": dict(similarity="global"),
    "30 neighbours": dict(similarity="local", n_neighbors=30),
}
INTERRUPTS = 8  # for each size
LATEST = 20.0  # seconds after which Ctrl-C comes at the latest
K = 6


@dataclass(frozen=True)
class Try:
    """How one fit ended."""

    size: int
    kind: str
    limit: float | None  # None: it was interrupted
    seconds: float  # of the fit, or after Ctrl-C
    gap: float
    is_fair: bool

    @property
    def is_in_time(self) -> bool:
        allowed = 5.0 if self.limit is None else 1.1 * self.limit + 2.0
        return self.seconds <= allowed


def people(n: int) -> np.ndarray:
    """A mixture in six dimensions, with outliers."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 6)) + 3 * rng.normal(size=(K, 6))[rng.integers(0, K, n)]
    X[:20] *= 8
    return X


def limited(X: np.ndarray, kind: str, limit: float) -> Try:
    """A fit with a time limit."""
    started = time.perf_counter()
    model = LikewiseClustering(K, max_time=limit, random_state=0, **KINDS[kind]).fit(X)
    seconds = time.perf_counter() - started
    return Try(len(X), kind, limit, seconds, model.gap_, model.certificate_.is_fair)


def interrupted(X: np.ndarray, kind: str, after: float) -> Try:
    """A fit that is interrupted after so many seconds."""
    timer = threading.Timer(after, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    started = time.perf_counter()
    model = LikewiseClustering(K, tol=0.0, random_state=0, **KINDS[kind]).fit(X)
    seconds = time.perf_counter() - started - after
    timer.cancel()
    return Try(len(X), kind, None, seconds, model.gap_, model.certificate_.is_fair)


def tries():
    """All of them, one after the other."""
    rng = np.random.default_rng(0)
    for n in SIZES:
        X = people(n)
        for kind in KINDS:
            for limit in LIMITS:
                yield limited(X, kind, limit)
        for number in range(INTERRUPTS):
            kind = list(KINDS)[number % len(KINDS)]
            yield interrupted(X, kind, float(rng.uniform(0.5, LATEST)))


def stopping() -> Table:
    """Time limits and Ctrl-C, by size."""
    table = Table(
        f"Ending when told to (generated mixture with outliers, 6 dimensions, k = {K})",
        ["rows", "told", "tries", "in time", "fair", "longest over, s", "gaps"],
    )
    warnings.simplefilter("ignore")
    for kind in KINDS:  # everything is compiled
        limited(people(3000), kind, 1.0)
    done = []
    for each in tries():
        done.append(each)
        print(each, flush=True)
    for n in SIZES:
        for limit in (*LIMITS, None):
            some = [each for each in done if (each.size, each.limit) == (n, limit)]
            table.add(
                f"{n:,}",
                "Ctrl-C" if limit is None else f"{limit:g} s",
                len(some),
                sum(each.is_in_time for each in some),
                sum(each.is_fair for each in some),
                f"{max(each.seconds - (limit or 0.0) for each in some):.1f}",
                " ".join(f"{each.gap:.2g}" for each in some),
            )
    kept = sum(each.is_in_time and each.is_fair for each in done)
    table.note(f"{kept} of {len(done)} in time with a fair answer.")
    return table
