"""Are protected groups treated alike? Shares, bias and balance, and what geometry allows.

With M_rc the mass that group r brings to cluster c, S_c that of everybody and p_r the group's
share of the data:

* **additive violation**: max over c of M_rc - alpha_r S_c and beta_r S_c - M_rc, in points;
* **bias** of r: max over c of |M_rc - p_r S_c|, in members of the group (divided by what it
  weighs). The paper calls it max-violation_r / |G_r|;
* **balance**: min over r and c of how the group's share of the cluster compares with its share of
  the data, whichever way round is smaller (Bera et al. 2019). 1 is perfect, 0 is segregation.

The paper's theorem (appendix D): if pairs are fair under F = d and a divergence of at least TV,
the bias of a group is at most the earth mover's distance between the group and everybody, under d.
Groups that live in the same places are then treated alike without being asked for.
"""

from dataclasses import dataclass
from numbers import Real

import numpy as np
from numpy.typing import ArrayLike

from likewise._typing import Array, Metric
from likewise._validation import as_distributions, weights_of
from likewise.compute import memory
from likewise.errors import InvalidArgument, NotEnoughMemory, require_extra
from likewise.geometry.diameter import diameter
from likewise.geometry.distances import Distances
from likewise.geometry.mixed import as_rows
from likewise.groups.bounds import bounds_from
from likewise.groups.membership import GroupName, Groups

MOST_PIVOTS = 10_000_000  # of the network simplex: so that it ends by itself (POT: 100,000)
TABLES = 3  # of n x n numbers at a time: all distances, those of a group, and POT's flows
ROUNDING = 1e-9  # what the certificate allows, and more than the transport is off by


def _read(
    distributions: ArrayLike, features: object, sample_weight: ArrayLike | None
) -> tuple[Array, Groups, Array]:
    """Distributions, groups and weights, checked against each other."""
    x = as_distributions(distributions)
    groups = features if isinstance(features, Groups) else Groups.from_features(features, len(x))
    if groups.n_points != len(x):
        raise InvalidArgument(
            "sensitive_features",
            f"they are of {groups.n_points} points, not of {len(x)}.",
            "Pass the groups of the points that were clustered.",
        )
    return x, groups, weights_of(sample_weight, len(x))


def cluster_shares(
    distributions: ArrayLike, sensitive_features: object, sample_weight: ArrayLike | None = None
) -> dict[GroupName, Array]:
    """Each group's share of each cluster; not a number in clusters that nobody is in."""
    x, groups, weights = _read(distributions, sensitive_features, sample_weight)
    mass, total = groups.masses(x, weights)
    with np.errstate(divide="ignore", invalid="ignore"):
        return dict(zip(groups.names, mass / total, strict=True))


def balance(
    distributions: ArrayLike, sensitive_features: object, sample_weight: ArrayLike | None = None
) -> dict[GroupName, float]:
    """Per group, the worst ratio of its share of a cluster to its share of the data."""
    x, groups, weights = _read(distributions, sensitive_features, sample_weight)
    mass, total = groups.masses(x, weights)
    expected = np.outer(groups.shares(weights), total)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.minimum(mass / expected, expected / mass)
    worst = np.where(expected > 0, np.nan_to_num(ratio), np.inf).min(axis=1)
    return dict(zip(groups.names, np.minimum(worst, 1.0).tolist(), strict=True))


def bias(
    distributions: ArrayLike, sensitive_features: object, sample_weight: ArrayLike | None = None
) -> dict[GroupName, float]:
    """Per group, how far its part of a cluster is from proportional, in shares of the group."""
    x, groups, weights = _read(distributions, sensitive_features, sample_weight)
    mass, total = groups.masses(x, weights)
    size = groups.weights(weights)
    away = np.abs(mass - np.outer(groups.shares(weights), total)).max(axis=1)
    relative = np.divide(away, size, out=np.zeros_like(away), where=size > 0)
    return dict(zip(groups.names, relative.tolist(), strict=True))


@dataclass(frozen=True)
class GroupShares:
    """A protected group: what it gets of each cluster."""

    group: GroupName
    size: int  # members
    share: float  # of everybody
    cluster_shares: tuple[float, ...]  # of each cluster
    balance: float
    bias: float


def group_shares(
    distributions: ArrayLike, sensitive_features: object, sample_weight: ArrayLike | None = None
) -> list[GroupShares]:
    """All of it for every group."""
    x, groups, weights = _read(distributions, sensitive_features, sample_weight)
    shares = groups.shares(weights).tolist()
    of_clusters = cluster_shares(x, groups, weights)
    balances, biases = balance(x, groups, weights), bias(x, groups, weights)
    return [
        GroupShares(
            group=name,
            size=int(groups.sizes[number]),
            share=shares[number],
            cluster_shares=tuple(of_clusters[name].tolist()),
            balance=balances[name],
            bias=biases[name],
        )
        for number, name in enumerate(groups.names)
    ]


def additive_violation(
    distributions: ArrayLike,
    sensitive_features: object,
    *,
    group_tolerance: float | None = None,
    group_bounds: object = None,
    sample_weight: ArrayLike | None = None,
) -> dict[GroupName, float]:
    """Per group, by how many points some cluster misses the bounds at worst; <= 0: kept."""
    x, groups, weights = _read(distributions, sensitive_features, sample_weight)
    if group_tolerance is None and not group_bounds:
        group_tolerance = 0.0
    bounds = bounds_from(groups, weights, group_tolerance, group_bounds)
    assert bounds is not None
    worst = bounds.excess(x).max(axis=1) * weights.sum()
    return dict(zip(groups.names, worst.tolist(), strict=True))


def earth_movers_distance(
    X: object,
    sensitive_features: object,
    *,
    metric: Metric = "euclidean",
    scale: str | float = "largest",
    sample_weight: ArrayLike | None = None,
) -> dict[GroupName, float]:
    """Per group, how far its members must move to lie like everybody (optimal transport, exact).

    Distances are divided by ``scale``: a number, or "largest" for the largest distance in X, which
    is the similarity "global" that the theorem speaks of.
    """
    require_extra("transport", "earth_movers_distance")
    import ot  # a second to load: only when asked for

    if not (scale == "largest" or (isinstance(scale, Real) and scale > 0)):
        raise InvalidArgument(
            "scale", f"{scale!r} is not a scale.", "Use 'largest' or a positive number."
        )
    rows_of_X, metric = as_rows(X, metric)
    n = rows_of_X.shape[0]
    _check_memory(n)
    distances = Distances(rows_of_X, metric)
    table = distances.rows(0, n)
    unit = diameter(distances) if isinstance(scale, str) else float(scale)
    _, groups, weights = _read(np.ones((n, 1)), sensitive_features, sample_weight)
    everybody = weights / weights.sum()
    moved = {}
    for r, name in enumerate(groups.names):
        rows = groups.rows(r)
        part = weights[rows] / max(weights[rows].sum(), 1e-300)
        cost = np.ascontiguousarray(table[rows])
        moved[name] = 0.0
        if unit > 0 and part.sum() > 0:
            moved[name] = float(ot.emd2(part, everybody, cost, numItermax=MOST_PIVOTS)) / unit
    return moved


def _check_memory(n: int) -> None:
    free = memory.available()
    if free is not None and 8 * TABLES * n * n > free:
        raise NotEnoughMemory(
            f"X: the distances between {n:,} rows do not fit in memory. Pass a sample of the rows."
        )


@dataclass(frozen=True)
class BiasOfGroup:
    """A group's bias, and the earth mover's distance that bounds it if pairs are fair."""

    group: GroupName
    bias: float
    distance: float

    @property
    def within(self) -> bool:
        """Whether the bias is at most the distance, as the theorem promises."""
        return self.bias <= self.distance + ROUNDING


def bias_and_distance(
    distributions: ArrayLike, X: object, sensitive_features: object, *, metric: Metric = "euclidean"
) -> list[BiasOfGroup]:
    """Both sides of the theorem for every group, the most biased group first.

    The paper's tables show the first of them.
    """
    biases = bias(distributions, sensitive_features)
    moved = earth_movers_distance(X, sensitive_features, metric=metric)
    groups = [BiasOfGroup(name, biases[name], moved[name]) for name in biases]
    return sorted(groups, key=lambda group: -group.bias)
