"""How good can any fair clustering be? OPT-IF and OPT-CF, the paper's lower bounds.

Every point may be a centre, opened in fractions, k in all: x_jc <= y_c, sum_c y_c = k. That relaxes
every choice of k centres with any fair assignment to them, so no fair clustering costs less.
"""

from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
from sklearn.utils.validation import check_array

from likewise._validation import check_number
from likewise.centers.choose import farthest_first
from likewise.certificate import Certificate, certify
from likewise.compute.memory import available
from likewise.errors import NotEnoughMemory
from likewise.problem.specification import Task, read_task
from likewise.solvers.solve import solve

# Up to here (points times possible centres) cuts are quicker: n = 40 takes 0.5 to 5 s with them and
# 2 to 20 s without; at n = 80 their programs take minutes.
EXACT_CELLS = 2_500
CELLS_KEPT = 60  # numbers a point and possible centre: costs, openings, duals of working pairs


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
        return self.objective if np.isinf(self.p) else self.objective ** (1 / self.p)


def lower_bound(
    X: Any,
    n_clusters: int = 8,
    *,
    p: float = 2,
    metric: Any = "euclidean",
    divergence: Any = "tv",
    similarity: Any = "global",
    n_neighbors: int | None = None,
    group_tolerance: float | None = None,
    group_bounds: Any = None,
    individual: bool | str = True,
    missing_sensitive: str = "group",
    sensitive_features: Any = None,
    sample_weight: Any = None,
    tol: float = 1e-5,
    max_time: float | None = None,
    verbose: int = 0,
) -> LowerBound:
    """A lower bound on the cost of every fair clustering, whatever its centres (rows of X).

    The arguments are those of ``LikewiseClustering`` and its ``fit``. The work grows with n^2 times
    the pairs that matter: seconds for n = 80, minutes for n = 300. Whenever it ends, the bound
    holds; ``tol`` and ``max_time`` only say how tight it has to be. For k-center (p = inf) it is
    half the least distance among k + 1 points far from each other.
    """
    check_number("tol", tol, Real, 0)
    if max_time is not None:
        check_number("max_time", max_time, Real, 0)
    task = read_task(
        check_array(X, accept_sparse="csr", dtype=np.float64, order="C"),
        n_clusters,
        p=p,
        metric=metric,
        divergence=divergence,
        similarity=similarity,
        n_neighbors=n_neighbors,
        group_tolerance=group_tolerance,
        group_bounds=group_bounds,
        individual=individual,
        missing_sensitive=missing_sensitive,
        sensitive_features=sensitive_features,
        sample_weight=sample_weight,
    )
    if np.isinf(p):
        return _of_radius(task)
    rows = task.distances.distinct_rows()  # possible centres
    _check_memory(task.distances.n_points, len(rows))
    n_open = min(n_clusters, len(rows))
    problem = task.problem(task.distances.to_rows(rows), n_open)
    by_cuts = task.divergence.piecewise_linear and problem.cost.size <= EXACT_CELLS
    engine = "exact" if by_cuts else "first-order"
    answer = solve(problem, engine, tol=tol, max_time=max_time, verbose=verbose)
    certificate = certify(problem, answer.distributions, answer.duals)
    return LowerBound(
        objective=certificate.lower_bound,
        p=p,
        relaxed_objective=certificate.objective,
        gap=certificate.gap,
        certificate=certificate,
        seconds=answer.seconds,
    )


def _of_radius(task: Task) -> LowerBound:
    """Of k + 1 points two share a centre, which cannot be nearer to both than half their way."""
    rows = farthest_first(task.distances, min(task.n_clusters + 1, task.distances.n_points))
    apart = task.distances.to_rows(rows)[rows]
    np.fill_diagonal(apart, np.inf)
    radius = 0.5 * float(apart.min()) if len(rows) > task.n_clusters else 0.0
    return LowerBound(radius, np.inf, np.inf, np.inf, None, 0.0)


def _check_memory(n: int, n_possible: int) -> None:
    wanted, free = 8 * CELLS_KEPT * n * n_possible, available()
    if free is not None and wanted > free:
        raise NotEnoughMemory(
            f"X: the bound for {n:,} rows needs about {wanted / 2**30:.1f} GB, but only"
            f" {free / 2**30:.1f} GB are free. Bound a sample of the rows."
        )
