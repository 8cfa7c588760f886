"""How long a fit will take and how much memory, before it starts.

Some of the rows are fitted, then twice as many, with the same settings: the times t(m), t(2m) give
a power law t ~ n^b, which is followed to all rows. Work between looking for pairs grows with the
rows and their number of steps (measured: b = 1.2 at least), looking for them with the pairs (b = 2
where everybody is compared with everybody), so b is kept between these. The samples are as large as
a few seconds, or a tenth of the whole, allow: the nearer they are to all rows, the less there is to
be followed.
"""

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace

import numpy as np

from likewise._typing import Matrix
from likewise.centers.choose import choose_for
from likewise.compute import memory
from likewise.compute.budget import Budget, Trial
from likewise.compute.threads import plain_blas
from likewise.errors import LongWorkWarning
from likewise.fitting.pipeline import Fitting, Settings
from likewise.problem.specification import Specification
from likewise.solvers.coarse import begins_coarsely
from likewise.solvers.solve import AUTO, is_large

WORTH_IT = 5_000  # rows: fewer take no longer than the estimate
# Where nobody asked, only what may take an hour is worth looking at: by what was measured, from so
# many pairs on (of curved divergences a tenth), or rows.
WARNED_FROM_PAIRS, OF_CURVED, WARNED_FROM_ROWS = 2_000_000_000, 0.1, 200_000
FIRST = 500  # rows of the first sample
ENOUGH = 2.0  # seconds: a sample that takes so long is the last
LONGEST = 10.0  # seconds that a sample may take
# Of the time foreseen, or seconds: where samples have taken as much, no other is worth it.
SHARE, MOMENT = 0.1, 0.7
HOUR = 3600.0
FEWER_NEIGHBORS = 250  # the paper's experiments compare with as many
LEAST_POWER, MOST_POWER = 1.2, 2.0
_is_told: ContextVar[bool] = ContextVar("is_told", default=False)


@dataclass(frozen=True)
class Estimate:
    """What a fit will take."""

    rows: int
    pairs: int  # ordered ones that are compared
    seconds: float
    is_at_least: bool  # no sample was finished: it is longer
    bytes: int
    shorter: "Estimate | None" = None  # with fewer neighbours
    n_neighbors: int | None = None

    @property
    def is_long(self) -> bool:
        """Above an hour."""
        return self.seconds > HOUR

    def __str__(self) -> str:
        about = "more than" if self.is_at_least else "about"
        time, size = in_time(self.seconds), memory.gigabytes(self.bytes)
        return f"{self.pairs:,} pairs, {about} {time} and {size}"

    @property
    def remedy(self) -> str:
        """The setting that makes it shorter."""
        if self.shorter is None:
            return "Set max_time, raise tol, or fit a sample of the rows."
        other = self.shorter
        return (
            f"n_neighbors={other.n_neighbors} compares everybody with that many nearest others:"
            f" {other}. Or set max_time: the best fair answer so far is returned."
        )


def in_time(seconds: float) -> str:
    """Seconds in words, as exact as an estimate is."""
    for size, word in ((86_400, "days"), (3_600, "hours"), (60, "minutes")):
        if seconds >= 1.5 * size:
            return f"{seconds / size:.0f} {word}"
    whole = max(round(seconds), 1)
    return "1 second" if whole == 1 else f"{whole} seconds"


def estimate(
    told: Specification,
    X: Matrix,
    settings: Settings,
    budget: Budget,
    clusters: Sequence[int] = (),
) -> Estimate:
    """For all rows of X; with the advice to compare fewer where it takes an hour. ``clusters``: one
    fit after the other with these numbers of clusters, instead of that which is told.

    The budget is that of the fit to come: Ctrl-C ends both.
    """
    asked = clusters or [told.n_clusters]
    found = _of_all(told, asked, X, settings, budget)
    has_fewer = told.n_neighbors is None and X.shape[0] > FEWER_NEIGHBORS
    if not (found.is_long and has_fewer) or budget.interrupted:
        return found
    fewer = _of_all(replace(told, n_neighbors=FEWER_NEIGHBORS), asked, X, settings, budget)
    return replace(found, shorter=fewer)


def warn_if_long(told: Specification, X: Matrix, settings: Settings, budget: Budget) -> None:
    """Say so before a fit that will take more than an hour, unless somebody has."""
    if _is_told.get() or not _may_be_long(told, X.shape[0]) or not _has_room(told, X):
        return
    found = estimate(told, X, settings, budget)
    if found.is_long and not budget.interrupted:
        warnings.warn(f"this fit is long: {found}. {found.remedy}", LongWorkWarning, stacklevel=4)


def _has_room(told: Specification, X: Matrix) -> bool:
    """Whether there is memory enough, as far as that is known; else the fit says so at once."""
    room = memory.available()
    return room is None or _bytes(told, X) <= room


def _bytes(told: Specification, X: Matrix) -> int:
    """What a fit will take of the memory."""
    n, d = X.shape
    listed = 0 if told.n_neighbors is None else n * told.compared_with(n)
    return memory.needed(n, told.n_clusters, d, listed, told.is_curved)


def _may_be_long(told: Specification, n: int) -> bool:
    least = WARNED_FROM_PAIRS * (OF_CURVED if told.is_curved else 1.0)
    return n >= WARNED_FROM_ROWS or n * told.compared_with(n) >= least


@contextmanager
def told_already() -> Iterator[None]:
    """Within this block nobody is warned of long work: whoever started it has seen to it."""
    before = _is_told.set(True)
    try:
        yield
    finally:
        _is_told.reset(before)


def _of_all(
    told: Specification, asked: Sequence[int], X: Matrix, settings: Settings, budget: Budget
) -> Estimate:
    """Fits with the least and the largest of these numbers of clusters are tried; those between
    take as long as lies between.
    """
    ends = {
        k: _estimate(replace(told, n_clusters=k), X, settings, budget)
        for k in sorted({min(asked), max(asked)})
    }
    seconds = np.interp(asked, [*ends], [each.seconds for each in ends.values()])
    return replace(
        ends[max(asked)],
        seconds=float(seconds.sum()),
        is_at_least=any(each.is_at_least for each in ends.values()),
    )


def _estimate(told: Specification, X: Matrix, settings: Settings, budget: Budget) -> Estimate:
    n = X.shape[0]
    times, finished = _calibrated(told, X, settings, budget)
    return Estimate(
        n,
        n * told.compared_with(n),
        followed(times, n),
        not finished,
        _bytes(told, X),
        n_neighbors=told.n_neighbors,
    )


def _calibrated(
    told: Specification, X: Matrix, settings: Settings, budget: Budget
) -> tuple[list[tuple[int, float]], bool]:
    """(rows, seconds) of samples that double, and whether the last was finished."""
    order = np.random.default_rng(0).permutation(X.shape[0])
    # groups decide about pairs, which only become fewer; without them nothing has to be balanced
    free = replace(told, group_tolerance=None, group_bounds=None, individual=True)
    free = replace(free, n_clusters=min(told.n_clusters, FIRST))
    if settings.solver == AUTO and is_large(X.shape[0], free.n_clusters):
        settings = replace(settings, solver="first-order")  # as for all, however few
    times: list[tuple[int, float]] = []
    rows = FIRST
    _timed(free, X[np.sort(order[:FIRST])], settings, budget)  # compiles what it needs
    while rows <= X.shape[0] // 2 or not times:
        seconds, finished = _timed(free, X[np.sort(order[:rows])], settings, budget)
        times.append((min(rows, X.shape[0]), seconds))
        same_way = begins_coarsely(rows // 2, told.is_curved) == begins_coarsely(
            rows, told.is_curved
        )
        if not finished or (len(times) > 1 and same_way and _is_enough(times, X.shape[0])):
            return times, finished
        rows *= 2
    return times, True


def _is_enough(times: list[tuple[int, float]], n: int) -> bool:
    spent = sum(seconds for _, seconds in times)
    return times[-1][1] > ENOUGH or spent > max(SHARE * followed(times, n), MOMENT)


def _timed(told: Specification, X: Matrix, settings: Settings, whole: Budget) -> tuple[float, bool]:
    """Seconds that a fit of these rows takes, and whether it was finished by then."""
    budget = Trial(whole, LONGEST)
    with warnings.catch_warnings(), plain_blas():
        warnings.simplefilter("ignore")
        task = told.task(X, budget=budget)
        fitted = Fitting(task, replace(settings, random_state=0), budget).fit(
            choose_for(task, "auto", 0, budget)
        )
    return budget.seconds, fitted.assignment.finished and not whole.interrupted


def followed(times: list[tuple[int, float]], n: int) -> float:
    """Seconds for n rows, along the power law of the last two samples."""
    rows, seconds = times[-1]
    power = 0.5 * (LEAST_POWER + MOST_POWER)
    if len(times) > 1:
        some, less = times[-2]
        power = float(np.log(seconds / less) / np.log(rows / some))
    power = min(max(power, LEAST_POWER), MOST_POWER)
    return float(seconds * (n / rows) ** power)
