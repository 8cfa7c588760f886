"""What a report says, as plain numbers: gathered from a run, drawn by ``page``."""

from dataclasses import dataclass, replace

import numpy as np

from likewise._typing import Array
from likewise.auditing import Audit, audit
from likewise.baselines.clusterings import soft_assignment, stiffness_at_cost
from likewise.centers.choose import at_rows
from likewise.errors import InvalidArgument
from likewise.frontier import (
    COARSE_SCALES,
    CostlyPair,
    FrontierPoint,
    frontier_of,
    price_of_pairs,
)
from likewise.metrics.costs import expected_cost
from likewise.problem.costs import expected_total, powers, ratio_of_costs
from likewise.problem.specification import Specification, Task
from likewise.report.projection import Projection, project
from likewise.report.run import Run

OURS, HARD, SOFT = "likewise", "hard clustering", "soft clustering of the same cost"
MAP_POINTS = 1_500  # drawn at most; more are a blur and a heavy file
FRONTIER_ROWS = 1_000  # the frontier of more is that of a sample
COMPARED_ROWS = 5_000  # pairs of more people are judged on a sample
FRONTIER_TOL = 5e-3  # finer than a drawing can show
COSTLY_PAIRS = 8


@dataclass(frozen=True)
class Way:
    """A way to cluster the same people: what it costs and whom it treats unequally."""

    name: str
    cost: float
    price: float  # cost over that of hard clustering
    audit: Audit


@dataclass(frozen=True)
class Content:
    """Everything on the page."""

    run: Run
    projection: Projection
    ways: list[Way]  # ours, hard, and soft where there is one of the same cost
    frontier: list[FrontierPoint]
    frontier_rows: int
    costly: list[CostlyPair]
    judged_rows: Array  # the rows that pairs were judged on
    notes: list[str]

    @property
    def ours(self) -> Way:
        """This run."""
        return self.ways[0]

    @property
    def hard(self) -> Way:
        """Everybody to the nearest centre."""
        return self.ways[1]


def gather(run: Run) -> Content:
    """Compute what the page shows; large runs are judged on a sample, and it says so."""
    n = run.n_points
    random = np.random.default_rng(0)
    judged = _some(n, COMPARED_ROWS, random)
    few = _some(n, FRONTIER_ROWS, random)
    shown = _some(n, MAP_POINTS, random)
    frontier, costly = _what_fairness_costs(run, few)
    return Content(
        run=run,
        projection=project(run.prepared.X, run.center_rows, shown),
        ways=_ways(run, judged),
        frontier=frontier,
        frontier_rows=len(few),
        costly=costly,
        judged_rows=judged,
        notes=_notes(run, len(judged), len(few)),
    )


def _notes(run: Run, n_judged: int, n_few: int) -> list[str]:
    """Where the page does not show quite what was asked for."""
    n, asked = run.n_points, run.record.parameters
    notes = []
    if n_judged < n:
        notes.append(
            f"Comparisons are over the pairs of {n_judged:,} of the {n:,} people, chosen at"
            " random, with bounds as they are among these; the certificate is over all."
        )
    if asked.n_neighbors is not None or asked.group_tolerance is not None:
        notes.append(
            "What fairness costs is shown without limits on neighbours or bounds on groups."
        )
    if n_few < n and not np.isinf(asked.p):
        notes.append(f"What fairness costs is shown for {n_few:,} people chosen at random.")
    return notes


def _what_fairness_costs(run: Run, few: Array) -> tuple[list[FrontierPoint], list[CostlyPair]]:
    """The frontier among some of the people, and the bounds that cost most; k-center has none."""
    if np.isinf(run.record.parameters.p):
        return [], []
    rows = np.concatenate([few, run.center_rows])
    small = _task(run, few, run.center_rows)
    centers = at_rows(np.arange(len(few), len(rows)), small.distances)
    points = frontier_of(small, centers, COARSE_SCALES, tol=FRONTIER_TOL)
    as_asked = next(point for point in points if point.scale == 1.0)
    return points, _costly(small, as_asked, rows)


def _some(n: int, most: int, random: np.random.Generator) -> Array:
    return np.arange(n) if n <= most else np.sort(random.choice(n, most, replace=False))


def _task(run: Run, rows: Array, more: Array | None = None) -> Task:
    """The same fairness among some of the rows; ``more`` of no weight, to have centres in."""
    asked = run.record.parameters
    every = rows if more is None else np.concatenate([rows, more])
    weights = run.weights[every]
    weights[len(rows) :] = 0.0
    within = asked.group_tolerance is not None  # then only these pairs are compared
    specification = Specification(
        n_clusters=asked.n_clusters,
        p=asked.p,
        metric=asked.metric,
        divergence=asked.divergence,
        similarity=asked.similarity,
        n_neighbors=asked.n_neighbors if len(every) == run.n_points else None,
        individual="within-groups" if within else True,
    )
    protected = run.protected(every) if within else None
    return specification.task(run.prepared.X[every], protected, weights)


def _ways(run: Run, rows: Array) -> list[Way]:
    """This run, hard clustering and soft clustering, with the same centres."""
    task = _task(run, rows)
    distances = task.distances.to_points(run.prepared.X[run.center_rows])
    power = 1.0 if np.isinf(task.p) else task.p
    ours = run.distributions[rows]
    hard = np.eye(run.n_clusters)[distances.argmin(axis=1)]
    objective = expected_total(ours, powers(distances, task.p), task.weights)
    ways = {OURS: ours, HARD: hard}
    try:
        beta = stiffness_at_cost(distances, objective, power, task.weights)
        ways[SOFT] = soft_assignment(distances, beta, power)
    except InvalidArgument:  # more expensive than chance: soft clustering has no such beta
        pass
    protected = run.protected(rows) or None
    cheapest = expected_cost(hard, distances, power, task.weights)
    found = []
    for name, x in ways.items():
        cost = expected_cost(x, distances, power, task.weights)
        judged = audit(x, task.pairs, protected, divergence=task.divergence)
        found.append(Way(name, cost, ratio_of_costs(cost, cheapest), judged))
    return found


def _costly(task: Task, point: FrontierPoint, rows: Array) -> list[CostlyPair]:
    """The bounds that cost most, by the rows of the run."""
    pairs = price_of_pairs(task, point.problem, point.assignment.duals, count=COSTLY_PAIRS)
    return [replace(pair, i=int(rows[pair.i]), j=int(rows[pair.j])) for pair in pairs]
