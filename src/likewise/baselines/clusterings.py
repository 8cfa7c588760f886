"""Hard, soft and group-fair clustering.

k-center (p = inf) goes by the distances themselves wherever a sum or a probability is asked for:
soft clustering has probabilities proportional to exp(-beta d), group-fair assignments have the
least expected distance. What a clustering costs is then still its radius: see ``problem.costs``.
"""

from dataclasses import dataclass, replace
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import brentq

from likewise._typing import Array, Metric, Seed
from likewise._validation import (
    check_clusters,
    check_costs,
    check_number,
    check_weights,
)
from likewise.baselines.rounding import round_to_labels
from likewise.centers.choose import CentersLike, choose_centers, warn_of_repeated
from likewise.errors import InvalidArgument
from likewise.geometry.distances import Distances
from likewise.geometry.mixed import as_rows
from likewise.groups.bounds import GroupBounds, bounds_from
from likewise.groups.membership import Groups
from likewise.problem.assignment import AssignmentProblem
from likewise.problem.costs import cost_of, expected_total, powers, weighted_powers
from likewise.similarities.pairs import Pairs
from likewise.solvers.solve import solve

PAPER_TOLERANCE = 0.2  # for groups, in all of the paper's experiments
ROUNDING = 1e-12  # objectives that agree to this share are the same


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
        """The most likely centre of each point."""
        return np.asarray(self.distributions.argmax(axis=1))

    @property
    def objective(self) -> float:
        """The sum over points of weight times expected distance to the power p (for k-center,
        times expected distance).
        """
        return expected_total(self.distributions, powers(self.distances, self.p), self.weights)

    @property
    def cost(self) -> float:
        """``objective ** (1 / p)``; for k-center the largest distance at which anybody of positive
        weight has any probability.
        """
        return cost_of(self.distributions, self.distances, self.weights, self.p)

    def rounded(self) -> Array:
        """Whole labels from a group-fair assignment, with Bera et al.'s guarantee: each group's
        count in each cluster is off by a small constant at most, and the objective does not rise.
        """
        if self.bounds is None or np.ptp(self.weights) > 0:
            raise InvalidArgument(
                "rounded",
                "only group-fair assignments of points of equal weight have the guarantee.",
                "Use group_fair(...) without sample_weight.",
            )
        member = self.bounds.groups.member
        return round_to_labels(self.distributions, powers(self.distances, self.p), member)


def hard_clustering(
    X: object,
    n_clusters: int,
    *,
    p: float = 2,
    metric: Metric = "euclidean",
    centers: CentersLike = "auto",
    sample_weight: ArrayLike | None = None,
    random_state: Seed = None,
) -> Baseline:
    """Everybody to the nearest centre: k-means (p = 2), k-median (p = 1), and so on."""
    rows, metric = as_rows(X, metric)
    check_clusters(n_clusters, rows.shape[0])
    check_number("p", p, Real, 1)
    weights = check_weights(sample_weight, rows)
    chosen = choose_centers(
        centers,
        Distances(rows, metric),
        n_clusters=n_clusters,
        p=p,
        weights=weights,
        random_state=random_state,
    )
    warn_of_repeated(centers, chosen)
    nearest = np.eye(n_clusters)[chosen.distances.argmin(axis=1)]
    return Baseline(nearest, chosen.indices, chosen.distances, p, weights)


def soft_clustering(X: object, n_clusters: int, beta: float, **options: Any) -> Baseline:
    """Soft k-means with inverse temperature beta: probabilities proportional to exp(-beta d^p).

    0 gives everybody the same chances everywhere, infinity is hard clustering. The centres stay
    where the hard clustering has them; ``options`` are those of ``hard_clustering``.
    """
    hard = hard_clustering(X, n_clusters, **options)
    return replace(hard, distributions=soft_assignment(hard.distances, beta, hard.p))


def soft_assignment(distances: ArrayLike, beta: float, p: float = 2) -> Array:
    """Distributions proportional to exp(-beta d^p); for p = inf to exp(-beta d)."""
    if not (isinstance(beta, Real) and beta >= 0):
        raise InvalidArgument(
            "beta", f"{beta!r} is not an inverse temperature.", "Use a number >= 0, or inf."
        )
    away = check_costs(powers(np.asarray(distances, dtype=np.float64), p))
    away = away - away.min(axis=1, keepdims=True)
    chances = (away == 0).astype(np.float64) if np.isinf(beta) else np.exp(-beta * away)
    return np.asarray(chances / chances.sum(axis=1, keepdims=True))


def stiffness_at_cost(
    distances: ArrayLike,
    objective: float,
    p: float = 2,
    sample_weight: ArrayLike | None = None,
    costs: ArrayLike | None = None,
) -> float:
    """The inverse temperature beta at which soft clustering has this objective: with it, costs are
    the same and what is left to compare is fairness. Infinity where the objective is that of hard
    clustering. For p = inf the objective is the expected distance, as everywhere.

    ``costs`` (n, k) is what it costs to send anybody anywhere, if that is not ``distances ** p``:
    soft k-means goes by the means of clusters, but its cost is compared at the rows nearest to
    them.
    """
    distances = np.asarray(distances, dtype=np.float64)
    weights = check_weights(sample_weight, distances)
    paid = powers(distances, p) if costs is None else np.asarray(costs, dtype=np.float64)

    def above(beta: float) -> float:
        return expected_total(soft_assignment(distances, beta, p), paid, weights) - objective

    hardest, softest = above(np.inf), above(0.0)
    slack = ROUNDING * abs(objective)
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
    largest = 1.0 / max(float(np.median(paid)), 1e-300)
    while above(largest) > 0:
        largest *= 4
    return float(brentq(above, 0.0, largest, xtol=1e-15 * largest, rtol=1e-14, maxiter=500))


def group_fair(
    X: object,
    n_clusters: int,
    sensitive_features: object,
    *,
    group_tolerance: float | None = None,
    group_bounds: object = None,
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
        group_tolerance = PAPER_TOLERANCE
    bounds = bounds_from(groups, hard.weights, group_tolerance, group_bounds)
    cost = weighted_powers(hard.distances, hard.weights, hard.p)
    answer = solve(AssignmentProblem(cost, Pairs([], [], []), "tv", bounds), solver, tol=tol)
    return replace(hard, distributions=answer.distributions, bounds=bounds)
