"""Are like individuals treated alike? Pairs, judged under any similarity."""

from collections.abc import Iterable
from dataclasses import dataclass
from numbers import Integral

import numpy as np
from numpy.typing import ArrayLike

from likewise._typing import Array, Metric
from likewise._validation import (
    as_distributions,
    check_clusters,
    check_number,
    check_scale,
)
from likewise.divergences.registry import Divergence, as_divergence
from likewise.errors import InvalidArgument
from likewise.geometry.distances import Distances
from likewise.geometry.mixed import as_rows
from likewise.groups.membership import Groups
from likewise.metrics.tallies import Tally, tally_pairs
from likewise.similarities.build import build_pairs
from likewise.similarities.pairs import PairBlock, PairSource, excess_of

ROUNDING = 1e-9  # a pair this far above its bound counts as within, as in the certificate


def constrained_pairs(
    X: object,
    similarity: object = "local",
    *,
    n_clusters: int,
    bound_scale: float = 1.0,
    n_neighbors: int | None = None,
    metric: Metric = "euclidean",
    sensitive_features: object = None,
) -> PairSource:
    """The pairs of rows of X that a similarity compares, with their bounds times ``bound_scale``.

    With ``sensitive_features``, only pairs of rows that share a protected value.
    """
    rows, metric = as_rows(X, metric)
    n = rows.shape[0]
    check_clusters(n_clusters, n)
    if n_neighbors is not None:
        check_number("n_neighbors", n_neighbors, Integral, 1)
    check_scale("bound_scale", bound_scale)
    pairs = build_pairs(
        similarity,
        Distances(rows, metric),
        n_clusters=n_clusters,
        n_neighbors=n_neighbors,
        bound_scale=bound_scale,
    )
    if sensitive_features is None:
        return pairs
    return pairs.within(Groups.from_features(sensitive_features, n))


@dataclass(frozen=True)
class Violations:
    """Pairs treated more differently than their bounds allow."""

    count: int
    checked: int
    worst_excess: float

    @staticmethod
    def of(tally: Tally) -> "Violations":
        """Of everybody's pairs together."""
        worst = float(tally.worst.max(initial=-np.inf))
        return Violations(int(tally.violated.sum()), int(tally.compared.sum()), worst)

    @property
    def share(self) -> float:
        """Of the pairs that were checked."""
        return self.count / self.checked if self.checked else 0.0


@dataclass(frozen=True)
class UnequalPair:
    """Two rows, how differently they are treated and how differently they may be."""

    i: int
    j: int
    divergence: float
    bound: float

    @property
    def excess(self) -> float:
        """How far the divergence is above the bound."""
        return self.divergence - self.bound


def violations(
    distributions: ArrayLike,
    pairs: PairSource,
    divergence: str | Divergence = "tv",
    tolerance: float = ROUNDING,
) -> Violations:
    """How many of the pairs are above their bounds, and by how much at worst."""
    x = as_distributions_of(pairs, distributions)
    (tally,) = tally_pairs([x], pairs, as_divergence(divergence), tolerance)
    return Violations.of(tally)


def worst_pairs(
    distributions: ArrayLike,
    pairs: PairSource,
    divergence: str | Divergence = "tv",
    count: int = 10,
) -> list[UnequalPair]:
    """The pairs that are furthest above their bounds (or nearest to them), worst first; each pair
    once, in the order that is worse.
    """
    x = as_distributions_of(pairs, distributions)
    return _worst_of_blocks(x, pairs.blocks(), as_divergence(divergence), count)


def worst_by_tally(
    x: Array, pairs: PairSource, measure: Divergence, tally: Tally, count: int
) -> list[UnequalPair]:
    """The same where the pairs have been tallied. The worst 2 ``count`` blocks hold as many ordered
    pairs that no pair of another block is worse than: ``count`` pairs, each in both orders at most.
    So the other blocks need not be looked at again.
    """
    order = np.argsort(-tally.worst_in_block, kind="stable")[: 2 * count]
    blocks = (block for at in sorted(order.tolist()) for block in pairs.blocks(at, at + 1))
    return _worst_of_blocks(x, blocks, measure, count)


def _worst_of_blocks(
    x: Array, blocks: Iterable[PairBlock], measure: Divergence, count: int
) -> list[UnequalPair]:
    worst: list[UnequalPair] = []
    for block in blocks:
        worst = _most_unequal(worst, block, block.divergences(measure, x), count)
    return worst


def _most_unequal(
    known: list[UnequalPair], block: PairBlock, values: Array, count: int
) -> list[UnequalPair]:
    """The worst of those known so far and of a block with these divergences, worst first. Of a pair
    that is there both ways round the worse one is kept.
    """
    excess = excess_of(values, block.bound).ravel()
    if len(known) == count:
        above = np.flatnonzero(excess > known[-1].excess)  # few, once some blocks have been seen
    else:
        above = np.flatnonzero(np.isfinite(block.bound.ravel()))
    # half of them may be others the other way round
    places = above[np.argsort(-excess[above], kind="stable")[: 2 * count]]
    columns = (*block.pairs_at(places), values.ravel()[places], block.bound.ravel()[places])
    found = [
        UnequalPair(int(i), int(j), float(value), float(bound))
        for i, j, value, bound in zip(*columns, strict=True)
    ]
    worst: dict[frozenset[int], UnequalPair] = {}
    for pair in sorted(known + found, key=lambda pair: -pair.excess):
        worst.setdefault(frozenset((pair.i, pair.j)), pair)
    return list(worst.values())[:count]


def as_distributions_of(pairs: PairSource, distributions: ArrayLike) -> Array:
    """Distributions, or labels as such, of every row that the pairs name."""
    x = as_distributions(distributions)
    if pairs.n_rows > len(x):
        raise InvalidArgument(
            "distributions",
            f"{len(x)} rows, but the pairs name row {pairs.n_rows - 1}.",
            "Pass the distribution of every row that the pairs were made from.",
        )
    return x
