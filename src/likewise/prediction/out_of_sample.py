"""The out-of-sample extension: how alike a new point is to the fitted ones, and what it gets.

A new point is compared with each fitted point as if both had been fitted together: within d / (the
largest fitted distance) under the global similarity, within min(1, d / r) under the local one, with
the new point's radius and with the other's. New points are not compared with each other, so that
what one gets does not depend on who else is asked about.
"""

from functools import cached_property

import numpy as np
from scipy import sparse

from likewise._typing import Array, Matrix
from likewise.geometry.distances import BLOCK_CELLS
from likewise.geometry.neighbors import is_within, kth_smallest, neighbor_radius
from likewise.groups.membership import Groups
from likewise.prediction.cuts import Peers
from likewise.prediction.solve import Prediction, cheapest_fair
from likewise.problem.specification import Task
from likewise.similarities.build import rule_for_others
from likewise.similarities.rules import MutualBounds, Rule


class OutOfSampleExtension:
    """The fitted points and their distributions, and how alike new points are to them.

    Rows of weight 0 are no measure for others: only the other rows are compared with.
    """

    def __init__(self, task: Task, distributions: Array) -> None:
        distances, groups = task.distances, task.fairness.groups
        counted = np.flatnonzero(task.weights > 0)
        self._counted: Array | None = None
        if 0 < len(counted) < len(task.weights):
            self._counted = counted
            distances, distributions = distances.among(counted), distributions[counted]
            groups = None if groups is None else groups.among(counted)
        self._distances = distances
        self._similarity = task.specification.similarity
        self._bound_scale = task.specification.bound_scale
        self._n_clusters = task.n_clusters
        self._n_neighbors = task.specification.n_neighbors
        self._peers = Peers(task.divergence, np.ascontiguousarray(distributions))
        self._groups = groups if task.fairness.compared == "within-groups" else None
        self._compares_nobody = task.fairness.compared is None

    @property
    def groups(self) -> Groups | None:
        """Of the fitted points, where only those who share a protected value are compared."""
        return self._groups

    def to_centers(self, X: Matrix, centers: Matrix) -> Array:
        """Distances of new points to the centres."""
        return self._distances.between(self._like_fitted(X), self._like_fitted(centers))

    def predict(self, X: Matrix, costs: Array, groups: Groups | None) -> Prediction:
        """The distributions of new points with these costs at the centres."""
        n, k = costs.shape
        X = self._like_fitted(X)
        x, factors = np.empty((n, k)), np.ones(n)
        step = max(1, BLOCK_CELLS // self._distances.n_points)
        for start in range(0, n, step):
            part = slice(start, min(start + step, n))
            of_part = None if groups is None else groups.among(np.arange(n)[part])
            found = self._predict_block(X[part], costs[part], of_part)
            x[part], factors[part] = found.distributions, found.factors
        return Prediction(x, factors)

    def _predict_block(self, X: Matrix, costs: Array, groups: Groups | None) -> Prediction:
        distances = self._distances.from_points(self._to_counted(X))
        bounds = self._bounds(X, distances)
        if self._groups is not None and groups is not None:
            compared = groups.table_with(self._groups)
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
        if self._compares_nobody:
            nothing = np.full(distances.shape, np.inf)
            return MutualBounds(nothing, nothing.copy())
        bounds = self._rule.between(X, distances)
        if self._n_neighbors is not None and self._n_neighbors < self._distances.n_points - 1:
            own = kth_smallest(distances, self._n_neighbors)
            bounds.there[~is_within(distances, own[:, None])] = np.inf
            bounds.back[~is_within(distances, self._neighbor_radius[None, :])] = np.inf
        return bounds

    @cached_property
    def _rule(self) -> Rule:
        return rule_for_others(
            self._similarity, self._distances, self._n_clusters, self._bound_scale
        )

    @cached_property
    def _neighbor_radius(self) -> Array:
        assert self._n_neighbors is not None
        return neighbor_radius(self._distances, self._n_neighbors)

    def _to_counted(self, X: Matrix) -> Matrix:
        """Precomputed distances are to all fitted rows: those to the ones that count."""
        of_all = self._distances.metric == "precomputed" and self._counted is not None
        return X[:, self._counted] if of_all else X

    def _like_fitted(self, X: Matrix) -> Matrix:
        return sparse.csr_array(X) if sparse.issparse(self._distances.X) else X
