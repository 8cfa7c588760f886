"""What a fit is told: how many centres, at what cost, how fairly. And the task it makes of data."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from likewise._typing import Array, Matrix, Metric
from likewise._validation import check_clusters, check_number, check_scale, check_weights
from likewise.compute import memory
from likewise.compute.budget import PREPARING, Budget
from likewise.compute.executor import LOCAL, Executor
from likewise.divergences.registry import Divergence, as_divergence
from likewise.errors import check_keywords
from likewise.geometry.distances import Distances
from likewise.geometry.mixed import as_rows
from likewise.groups.bounds import GroupBounds, check_tolerance
from likewise.groups.membership import check_missing
from likewise.problem.assignment import AssignmentProblem
from likewise.problem.costs import weighted_powers
from likewise.problem.fairness import Fairness, check_individual, read_fairness
from likewise.similarities.build import build_pairs
from likewise.similarities.pairs import LISTED_PAIRS, Pairs, PairSource, UnknownPairs


@dataclass(frozen=True)
class Specification:
    """Everything that a fit is told, apart from the data, the centres and how to solve.

    The names, the meanings and the defaults are those of ``LikewiseClustering``. What can be
    checked without data is checked at once.
    """

    n_clusters: int = 8
    p: float = 2
    metric: Metric = "euclidean"
    divergence: str | Divergence = "tv"
    similarity: object = "local"
    bound_scale: float = 1.0
    n_neighbors: int | None = None
    group_tolerance: float | None = None
    group_bounds: object = None
    individual: bool | str = True
    missing_sensitive: str = "group"

    def __post_init__(self) -> None:
        check_number("p", self.p, Real, 1)
        if self.n_neighbors is not None:
            check_number("n_neighbors", self.n_neighbors, Integral, 1)
        check_scale("bound_scale", self.bound_scale)
        as_divergence(self.divergence)
        check_number("n_clusters", self.n_clusters, Integral, 1)
        if self.group_tolerance is not None:
            check_tolerance(self.group_tolerance)
        check_missing(self.missing_sensitive)
        check_individual(self.individual)

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """What may be said, in this order."""
        return tuple(field.name for field in fields(cls))

    @classmethod
    def of(cls, parameters: Mapping[str, Any]) -> "Specification":
        """From the parameters of an estimator: those that are no concern of this one are left."""
        return cls(**{name: parameters[name] for name in cls.names() if name in parameters})

    @classmethod
    def from_keywords(cls, n_clusters: int, keywords: Mapping[str, object]) -> "Specification":
        """From what a function was given; a keyword of any other name is an error."""
        check_keywords(keywords, cls.names()[1:])
        return cls.of({"n_clusters": n_clusters, **keywords})

    @property
    def bounds_groups(self) -> bool:
        """Whether protected groups are to have bounds."""
        return self.group_tolerance is not None or bool(self.group_bounds)

    @property
    def is_curved(self) -> bool:
        """Whether the divergence is no maximum of planes."""
        return not as_divergence(self.divergence).piecewise_linear

    def task_of_table(
        self,
        X: object,
        sensitive_features: object = None,
        sample_weight: ArrayLike | None = None,
    ) -> "Task":
        """The same asked of a table that nobody has read yet."""
        rows, metric = as_rows(X, self.metric)
        return replace(self, metric=metric).task(rows, sensitive_features, sample_weight)

    def task(
        self,
        X: Matrix,
        sensitive_features: object = None,
        sample_weight: ArrayLike | None = None,
        executor: Executor = LOCAL,
        budget: Budget | None = None,
    ) -> "Task":
        """The same asked of these rows; scikit-learn has checked X."""
        check_clusters(self.n_clusters, X.shape[0])
        weights = check_weights(sample_weight, X)
        fairness = read_fairness(
            self.individual,
            sensitive_features,
            weights,
            tolerance=self.group_tolerance,
            explicit=self.group_bounds,
            missing=self.missing_sensitive,
        )
        self._check_memory(X, fairness)
        distances = Distances(X, self.metric)
        n = distances.n_points
        pairs: PairSource = UnknownPairs(n, n * self.compared_with(n))
        with (budget or Budget()).cut_short(PREPARING):
            pairs = fairness.pairs(
                lambda: build_pairs(
                    self.similarity,
                    distances,
                    n_clusters=self.n_clusters,
                    n_neighbors=self.n_neighbors,
                    bound_scale=self.bound_scale,
                    executor=executor,
                )
            )
        return Task(self, distances, weights, fairness, pairs, executor)

    def compared_with(self, n: int) -> int:
        """With how many others each of n points is compared, at least where there are ties."""
        return n - 1 if self.n_neighbors is None else min(self.n_neighbors, n - 1)

    def _check_memory(self, X: Matrix, fairness: Fairness) -> None:
        n, d = X.shape
        dimensions = 0 if self.metric == "precomputed" else d  # never copied then
        listed = 0 if fairness.compared is None else self._listed_pairs(n)
        memory.check(n, self.n_clusters, dimensions, self.n_neighbors, listed, self.is_curved)

    def _listed_pairs(self, n: int) -> int:
        """How many pairs of n points will be kept as a list."""
        neighbors = self.compared_with(n)
        pairs = n * neighbors
        is_rule = isinstance(self.similarity, str)
        return pairs if neighbors < n - 1 or not is_rule else min(pairs, LISTED_PAIRS)


@dataclass(frozen=True)
class Task:
    """Points, distances, weights, and the pairs and groups that must be treated fairly."""

    specification: Specification
    distances: Distances
    weights: Array
    fairness: Fairness
    pairs: PairSource
    executor: Executor = LOCAL

    @property
    def n_clusters(self) -> int:
        return self.specification.n_clusters

    @property
    def p(self) -> float:
        return self.specification.p

    @property
    def divergence(self) -> Divergence:
        return as_divergence(self.specification.divergence)

    @property
    def bounds(self) -> GroupBounds | None:
        return self.fairness.bounds

    @property
    def pairs_are_known(self) -> bool:
        """Whether there was time to find out who is compared with whom, and within what bounds."""
        return not isinstance(self.pairs, UnknownPairs)

    @property
    def n_cells(self) -> int:
        """Points times centres."""
        return self.distances.n_points * self.n_clusters

    def costs(self, distances: Array) -> Array:
        """What distances to centres cost. For k-center the radius comes first (``fitting``), then
        the distances themselves.
        """
        return weighted_powers(distances, self.weights, self.p)

    def scaled(self, factor: float) -> "Task":
        """The same with all bounds multiplied; by infinity: nobody is compared with anybody."""
        if np.isinf(factor):
            return replace(self, pairs=Pairs([], [], []))
        return replace(self, pairs=self.pairs.scaled(factor))

    def of_rows(self, rows: Array) -> "Task":
        """The same for some of the rows: their pairs with the bounds they have among all, but no
        bounds on groups, which are about everybody.
        """
        return replace(
            self,
            distances=self.distances.among(rows),
            weights=self.weights[rows],
            fairness=self.fairness.of_rows(rows),
            pairs=self.pairs.of_rows(rows),
        )

    def problem(
        self, distances: Array, n_open: int | None = None, allowed: Array | None = None
    ) -> AssignmentProblem:
        """The assignment to centres at these distances."""
        return AssignmentProblem(
            self.costs(distances),
            self.pairs,
            self.divergence,
            self.bounds,
            n_open,
            allowed,
            executor=self.executor,
        )

    def fingerprint(self) -> Iterator[object]:
        """What the answer depends on, but for the centres and how long it may take: values, arrays
        and functions that tell this task from any other.
        """
        yield from (self.n_clusters, float(self.p), self.weights)
        yield self.divergence.fingerprint()
        yield from self.distances.fingerprint()
        yield from self.pairs.fingerprint()
        yield from self.fairness.fingerprint()
