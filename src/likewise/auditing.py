"""Who is treated unequally: pairs, people and groups, in one pass over all pairs."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from likewise._typing import Array
from likewise._validation import as_distributions
from likewise.divergences.registry import Divergence, as_divergence
from likewise.groups.membership import GroupName, Groups
from likewise.metrics.group import balance, bias, cluster_shares
from likewise.metrics.individual import ROUNDING, UnequalPair, Violations, most_unequal
from likewise.similarities.pairs import PairSource, excess_of


@dataclass(frozen=True)
class UnequalPerson:
    """A row, with how many of the rows it is compared with it is treated too differently from."""

    row: int
    violated: int
    compared: int
    worst_excess: float


@dataclass(frozen=True)
class GroupAudit:
    """A protected group: what it gets of each cluster, and how its members fare."""

    group: GroupName
    size: int
    share: float  # of everybody
    cluster_shares: tuple[float, ...]  # of each cluster
    balance: float
    bias: float
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


def audit(
    distributions: ArrayLike,
    pairs: PairSource,
    sensitive_features: object = None,
    *,
    divergence: str | Divergence = "tv",
    top: int = 10,
) -> Audit:
    """Judge any clustering, hard labels or soft distributions, under these pairs and groups."""
    x, measure = as_distributions(distributions), as_divergence(divergence)
    n = len(x)
    violated, compared = np.zeros(n, dtype=np.int64), np.zeros(n, dtype=np.int64)
    worst_of = np.full(n, -np.inf)
    worst: list[UnequalPair] = []
    for block in pairs.blocks():
        values = block.divergences(measure, x)
        excess = excess_of(values, block.bound)
        above, counted = excess > ROUNDING, np.isfinite(block.bound)
        violated += block.count_by_row(above, n)
        compared += block.count_by_row(counted, n)
        worst_of = np.maximum(worst_of, block.max_by_row(excess, n))
        worst = most_unequal(worst, block, values, top)
    found = Violations(
        int(violated.sum()), int(compared.sum()), float(worst_of.max(initial=-np.inf))
    )
    return Audit(
        pairs=found,
        worst_pairs=worst,
        worst_people=_worst_people(violated, compared, worst_of, top),
        people_affected=int((violated > 0).sum()),
        cluster_sizes=tuple(x.sum(axis=0).tolist()),
        groups=_groups(x, sensitive_features, violated, compared),
    )


def _worst_people(violated: Array, compared: Array, worst: Array, top: int) -> list[UnequalPerson]:
    order = np.lexsort((-worst, -violated))[:top]
    return [
        UnequalPerson(int(row), int(violated[row]), int(compared[row]), float(worst[row]))
        for row in order
        if violated[row] > 0
    ]


def _groups(x: Array, features: object, violated: Array, compared: Array) -> list[GroupAudit]:
    if features is None:
        return []
    groups = Groups.from_features(features, len(x))
    shares, balances, biases = (
        cluster_shares(x, groups),
        balance(x, groups),
        bias(x, groups),
    )
    found = []
    for number, name in enumerate(groups.names):
        rows = groups.rows(number)
        pairs = compared[rows].sum()
        found.append(
            GroupAudit(
                group=name,
                size=len(rows),
                share=len(rows) / len(x),
                cluster_shares=tuple(shares[name].tolist()),
                balance=balances[name],
                bias=biases[name],
                violated=float(violated[rows].sum() / pairs) if pairs else 0.0,
            )
        )
    return found
