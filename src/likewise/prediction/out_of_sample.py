"""The out-of-sample extension: how alike a new point is to the fitted ones, and what it gets.

A new point is compared with each fitted point as if both had been fitted together: within d / (the
largest fitted distance) under the global similarity, within min(1, d / r) under the local one, with
the new point's radius and with the other's. New points are not compared with each other, so that
what one gets does not depend on who else is asked about.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import sparse

from likewise._typing import Array, Matrix
from likewise.divergences.registry import Divergence
from likewise.geometry.distances import BLOCK_CELLS, Distances
from likewise.geometry.neighbors import is_within, kth_smallest, neighbor_radius
from likewise.groups.membership import Groups
from likewise.prediction.cuts import Peers
from likewise.prediction.euclidean import EuclideanPredictor, NewPoints
from likewise.prediction.kernels import UNFINISHED
from likewise.prediction.solve import MOST_STEPS, Prediction, cheapest_fair
from likewise.problem.specification import Task
from likewise.similarities.build import rule_for_others
from likewise.similarities.pairs import EveryPair, PairSource
from likewise.similarities.quotients import quotient_of
from likewise.similarities.rules import MutualBounds, Rule


@dataclass(frozen=True)
class FittedPeople:
    """Those whom later people are compared with, and how: all that a prediction needs of a fit.

    Rows of weight 0 are no measure for others: only the other rows are here.
    """

    distances: Distances
    distributions: Array
    divergence: Divergence
    similarity: object
    bound_scale: float
    n_clusters: int
    n_neighbors: int | None
    compares_nobody: bool
    groups: Groups | None = None  # where only those who share a protected value are compared
    counted: Array | None = None  # which of the fitted rows these are; None: all
    rule: Rule | None = None  # what the similarity means for others, where it is known already

    @staticmethod
    def of(task: Task, distributions: Array) -> "FittedPeople":
        """The people of a task, as far as they count."""
        told, distances, groups = task.specification, task.distances, task.fairness.groups
        rule = _rule_of(task.pairs) if isinstance(told.similarity, str) else None
        counted = np.flatnonzero(task.weights > 0)
        are_all = len(counted) in (0, len(task.weights))
        if not are_all:
            distances, distributions, rule = distances.among(counted), distributions[counted], None
            groups = None if groups is None else groups.among(counted)
        return FittedPeople(
            distances=distances,
            distributions=np.ascontiguousarray(distributions),
            divergence=task.divergence,
            similarity=told.similarity,
            bound_scale=told.bound_scale,
            n_clusters=task.n_clusters,
            n_neighbors=told.n_neighbors,
            compares_nobody=task.fairness.compared is None,
            groups=groups if task.fairness.compared == "within-groups" else None,
            counted=None if are_all else counted,
            rule=rule,
        )

    def rule_for_others(self) -> Rule:
        """What bounds people who were not fitted."""
        if self.rule is not None:
            return self.rule
        return rule_for_others(self.similarity, self.distances, self.n_clusters, self.bound_scale)


def _rule_of(pairs: PairSource) -> Rule | None:
    """The rule of every pair, which the fit has worked out."""
    return pairs.rule if isinstance(pairs, EveryPair) else None


class OutOfSampleExtension:
    """The fitted points and their distributions, and how alike new points are to them."""

    def __init__(self, people: FittedPeople) -> None:
        self.people = people
        self._distances = people.distances
        self._peers = Peers(people.divergence, people.distributions)

    @property
    def groups(self) -> Groups | None:
        """Of the fitted points, where only those who share a protected value are compared."""
        return self.people.groups

    def to_centers(self, X: Matrix, centers: Matrix) -> Array:
        """Distances of new points to the centres."""
        return self._distances.between(self._like_fitted(X), self._like_fitted(centers))

    def predict(self, X: Matrix, costs: Array, groups: Groups | None) -> Prediction:
        """The distributions of new points with these costs at the centres."""
        X = self._like_fitted(X)
        quickly = self._quickly
        if quickly is None or not _can_be_squared(X, self._distances.X):
            return self._predict_rows(np.arange(len(costs)), X, costs, groups)
        x, factors, state = quickly.predict(
            NewPoints(X, np.ascontiguousarray(costs), self._masks_of(groups, len(costs)))
        )
        unfinished = np.flatnonzero(state == UNFINISHED)
        if len(unfinished):
            found = self._predict_rows(unfinished, X, costs, groups)
            x[unfinished], factors[unfinished] = found.distributions, found.factors
        return Prediction(x, factors)

    def _predict_rows(
        self, rows: Array, X: Matrix, costs: Array, groups: Groups | None
    ) -> Prediction:
        """Some of the new points, block by block, whatever the metric and the divergence."""
        x, factors = np.empty((len(rows), costs.shape[1])), np.ones(len(rows))
        step = max(1, BLOCK_CELLS // self._distances.n_points)
        for start in range(0, len(rows), step):
            part = slice(start, start + step)
            block = rows[part]
            of_block = None if groups is None else groups.among(block)
            found = self._predict_block(X[block], costs[block], of_block)
            x[part], factors[part] = found.distributions, found.factors
        return Prediction(x, factors)

    @cached_property
    def _quickly(self) -> EuclideanPredictor | None:
        """The same in compiled loops from the distances on, where there are such."""
        distances = self._distances
        is_tv = self._peers.divergence.name == "tv"
        if not (distances.has_vectors and is_tv) or self.people.compares_nobody:
            return None
        quotient = quotient_of(self._rule, distances.n_points)
        if quotient is None:
            return None
        neighbors = None if self._n_compared is None else (self._n_compared, self._neighbor_radius)
        masks = self._everybody if self.groups is None else self.groups.masks
        return EuclideanPredictor.of(
            distances.X, self._peers.distributions, quotient, neighbors, masks, MOST_STEPS
        )

    @property
    def _everybody(self) -> Array:
        return np.ones((self._distances.n_points, 1), dtype=np.uint64)

    def _masks_of(self, groups: Groups | None, n: int) -> Array:
        """Bits of new points: they have one in common with those they are compared with."""
        if self.groups is None or groups is None:
            return np.ones((n, 1), dtype=np.uint64)
        return groups.masks_as(self.groups)

    def _predict_block(self, X: Matrix, costs: Array, groups: Groups | None) -> Prediction:
        distances = self._distances.from_points(self._to_counted(X))
        bounds = self._bounds(X, distances)
        fitted = self.people.groups
        if fitted is not None and groups is not None:
            compared = groups.table_with(fitted)
            for table in (*bounds, distances):
                table[~compared] = np.inf
        duplicates = distances == 0
        is_new = ~duplicates.any(axis=1)
        x, factors = self._peers.distributions[duplicates.argmax(axis=1)], np.ones(len(costs))
        if is_new.any():
            of_new = MutualBounds(bounds.there[is_new], bounds.back[is_new])
            found = cheapest_fair(costs[is_new], self._peers, of_new)
            x[is_new], factors[is_new] = found.distributions, found.factors
        return Prediction(x, factors)

    def _bounds(self, X: Matrix, distances: Array) -> MutualBounds:
        """The bounds of new points and fitted ones, infinite where they are not compared."""
        if self.people.compares_nobody:
            nothing = np.full(distances.shape, np.inf)
            return MutualBounds(nothing, nothing.copy())
        bounds = self._rule.between(X, distances)
        if self._n_compared is not None:
            own = kth_smallest(distances, self._n_compared)
            bounds.there[~is_within(distances, own[:, None])] = np.inf
            bounds.back[~is_within(distances, self._neighbor_radius[None, :])] = np.inf
        return bounds

    @property
    def _n_compared(self) -> int | None:
        """With how many nearest neighbours each is compared; None: with everybody."""
        m = self.people.n_neighbors
        return None if m is None or m >= self._distances.n_points - 1 else m

    @cached_property
    def _rule(self) -> Rule:
        return self.people.rule_for_others()

    @cached_property
    def _neighbor_radius(self) -> Array:
        assert self.people.n_neighbors is not None
        return neighbor_radius(self._distances, self.people.n_neighbors)

    def _to_counted(self, X: Matrix) -> Matrix:
        """Precomputed distances are to all fitted rows: those to the ones that count."""
        counted = self.people.counted
        of_all = self._distances.metric == "precomputed" and counted is not None
        return X[:, counted] if of_all else X

    def _like_fitted(self, X: Matrix) -> Matrix:
        return sparse.csr_array(X) if sparse.issparse(self._distances.X) else X


def _can_be_squared(A: Array, B: Array) -> bool:
    """Whether distances between rows of both are numbers; where not, it is for others to say so."""
    largest = max(np.abs(A).max(initial=0.0), np.abs(B).max(initial=0.0))
    with np.errstate(over="ignore"):
        return bool(np.isfinite(A.shape[1] * np.square(2 * largest)))
