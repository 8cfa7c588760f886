"""What is to be clustered and how fairly: everything that a fit is told, apart from the centres."""

from dataclasses import dataclass, replace
from numbers import Integral, Real
from typing import Any

import numpy as np

from likewise._typing import Array
from likewise._validation import check_clusters, check_number, check_weights
from likewise.compute import memory
from likewise.compute.executor import LOCAL, Executor
from likewise.divergences.registry import Divergence, as_divergence
from likewise.geometry.distances import Distances
from likewise.groups.bounds import GroupBounds
from likewise.groups.membership import Groups
from likewise.problem.assignment import AssignmentProblem
from likewise.problem.fairness import read_fairness
from likewise.similarities.build import build_pairs
from likewise.similarities.pairs import LISTED_PAIRS, Pairs, PairSource


@dataclass(frozen=True)
class Task:
    """Points, distances, weights, and the pairs and groups that must be treated fairly."""

    n_clusters: int
    p: float
    distances: Distances
    weights: Array
    pairs: PairSource
    divergence: Divergence
    bounds: GroupBounds | None
    groups: Groups | None
    compared: str | None  # whose pairs: "all", "within-groups" or nobody's
    executor: Executor = LOCAL  # where work over all pairs is done

    @property
    def n_cells(self) -> int:
        """Points times centres."""
        return self.distances.n_points * self.n_clusters

    def costs(self, distances: Array) -> Array:
        """What distances to centres cost: to the power p, times the weights. For k-center the
        radius comes first (``radius``), then the distances themselves.
        """
        power = 1 if np.isinf(self.p) else self.p
        with np.errstate(over="ignore"):
            return np.asarray(self.weights[:, None] * distances**power)

    def scaled(self, factor: float) -> "Task":
        """The same with all bounds multiplied; by infinity: nobody is compared with anybody."""
        if np.isinf(factor):
            return replace(self, pairs=Pairs([], [], []))
        return replace(self, pairs=self.pairs.scaled(factor))

    def problem(
        self, distances: Array, n_open: int | None = None, allowed: Array | None = None
    ) -> AssignmentProblem:
        """The assignment to centres at these distances."""
        cost = self.costs(distances)
        return AssignmentProblem(
            cost,
            self.pairs,
            self.divergence,
            self.bounds,
            n_open,
            allowed,
            executor=self.executor,
        )


def read_task(
    X: Any,
    n_clusters: Any,
    *,
    p: Any,
    metric: Any,
    divergence: Any,
    similarity: Any,
    n_neighbors: Any,
    group_tolerance: Any,
    group_bounds: Any,
    individual: Any,
    missing_sensitive: str,
    sensitive_features: Any,
    sample_weight: Any,
    executor: Executor = LOCAL,
) -> Task:
    """Check the arguments of a fit; X has been checked by scikit-learn."""
    check_number("p", p, Real, 1)
    if n_neighbors is not None:
        check_number("n_neighbors", n_neighbors, Integral, 1)
    compared_by = as_divergence(divergence)
    n = X.shape[0]
    check_clusters(n_clusters, n)
    weights = check_weights(sample_weight, X)
    fairness = read_fairness(
        individual,
        sensitive_features,
        weights,
        tolerance=group_tolerance,
        explicit=group_bounds,
        missing=missing_sensitive,
    )
    dimensions = 0 if metric == "precomputed" else X.shape[1]  # never copied then
    listed = 0 if individual is False else _listed_pairs(n, n_neighbors, similarity)
    curved = not compared_by.piecewise_linear
    memory.check(n, n_clusters, dimensions, n_neighbors, listed, curved)
    distances = Distances(X, metric)
    pairs = fairness.pairs(
        lambda: build_pairs(
            similarity,
            distances,
            n_clusters=n_clusters,
            n_neighbors=n_neighbors,
            executor=executor,
        )
    )
    return Task(
        n_clusters,
        p,
        distances,
        weights,
        pairs,
        compared_by,
        fairness.bounds,
        fairness.groups,
        fairness.compared,
        executor,
    )


def _listed_pairs(n: int, n_neighbors: int | None, similarity: Any) -> int:
    """How many pairs will be kept as a list."""
    neighbors = n - 1 if n_neighbors is None else min(n_neighbors, n - 1)
    pairs = n * neighbors
    is_rule = isinstance(similarity, str)
    return pairs if neighbors < n - 1 or not is_rule else min(pairs, LISTED_PAIRS)
