"""Hard, soft and group-fair clustering."""

from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
from scipy.optimize import brentq

from likewise._typing import Array
from likewise._validation import as_table, check_clusters, check_number, check_weights
from likewise.baselines.rounding import round_to_labels
from likewise.centers.choose import choose_centers
from likewise.errors import InvalidArgument
from likewise.geometry.distances import Distances
from likewise.groups.bounds import GroupBounds, bounds_from
from likewise.groups.membership import Groups
from likewise.problem.assignment import AssignmentProblem
from likewise.similarities.pairs import Pairs
from likewise.solvers.solve import solve


@dataclass(frozen=True)
class Baseline:
    """A clustering: distributions over centres and what they cost."""

    distributions: Array
    center_indices: Array
    distances: Array  # (n, k), to the centres
    p: float
    weights: Array
    bounds: GroupBounds | None = None

    @property
    def labels(self) -> Array:
        return self.distributions.argmax(axis=1)

    @property
    def objective(self) -> float:
        return float((self.weights[:, None] * self.distributions * self.distances**self.p).sum())

    @property
    def cost(self) -> float:
        return self.objective ** (1 / self.p)

    def rounded(self) -> Array:
        """Whole labels from a group-fair assignment, with Bera et al.'s guarantee: each group's
        count in each cluster is off by a small constant at most, and the cost does not rise.
        """
        if self.bounds is None or np.ptp(self.weights) > 0:
            raise InvalidArgument(
                "rounded",
                "only group-fair assignments of points of equal weight have the guarantee.",
                "Use group_fair(...) without sample_weight.",
            )
        member = self.bounds.groups.member
        return round_to_labels(self.distributions, self.distances**self.p, member)


def hard_clustering(
    X: Any,
    n_clusters: int,
    *,
    p: float = 2,
    metric: Any = "euclidean",
    centers: Any = "auto",
    sample_weight: Any = None,
    random_state: Any = None,
) -> Baseline:
    """Everybody to the nearest centre: k-means (p = 2), k-median (p = 1), and so on."""
    X = as_table(X)
    check_clusters(n_clusters, X.shape[0])
    check_number("p", p, Real, 1)
    weights = check_weights(sample_weight, X)
    chosen = choose_centers(
        centers,
        Distances(X, metric),
        n_clusters=n_clusters,
        p=p,
        weights=weights,
        random_state=random_state,
    )
    nearest = np.eye(n_clusters)[chosen.distances.argmin(axis=1)]
    return Baseline(nearest, chosen.indices, chosen.distances, p, weights)


def soft_clustering(X: Any, n_clusters: int, beta: float, **options: Any) -> Baseline:
    """Soft k-means with stiffness beta: probabilities proportional to exp(-beta d^p).

    0 gives everybody the same chances everywhere, infinity is hard clustering. The centres stay
    where the hard clustering has them; ``options`` are those of ``hard_clustering``.
    """
    hard = hard_clustering(X, n_clusters, **options)
    soft = soft_assignment(hard.distances, beta, hard.p)
    return Baseline(soft, hard.center_indices, hard.distances, hard.p, hard.weights)


def soft_assignment(distances: Array, beta: float, p: float = 2) -> Array:
    """Distributions proportional to exp(-beta d^p)."""
    if not (isinstance(beta, Real) and beta >= 0):
        raise InvalidArgument("beta", f"{beta!r} is not a stiffness.", "Use a number >= 0, or inf.")
    away = distances**p
    away = away - away.min(axis=1, keepdims=True)
    chances = (away == 0).astype(np.float64) if np.isinf(beta) else np.exp(-beta * away)
    return chances / chances.sum(axis=1, keepdims=True)


def stiffness_at_cost(
    distances: Array,
    objective: float,
    p: float = 2,
    sample_weight: Any = None,
    costs: Any = None,
) -> float:
    """The beta at which soft clustering has this objective: with it, costs are the same and what
    is left to compare is fairness. Infinity where the objective is that of hard clustering.

    ``costs`` (n, k) is what it costs to send anybody anywhere, if that is not ``distances ** p``:
    soft k-means goes by the means of clusters, but its cost is compared at the rows nearest to
    them.
    """
    distances = np.asarray(distances, dtype=np.float64)
    weights = check_weights(sample_weight, distances)
    powers = distances**p if costs is None else np.asarray(costs, dtype=np.float64)

    def above(beta: float) -> float:
        soft = soft_assignment(distances, beta, p)
        return float((weights[:, None] * soft * powers).sum()) - objective

    hardest, softest = above(np.inf), above(0.0)
    slack = 1e-12 * abs(objective)
    if not (hardest <= slack and softest >= -slack):
        raise InvalidArgument(
            "objective",
            f"{objective:g} is outside what soft clustering can cost:"
            f" {hardest + objective:g} (hard) to {softest + objective:g} (beta = 0).",
            "Pass an objective in between.",
        )
    if hardest >= -slack:
        return float("inf")
    if softest <= slack:
        return 0.0
    largest = 1.0 / max(float(np.median(powers)), 1e-300)
    while above(largest) > 0:
        largest *= 4
    return float(brentq(above, 0.0, largest, xtol=1e-15 * largest, rtol=1e-14, maxiter=500))


def group_fair(
    X: Any,
    n_clusters: int,
    sensitive_features: Any,
    *,
    group_tolerance: float | None = None,
    group_bounds: Any = None,
    solver: str = "auto",
    tol: float = 1e-4,
    **options: Any,
) -> Baseline:
    """Group fairness alone: the cheapest fractional assignment within the bounds on groups.

    Without a tolerance and without bounds the tolerance is 0.2, as in the paper.
    ``rounded()`` of the result makes whole labels of it. ``options`` are those of
    ``hard_clustering``.
    """
    hard = hard_clustering(X, n_clusters, **options)
    groups = Groups.from_features(sensitive_features, len(hard.weights))
    if group_tolerance is None and not group_bounds:
        group_tolerance = 0.2
    bounds = bounds_from(groups, hard.weights, group_tolerance, group_bounds)
    cost = hard.weights[:, None] * hard.distances**hard.p
    answer = solve(AssignmentProblem(cost, Pairs([], [], []), "tv", bounds), solver, tol=tol)
    return Baseline(
        answer.distributions, hard.center_indices, hard.distances, hard.p, hard.weights, bounds
    )
