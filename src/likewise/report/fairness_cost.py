"""What more or less fairness would cost, and which bounds cost most.

Computed for everybody where there are few, else for people who stand for everybody, always under
the bounds that the run had between them.
"""

from dataclasses import dataclass, replace

import numpy as np

from likewise._typing import Array, ShowProgress
from likewise.centers.choose import Centers
from likewise.frontier import (
    COARSE_SCALES,
    CostlyPair,
    FrontierPoint,
    frontier_of,
    price_of_pairs,
)
from likewise.problem.costs import lp_cost
from likewise.problem.specification import Task
from likewise.report.sample import Representatives, representatives

FRONTIER_ROWS = 500  # the frontier of more people is that of some who stand for all
FRONTIER_TOL = 2e-3  # of the objective: finer than a drawing can show
# For each point: what is not proven by then is said. Some take two seconds; this is so much longer
# that a busy machine makes the same page.
FRONTIER_SECONDS = 10.0
COSTLY_PAIRS = 8


@dataclass(frozen=True)
class FairnessCost:
    """The frontier, and for how many people it was computed."""

    points: list[FrontierPoint]
    costly: list[CostlyPair]  # by the rows of the run
    n_rows: int
    is_of_everybody: bool

    def above_least(self, p: float) -> float:
        """By what share a cost on the frontier is above the least possible, at most."""
        costs = ((lp_cost(at.objective, p), lp_cost(at.lower_bound, p)) for at in self.points)
        return max((cost / least - 1 for cost, least in costs if least > 0), default=0.0)


def fairness_cost(
    task: Task, centers: Centers, ours: Array, random: np.random.Generator, show: ShowProgress
) -> FairnessCost | None:
    """None where there is nothing to show: k-center has no frontier, and among a few of many people
    hardly anybody is anybody's neighbour.
    """
    only_some = len(task.weights) > FRONTIER_ROWS
    if np.isinf(task.p) or (only_some and task.specification.n_neighbors is not None):
        return None
    standing = _standing_for_all(task, centers, ours, random)
    some = task.of_rows(standing.rows) if only_some else task
    some = replace(some, weights=some.weights * standing.stands_for)
    points = []
    after_point = show("computing what fairness costs", len(COARSE_SCALES))
    for point in frontier_of(
        some,
        centers.seen_from(standing.rows),
        COARSE_SCALES,
        solver="first-order",
        tol=FRONTIER_TOL,
        max_time=FRONTIER_SECONDS,
    ):
        points.append(point)
        after_point()
    costly = _costly(some, points, standing.rows)
    return FairnessCost(points, costly, len(standing.rows), not only_some)


def _standing_for_all(
    task: Task, centers: Centers, ours: Array, random: np.random.Generator
) -> Representatives:
    """People to whom hard clustering, this one and each single centre cost what they cost all."""
    costs = task.costs(centers.distances)
    each, hard = np.ones(len(costs)), costs.min(axis=1)
    amounts = np.column_stack([each, hard, (costs * ours).sum(axis=1), costs])
    important = np.column_stack([each, hard, costs.mean(axis=1)])
    return representatives(amounts, important, FRONTIER_ROWS, random)


def _costly(task: Task, points: list[FrontierPoint], rows: Array) -> list[CostlyPair]:
    """The bounds that cost most, by the rows of the run."""
    as_asked = next(point for point in points if point.scale == 1.0)
    pairs = price_of_pairs(task, as_asked.problem, as_asked.assignment.duals, count=COSTLY_PAIRS)
    return [replace(pair, i=int(rows[pair.i]), j=int(rows[pair.j])) for pair in pairs]
