"""What fairness costs: the least cost for tighter and looser bounds.

All bounds on pairs are multiplied by a scale: 0 is the same distribution for everybody who is
compared, infinity compares nobody, 1 is what was asked for. Bounds on groups stay as they are.
Every point of the frontier is solved and certified like a fit, from where the last one stood, with
the same centres.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from likewise._typing import Array, Seed
from likewise.centers.choose import Centers, CentersLike, choose_for, warn_of_repeated
from likewise.certificate import certify
from likewise.errors import InvalidArgument
from likewise.problem.assignment import Assignment, AssignmentProblem, Duals
from likewise.problem.costs import lp_cost, ratio_of_costs
from likewise.problem.prices import CostlyPair, costly_pairs
from likewise.problem.specification import Specification, Task
from likewise.solvers.solve import solve

__all__ = [
    "COARSE_SCALES",
    "SCALES",
    "CostlyPair",
    "FrontierPoint",
    "frontier",
    "frontier_of",
    "price_of_pairs",
]

SCALES = (0.0, 0.1, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 4.0, 8.0, np.inf)
COARSE_SCALES = (0.0, 0.1, 0.25, 0.5, 1.0, 2.0, 4.0, np.inf)  # enough for a drawing


@dataclass(frozen=True)
class FrontierPoint:
    """The bounds times ``scale``, and what that costs."""

    scale: float
    objective: float
    lower_bound: float
    cost: float  # objective ** (1 / p)
    price: float  # cost over that of hard clustering
    problem: AssignmentProblem  # with the bounds times scale
    assignment: Assignment  # the answer, with the duals that prove its bound

    @property
    def distributions(self) -> Array:
        """(n, k): the distribution of each point over the centres."""
        return self.assignment.distributions


def frontier(
    X: object,
    n_clusters: int = 8,
    scales: Sequence[float] = SCALES,
    *,
    centers: CentersLike = "auto",
    sensitive_features: object = None,
    sample_weight: ArrayLike | None = None,
    tol: float = 1e-3,
    max_time: float | None = None,
    random_state: Seed = None,
    **specification: object,
) -> list[FrontierPoint]:
    """What bounds multiplied by each of these scales cost, tightest first.

    Parameters
    ----------
    X, sensitive_features, sample_weight
        As in ``fit`` of ``LikewiseClustering``.
    scales : numbers of at least 0, or infinity
        What the bounds on pairs are multiplied by.
    n_clusters, centers, tol, random_state
        As in ``LikewiseClustering``.
    max_time : float, default=None
        Seconds for each point of the frontier.
    **specification
        ``p``, ``metric``, ``divergence``, ``similarity``, ``bound_scale``, ``n_neighbors``,
        ``group_tolerance``, ``group_bounds``, ``individual`` and ``missing_sensitive``, as in
        ``LikewiseClustering``.
    """
    asked = Specification.from_keywords(n_clusters, specification)
    task = asked.task_of_table(X, sensitive_features, sample_weight)
    chosen = choose_for(task, centers, random_state)
    warn_of_repeated(centers, chosen)
    return list(frontier_of(task, chosen, scales, tol=tol, max_time=max_time))


def frontier_of(
    task: Task,
    centers: Centers,
    scales: Sequence[float] = SCALES,
    *,
    solver: str = "auto",
    tol: float = 1e-3,
    max_time: float | None = None,
) -> Iterator[FrontierPoint]:
    """The same for a task that has been read and centres that have been chosen, point by point."""
    if np.isinf(task.p):
        raise InvalidArgument("p", "k-center has no frontier.", "Use a finite p.")
    if any(not scale >= 0 for scale in scales):
        raise InvalidArgument("scales", "some are negative.", "Use numbers of at least 0, or inf.")
    return _points(task, centers, sorted(scales), Settings(solver, tol, max_time))


class Settings(NamedTuple):
    """How each point of a frontier is solved."""

    solver: str
    tol: float
    max_time: float | None


def _points(
    task: Task, centers: Centers, scales: Sequence[float], settings: Settings
) -> Iterator[FrontierPoint]:
    nearest = np.eye(task.n_clusters)[centers.distances.argmin(axis=1)]
    hard = lp_cost(task.problem(centers.distances).objective(nearest), task.p)
    last: Assignment | None = None
    for scale in scales:
        problem = task.scaled(scale).problem(centers.distances)
        if np.isinf(scale) and task.bounds is None:
            last = Assignment.of(nearest)  # nobody is compared: this is the answer
        last = solve(problem, **settings._asdict(), start=last)
        certificate = certify(problem, last.distributions, last.duals)
        cost = lp_cost(certificate.objective, task.p)
        yield FrontierPoint(
            scale=float(scale),
            objective=certificate.objective,
            lower_bound=certificate.lower_bound,
            cost=cost,
            price=ratio_of_costs(cost, hard),
            problem=problem,
            assignment=last,
        )


def price_of_pairs(
    task: Task, problem: AssignmentProblem, duals: Duals, count: int = 20
) -> list[CostlyPair]:
    """The pairs whose bounds cost most, by their dual values.

    ``problem`` and ``duals`` are those of the task's answer: of a solve of its own, or of the
    frontier's point at scale 1 (``point.problem`` and ``point.assignment.duals``).
    """
    if not len(duals.i):
        return []
    bound = task.pairs.bounds_at(duals.i, duals.j)
    return costly_pairs(duals, bound, problem.divergence, count)
