"""People who come later: the cheapest distribution that is fair to everybody who is there.

A newcomer is compared with each fitted point as if both had been fitted together: within d / (the
largest fitted distance) under the global similarity, within min(1, d / r) under the local one,
with the newcomer's radius and with the other's. Newcomers are not compared with each other, so that
what one gets does not depend on who else is asked about.

Total variation over more than two centres cannot always be extended to one more point: three
neighbours may leave no distribution that is near enough to all of them. Then all of the newcomer's
bounds are multiplied by the least factor that leaves one, and the factor is reported.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse
from scipy.optimize import linprog

from likewise._typing import Array
from likewise.compute.threads import over_ranges
from likewise.divergences.registry import Divergence
from likewise.errors import InvalidArgument
from likewise.geometry.distances import BLOCK_CELLS, TIE, Distances
from likewise.groups.membership import Groups
from likewise.prediction import kernels
from likewise.similarities.build import CallableRule, takes_one_argument

MOST_STEPS = 2_000  # of the simplex; it takes some ten
MOST_CUTS = 400  # of curved divergences, in general some twenty
KEPT = 1e-9  # a bound exceeded by less is kept
HALVINGS = 40  # of the search for the least factor
# Planes are laid at bounds this much smaller, so that what meets them but for rounding is within.
WITHIN = 1 - 1e-8


@dataclass(frozen=True)
class Newcomers:
    """Their distributions, and by what their bounds had to be multiplied (1: kept)."""

    distributions: Array
    factors: Array


class Neighborhood:
    """Everybody who is there, and how alike newcomers are to them."""

    def __init__(
        self,
        distances: Distances,
        similarity: Any,
        *,
        n_clusters: int,
        n_neighbors: int | None,
        compared: str | None,
        divergence: Divergence,
        distributions: Array,
        weights: Array,
        groups: Groups | None,
    ) -> None:
        counted = np.flatnonzero(weights > 0)
        self._counted: Array | None = None
        if 0 < len(counted) < len(weights):  # rows of weight 0 are no measure for others
            self._counted = counted
            distances, distributions = distances.among(counted), distributions[counted]
            groups = None if groups is None else groups.among(counted)
        self._distances = distances
        self._similarity = similarity
        self._n_clusters = n_clusters
        self._n_neighbors = n_neighbors
        self._divergence = divergence
        self._distributions = np.ascontiguousarray(distributions)
        self._groups = groups if compared == "within-groups" else None
        self._nobody = compared is None

    @property
    def needs_groups(self) -> bool:
        return self._groups is not None

    def to_centers(self, X: Any, centers: Any) -> Array:
        """Distances of newcomers to the centres."""
        return self._distances.between(self._like_fitted(X), self._like_fitted(centers))

    def _to_counted(self, X: Any) -> Any:
        """Precomputed distances are to all fitted rows: those to the ones that count."""
        of_all = self._distances.metric == "precomputed" and self._counted is not None
        return X[:, self._counted] if of_all else X

    def _like_fitted(self, X: Any) -> Any:
        return sparse.csr_array(X) if sparse.issparse(self._distances.X) else X

    def welcome(self, X: Any, costs: Array, groups: Groups | None) -> Newcomers:
        """The distributions of newcomers with these costs at the centres."""
        n, k = costs.shape
        X = self._like_fitted(X)
        found, factors = np.empty((n, k)), np.ones(n)
        step = max(1, BLOCK_CELLS // self._distances.n_points)
        for start in range(0, n, step):
            part = slice(start, min(start + step, n))
            away = self._distances.from_points(self._to_counted(X[part]))
            towards, back = self._bounds(X[part], away)
            if self._groups is not None and groups is not None:
                strangers = ~_share_a_group(groups, self._groups, part)
                towards[strangers], back[strangers] = np.inf, np.inf
                away[strangers] = np.inf
            found[part], factors[part] = self._solved(costs[part], towards, back)
            twins = away == 0
            for row in np.flatnonzero(twins.any(axis=1)):
                found[start + row] = self._distributions[twins[row].argmax()]
                factors[start + row] = 1.0
        return Newcomers(found, factors)

    def _bounds(self, X: Any, away: Array) -> tuple[Array, Array]:
        """Of (newcomer, other) and of (other, newcomer)."""
        if self._nobody:
            return np.full(away.shape, np.inf), np.full(away.shape, np.inf)
        similarity = self._similarity
        if isinstance(similarity, str) and similarity == "global":
            largest = self._largest
            towards = away / largest if largest > 0 else np.zeros_like(away)
            back = towards.copy()
        elif isinstance(similarity, str):
            towards = _shares(away, _kth(away, self._ball)[:, None])
            back = _shares(away, self._radius[None, :])
        else:
            towards, back = self._called(X)
        if self._n_neighbors is not None and self._n_neighbors < self._distances.n_points - 1:
            towards[away > _kth(away, self._n_neighbors)[:, None] * TIE] = np.inf
            back[away > self._neighbor_radius[None, :] * TIE] = np.inf
        return towards, back

    def _called(self, X: Any) -> tuple[Array, Array]:
        function = self._similarity
        if not callable(function) or takes_one_argument(function):
            raise InvalidArgument(
                "similarity",
                "it says nothing about points that were not there when it was made.",
                "Fit with 'global', 'local' or a function of two points.",
            )
        rule = CallableRule.of(function, self._distances.X)
        return rule.between(X, self._distances.X), rule.between(self._distances.X, X).T.copy()

    @cached_property
    def _largest(self) -> float:
        return self._distances.largest()

    @property
    def _ball(self) -> int:
        n = self._distances.n_points
        return max(1, min(n // self._n_clusters, n - 1))

    @cached_property
    def _radius(self) -> Array:
        return self._distances.neighbor_radius(self._ball)

    @cached_property
    def _neighbor_radius(self) -> Array:
        assert self._n_neighbors is not None
        return self._distances.neighbor_radius(self._n_neighbors)

    def _solved(self, costs: Array, towards: Array, back: Array) -> tuple[Array, Array]:
        if self._divergence.name == "tv":
            return self._by_simplex(costs, np.minimum(towards, back))
        parts = [
            self._by_cuts(cost, to, fro) for cost, to, fro in zip(costs, towards, back, strict=True)
        ]
        return np.array([x for x, _ in parts]), np.array([factor for _, factor in parts])

    def _by_simplex(self, costs: Array, bounds: Array) -> tuple[Array, Array]:
        n, k = costs.shape
        found, factors, states = np.empty((n, k)), np.empty(n), np.empty(n, dtype=np.int64)
        over_ranges(
            kernels.newcomers,
            n,
            np.ascontiguousarray(costs),
            self._distributions,
            np.ascontiguousarray(bounds),
            MOST_STEPS,
            found,
            factors,
            states,
            grain=4,
        )
        for row in np.flatnonzero(states == kernels.UNFINISHED):
            found[row], factors[row] = self._by_cuts(costs[row], bounds[row], bounds[row])
        return self._settled(found, factors, bounds, bounds)

    def _by_cuts(self, cost: Array, towards: Array, back: Array) -> tuple[Array, float]:
        """Any divergence: cuts by HiGHS; where there is no way, bounds grow until there is one."""
        x = self._within(cost, towards, back)
        factor = 1.0
        if x is None:
            low, high = 0.0, 1.0  # logarithms of factors
            while (x := self._within(cost, np.exp(high) * towards, np.exp(high) * back)) is None:
                low, high = high, 2 * high
            for _ in range(HALVINGS):
                middle = 0.5 * (low + high)
                tried = self._within(cost, np.exp(middle) * towards, np.exp(middle) * back)
                low, high = (middle, high) if tried is None else (low, middle)
                x = x if tried is None else tried
            factor = float(np.exp(high))
        settled, factors = self._settled(x[None], np.array([factor]), towards[None], back[None])
        return settled[0], float(factors[0])

    def _within(self, cost: Array, towards: Array, back: Array) -> Array | None:
        """The cheapest distribution that keeps the bounds; None where there is none."""
        k = len(cost)
        rows: list[Array] = []
        limits: list[float] = []
        scale = max(float(np.ptp(cost)), 1e-300)
        for _ in range(MOST_CUTS):
            solved = linprog(
                (cost - cost.min()) / scale,
                A_ub=np.array(rows) if rows else None,
                b_ub=np.array(limits) if rows else None,
                A_eq=np.ones((1, k)),
                b_eq=[1.0],
                bounds=(0.0, 1.0),
                method="highs-ds",
                options={"primal_feasibility_tolerance": 1e-10},
            )
            if solved.status == 2:
                return None
            x = np.maximum(solved.x, 0.0)
            x = x / x.sum()
            added = self._cuts(x, towards, back)
            if not added:
                break
            for row, limit in added:
                rows.append(row)
                limits.append(limit)
        return x

    def _cuts(self, x: Array, towards: Array, back: Array) -> list[tuple[Array, float]]:
        """Planes that cut x off from what is fair to the points it is most unfair to."""
        others = self._distributions
        same = np.broadcast_to(x, others.shape)
        planes = []
        for bound, newcomer_first in ((towards, True), (back, False)):
            pair = (same, others) if newcomer_first else (others, same)
            excess = self._divergence.values(*pair) - bound
            worst = np.argsort(-excess)[:3]
            worst = worst[excess[worst] > 0.1 * KEPT]
            if not len(worst):
                continue
            alpha, beta, limit = self._divergence.cuts(
                pair[0][worst], pair[1][worst], WITHIN * bound[worst]
            )
            mine, theirs = (alpha, beta) if newcomer_first else (beta, alpha)
            rest = limit - (theirs * others[worst]).sum(axis=1)
            size = np.maximum(np.abs(mine).max(axis=1), 1e-300)
            planes += list(zip(mine / size[:, None], (rest / size).tolist(), strict=True))
        return planes

    def _settled(
        self, found: Array, factors: Array, towards: Array, back: Array
    ) -> tuple[Array, Array]:
        """Whole distributions, and the factors they really need."""
        found = np.maximum(found, 0.0)
        found /= found.sum(axis=1, keepdims=True)
        for row, x in enumerate(found):
            same = np.broadcast_to(x, self._distributions.shape)
            needed = factors[row] if factors[row] > 1 + KEPT else 1.0
            for bound, pair in (
                (towards[row], (same, self._distributions)),
                (back[row], (self._distributions, same)),
            ):
                value = self._divergence.values(*pair)
                above = value > bound + KEPT
                if above.any():
                    with np.errstate(divide="ignore"):
                        needed = max(needed, float((value[above] / bound[above]).max()))
            factors[row] = needed
        return found, factors


def _share_a_group(newcomers: Groups, fitted: Groups, part: slice) -> Array:
    """(newcomers, fitted): whether they have a protected value in common."""
    place = {name: number for number, name in enumerate(fitted.names)}
    shared = np.zeros((len(range(*part.indices(newcomers.n_points))), fitted.n_points), dtype=bool)
    member = newcomers.member[part].toarray() > 0
    for number, name in enumerate(newcomers.names):
        if name in place:
            theirs = np.zeros(fitted.n_points, dtype=bool)
            theirs[fitted.rows(place[name])] = True
            shared |= member[:, number, None] & theirs[None, :]
    return shared


def _kth(away: Array, count: int) -> Array:
    """The distance of each newcomer to the so-many-th nearest fitted point."""
    return np.partition(away, count - 1, axis=1)[:, count - 1]


def _shares(away: Array, radius: Array) -> Array:
    with np.errstate(divide="ignore", invalid="ignore"):
        share = away / radius
    share[away == 0] = 0.0
    return np.minimum(share, 1.0)
