"""What fairness costs: the least cost for tighter and looser bounds.

All bounds are multiplied by a scale: 0 is the same distribution for everybody, infinity is hard
clustering, 1 is what was asked for. Every point of the frontier is solved and certified like a fit,
from where the last one stood, with the same centres.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from likewise._typing import Array
from likewise._validation import as_table
from likewise.centers.choose import Centers, choose_centers
from likewise.certificate import certify
from likewise.errors import InvalidArgument
from likewise.problem.assignment import Assignment
from likewise.problem.specification import Task, read_task
from likewise.solvers.solve import solve

SCALES = (0.0, 0.1, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 4.0, 8.0, np.inf)


@dataclass(frozen=True)
class FrontierPoint:
    """The bounds times ``scale``, and what that costs."""

    scale: float
    objective: float
    lower_bound: float
    cost: float  # objective ** (1 / p)
    price: float  # cost over that of hard clustering
    distributions: Array


def frontier(
    X: Any,
    n_clusters: int = 8,
    scales: Sequence[float] = SCALES,
    *,
    p: float = 2,
    metric: Any = "euclidean",
    divergence: Any = "tv",
    similarity: Any = "global",
    n_neighbors: int | None = None,
    centers: Any = "auto",
    sample_weight: Any = None,
    tol: float = 1e-3,
    max_time: float | None = None,
    random_state: Any = None,
) -> list[FrontierPoint]:
    """What bounds multiplied by each of these scales cost, tightest first.

    The other arguments are those of ``LikewiseClustering``; ``max_time`` is for each point.
    """
    task = read_task(
        as_table(X),
        n_clusters,
        p=p,
        metric=metric,
        divergence=divergence,
        similarity=similarity,
        n_neighbors=n_neighbors,
        group_tolerance=None,
        group_bounds=None,
        individual=True,
        missing_sensitive="group",
        sensitive_features=None,
        sample_weight=sample_weight,
    )
    chosen = choose_centers(
        centers,
        task.distances,
        n_clusters=n_clusters,
        p=p,
        weights=task.weights,
        random_state=random_state,
    )
    return frontier_of(task, chosen, scales, tol=tol, max_time=max_time)


def frontier_of(
    task: Task,
    centers: Centers,
    scales: Sequence[float] = SCALES,
    *,
    tol: float = 1e-3,
    max_time: float | None = None,
) -> list[FrontierPoint]:
    """The same for a task that has been read and centres that have been chosen."""
    if np.isinf(task.p):
        raise InvalidArgument("p", "k-center has no frontier.", "Use a finite p.")
    if any(not scale >= 0 for scale in scales):
        raise InvalidArgument("scales", "some are negative.", "Use numbers of at least 0, or inf.")
    hard = float(task.costs(centers.distances).min(axis=1).sum())
    points = []
    start: Assignment | None = None
    for scale in sorted(scales):
        problem = task.scaled(scale).problem(centers.distances)
        found = solve(problem, tol=tol, max_time=max_time, start=start)
        certificate = certify(problem, found.distributions, found.duals)
        start = found
        cost = certificate.objective ** (1 / task.p)
        points.append(
            FrontierPoint(
                float(scale),
                certificate.objective,
                certificate.lower_bound,
                cost,
                cost / hard ** (1 / task.p) if hard > 0 else (1.0 if cost == 0 else float("inf")),
                found.distributions,
            )
        )
    return points


def price_of_pairs(task: Task, problem: Any, duals: Any, count: int = 20) -> list["CostlyPair"]:
    """The pairs whose bounds cost most, by their dual values."""
    if not len(duals.i):
        return []
    bound = task.pairs.bounds_at(duals.i, duals.j)
    kept = np.flatnonzero(np.isfinite(bound))
    alpha, beta, bound = duals.alpha[kept], duals.beta[kept], bound[kept]
    step = np.maximum(1e-4 * bound, 1e-9)
    price = problem.divergence.support_function
    saving = (price(alpha, beta, bound + step) - price(alpha, beta, bound)) / step
    best = np.argsort(-saving)[:count]
    return [
        CostlyPair(
            int(duals.i[kept[at]]), int(duals.j[kept[at]]), float(bound[at]), float(saving[at])
        )
        for at in best
        if saving[at] > 0
    ]


@dataclass(frozen=True)
class CostlyPair:
    """Two rows whose bound costs much: what the objective would fall by, per unit of more bound."""

    i: int
    j: int
    bound: float
    saving: float
