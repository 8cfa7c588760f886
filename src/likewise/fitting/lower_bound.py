"""How good can any fair clustering be? OPT-IF and OPT-CF, the paper's lower bounds.

Every point may be a centre, opened in fractions, k in all: x_jc <= y_c, sum_c y_c = k. That relaxes
every choice of k centres with any fair assignment to them, so no fair clustering costs less.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from likewise._validation import check_limits
from likewise.centers.choose import farthest_first
from likewise.certificate import Certificate, certify
from likewise.compute.memory import available, gigabytes
from likewise.errors import NotEnoughMemory
from likewise.problem.assignment import AssignmentProblem
from likewise.problem.costs import lp_cost
from likewise.problem.specification import Specification, Task
from likewise.solvers.solve import solve

# Up to here (points times possible centres) cuts are quicker. Measured: n = 40 takes 0.5 to 5 s
# with them and 2 to 20 s without; at n = 80 their programs take minutes.
EXACT_CELLS = 2_500
NUMBERS_PER_CELL = 60  # a point and a possible centre: costs, openings, duals of working pairs


@dataclass(frozen=True)
class LowerBound:
    """No fair clustering costs less than this."""

    objective: float  # proven: the dual side
    p: float
    relaxed_objective: float  # what the best fractional clustering that was found costs
    gap: float  # between the two, relative
    certificate: Certificate | None  # of the fractional clustering; k-center has none
    seconds: float

    @property
    def cost(self) -> float:
        """``objective ** (1 / p)``; the radius for k-center."""
        return lp_cost(self.objective, self.p)


def lower_bound(
    X: object,
    n_clusters: int = 8,
    *,
    sensitive_features: object = None,
    sample_weight: ArrayLike | None = None,
    tol: float = 1e-5,
    max_time: float | None = None,
    verbose: int = 0,
    **specification: object,
) -> LowerBound:
    """A lower bound on the cost of every fair clustering, whatever its centres (rows of X).

    The arguments are those of ``LikewiseClustering`` and its ``fit``. The work grows with n^2 times
    the pairs that matter: seconds for n = 80, minutes for n = 300. Whenever it ends, the bound
    holds; ``tol`` and ``max_time`` only say how tight it has to be. For k-center (p = inf) it is
    half the least distance among k + 1 points far from each other.

    Parameters
    ----------
    X, sensitive_features, sample_weight
        As in ``fit``.
    n_clusters, tol, max_time, verbose
        As in ``LikewiseClustering``.
    **specification
        ``p``, ``metric``, ``divergence``, ``similarity``, ``bound_scale``, ``n_neighbors``,
        ``group_tolerance``, ``group_bounds``, ``individual`` and ``missing_sensitive``, as in
        ``LikewiseClustering``.
    """
    check_limits(tol, max_time)
    asked = Specification.from_keywords(n_clusters, specification)
    task = asked.task_of_table(X, sensitive_features, sample_weight)
    if np.isinf(task.p):
        return _of_radius(task)
    problem = _relaxation(task)
    by_cuts = task.divergence.piecewise_linear and problem.cost.size <= EXACT_CELLS
    solver = "exact" if by_cuts else "first-order"
    answer = solve(problem, solver, tol=tol, max_time=max_time, verbose=verbose)
    certificate = certify(problem, answer.distributions, answer.duals)
    return LowerBound(
        objective=certificate.lower_bound,
        p=task.p,
        relaxed_objective=certificate.objective,
        gap=certificate.gap,
        certificate=certificate,
        seconds=answer.seconds,
    )


def _relaxation(task: Task) -> AssignmentProblem:
    """The program in which every distinct point may be a centre, k opened in fractions."""
    possible = task.distances.distinct_rows()
    _check_memory(task.distances.n_points, len(possible))
    n_open = min(task.n_clusters, len(possible))
    return task.problem(task.distances.to_rows(possible), n_open)


def _of_radius(task: Task) -> LowerBound:
    """Of k + 1 points two share a centre, which cannot be nearer to both than half their way."""
    rows = farthest_first(task.distances, min(task.n_clusters + 1, task.distances.n_points))
    between = task.distances.to_rows(rows)[rows]
    np.fill_diagonal(between, np.inf)
    radius = 0.5 * float(between.min()) if len(rows) > task.n_clusters else 0.0
    return LowerBound(radius, np.inf, np.inf, np.inf, None, 0.0)


def _check_memory(n: int, n_possible: int) -> None:
    wanted, free = 8 * NUMBERS_PER_CELL * n * n_possible, available()
    if free is not None and wanted > free:
        raise NotEnoughMemory(
            f"X: the bound for {n:,} rows needs about {gigabytes(wanted)}, but only"
            f" {gigabytes(free)} are free. Bound a sample of the rows."
        )
