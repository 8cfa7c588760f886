"""Who is treated unequally: pairs, people and groups, in one pass over all pairs."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from likewise._typing import Array
from likewise.divergences.registry import Divergence, as_divergence
from likewise.groups.membership import Groups
from likewise.metrics.group import GroupShares, group_shares
from likewise.metrics.individual import (
    ROUNDING,
    UnequalPair,
    Violations,
    as_distributions_of,
    worst_by_tally,
)
from likewise.metrics.tallies import Tally, nothing, tally_pairs
from likewise.similarities.pairs import PairSource


@dataclass(frozen=True)
class UnequalPerson:
    """A row, with how many of the rows it is compared with it is treated too differently from."""

    row: int
    violated: int
    compared: int
    worst_excess: float


@dataclass(frozen=True)
class GroupAudit(GroupShares):
    """A protected group: what it gets of each cluster, and how its members fare."""

    violated: float  # share of the pairs of its members that are above their bounds


@dataclass(frozen=True)
class Audit:
    """What was found."""

    pairs: Violations
    worst_pairs: list[UnequalPair]
    worst_people: list[UnequalPerson]
    people_affected: int  # rows with any pair above its bound
    cluster_sizes: tuple[float, ...]
    groups: list[GroupAudit]

    @property
    def is_fair(self) -> bool:
        return self.pairs.count == 0


@dataclass(frozen=True)
class PairAudit:
    """What was found about pairs alone."""

    pairs: Violations
    people_affected: int  # rows with any pair above its bound
    examples: list[
        UnequalPair
    ]  # the worst in which nobody is twice, if they are above their bounds


def audit(
    distributions: ArrayLike,
    pairs: PairSource,
    sensitive_features: object = None,
    *,
    divergence: str | Divergence = "tv",
    top: int = 10,
) -> Audit:
    """Judge any clustering, hard labels or soft distributions, under these pairs and groups."""
    x, measure = as_distributions_of(pairs, distributions), as_divergence(divergence)
    (tally,) = tally_pairs([x], pairs, measure, ROUNDING)
    return Audit(
        pairs=Violations.of(tally),
        worst_pairs=worst_by_tally(x, pairs, measure, tally, top),
        worst_people=_worst_people(tally, top),
        people_affected=int((tally.violated > 0).sum()),
        cluster_sizes=tuple(x.sum(axis=0).tolist()),
        groups=_groups(x, sensitive_features, tally),
    )


def audit_pairs(
    clusterings: Sequence[ArrayLike],
    pairs: PairSource,
    *,
    divergence: str | Divergence = "tv",
    examples: int = 10,
    after_block: Callable[[], None] = nothing,
) -> list[PairAudit]:
    """Judge several clusterings of the same people by their pairs, in one pass over these."""
    measure = as_divergence(divergence)
    every = [as_distributions_of(pairs, each) for each in clusterings]
    tallies = tally_pairs(every, pairs, measure, ROUNDING, after_block)
    return [
        PairAudit(
            pairs=Violations.of(tally),
            people_affected=int((tally.violated > 0).sum()),
            examples=_examples(x, pairs, measure, tally, examples),
        )
        for x, tally in zip(every, tallies, strict=True)
    ]


def _examples(
    x: Array, pairs: PairSource, measure: Divergence, tally: Tally, most: int
) -> list[UnequalPair]:
    """Of the worst pair of each person the worst, each person once: one who is on the wrong side of
    everybody would otherwise be in all of them.
    """
    chosen: list[tuple[int, int]] = []
    met: set[int] = set()
    for row in np.argsort(-tally.worst, kind="stable").tolist():
        if len(chosen) == most or tally.worst[row] <= ROUNDING:
            break
        pair = row, int(tally.worst_with[row])
        if met.isdisjoint(pair):
            chosen.append(pair)
            met.update(pair)
    i, j = np.array(chosen, dtype=np.int64).reshape(-1, 2).T
    values, bounds = measure.values(x[i], x[j]).tolist(), pairs.bounds_at(i, j).tolist()
    return [
        UnequalPair(*pair, *both)
        for pair, both in zip(chosen, zip(values, bounds, strict=True), strict=True)
    ]


def _worst_people(tally: Tally, top: int) -> list[UnequalPerson]:
    violated, compared, worst = tally.violated, tally.compared, tally.worst
    order = np.lexsort((-worst, -violated))[:top]
    return [
        UnequalPerson(int(row), int(violated[row]), int(compared[row]), float(worst[row]))
        for row in order
        if violated[row] > 0
    ]


def _groups(x: Array, features: object, tally: Tally) -> list[GroupAudit]:
    if features is None:
        return []
    groups = Groups.from_features(features, len(x))
    member = groups.member.T
    violated, compared = member @ tally.violated, member @ tally.compared
    share = np.divide(violated, compared, out=np.zeros(len(groups)), where=compared > 0)
    return [
        GroupAudit(**vars(shares), violated=float(share[number]))
        for number, shares in enumerate(group_shares(x, groups))
    ]
