"""Looking for pairs that are treated too differently, over all constrained pairs.

Three scanners behind one interface; ``make_scanner`` picks.

* ``ListScanner``: the pairs are a list (neighbours, the user's own, or few enough to be listed).
* ``EuclideanScanner``: every pair of points, bounds computed from the coordinates as the scan
  goes, in compiled loops that give up on a pair as soon as it is seen to be within its bound.
* ``BlockScanner``: every pair under any other rule or metric, a block of bounds at a time.

The last two never hold more than a few pairs a point. A full scan over n^2 / 2 pairs is dear, so
what it finds goes into a pool, a list that is scanned in between.
"""

from copy import copy
from dataclasses import dataclass, replace
from typing import Protocol, Self

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from likewise.divergences import TotalVariation
from likewise.pairs import LISTED_PAIRS, EveryPair, Pairs, PairSource
from likewise.parallel import over_ranges
from likewise.problem import AssignmentProblem
from likewise.similarities import GlobalRule, LocalRule
from likewise.solvers import scan_kernels
from likewise.solvers.comparable import Comparable, linked_twins
from likewise.solvers.found import FoundPairs, Merging
from likewise.solvers.leaves import LEAF, boxes, near_order
from likewise.solvers.pair_rules import PairRule, share_to_mix
from likewise.types import Array

PER_POINT = 20  # a scan over every pair gives so many a point at most, the worst
BY_EXCESS = 16  # of them by how far they are above their bounds, the others by what part
ROW_GRAIN = 64
PAIRS_A_BOX = 3  # to find that a box is out of reach takes as long as so many pairs


@dataclass(frozen=True)
class Scan:
    """What a scan saw: pairs above their bound, and how much mixing would bring all below."""

    found: FoundPairs
    share: float


class Scanner(Protocol):
    """Finds pairs whose divergence is above their bound."""

    merging: Merging
    mixer: Array  # the common distribution that shares are shares of

    @property
    def pairs_scanned(self) -> int: ...

    @property
    def knows_all(self) -> bool:
        """Whether a quick scan looks at all pairs."""
        ...

    @property
    def full_cost(self) -> int:
        """How many pairs a full scan looks at."""
        ...

    def quick(self, x: Array) -> Scan:
        """Pairs with divergence > bound, among those that mattered before."""
        ...

    def full(self, x: Array) -> Scan:
        """Pairs with divergence > bound, among all; ``share`` is over all too."""
        ...

    def tightened(self, slack: float) -> "Scanner":
        """The same with bounds of 1 - slack times what they are."""
        ...


class ListScanner:
    """All pairs are in memory."""

    knows_all = True

    def __init__(self, merging: Merging, listed: FoundPairs, rule: PairRule, mixer: Array) -> None:
        self.merging = merging
        self.listed = listed
        self.rule = rule
        self.mixer = mixer
        self.pairs_scanned = 0

    @property
    def full_cost(self) -> int:
        return len(self.listed)

    def full(self, x: Array) -> Scan:
        above, share = self.rule.above(x, self.listed, self.mixer)
        self.pairs_scanned += len(self.listed)
        return Scan(self.listed.take(above), share)

    quick = full

    def tightened(self, slack: float) -> "ListScanner":
        listed = replace(self.listed, bound=(1.0 - slack) * self.listed.bound)
        return ListScanner(self.merging, listed, self.rule, self.mixer)


class _PooledScanner:
    """Every pair, with a pool of those that full scans have found."""

    knows_all = False

    def __init__(self, merging: Merging, rule: PairRule, mixer: Array) -> None:
        self.merging = merging
        self.mixer = mixer
        self.rule = rule
        self.factor = 1.0  # of the bounds
        self._empty()

    def _empty(self) -> None:
        self.pool = ListScanner(self.merging, FoundPairs.none(), self.rule, self.mixer)
        self._scanned = 0

    def tightened(self, slack: float) -> Self:
        tight = copy(self)
        tight.factor = self.factor * (1.0 - slack)
        tight._empty()
        return tight

    @property
    def pairs_scanned(self) -> int:
        return self._scanned + self.pool.pairs_scanned

    @property
    def full_cost(self) -> int:
        return self.merging.n_merged * (self.merging.n_merged - 1) // 2

    def quick(self, x: Array) -> Scan:
        return self.pool.full(x)

    def full(self, x: Array) -> Scan:
        scan = self._scan_all(x)
        self._scanned += self.merging.n_merged * (self.merging.n_merged - 1) // 2
        self.pool.listed = self.merging.once(FoundPairs.join([self.pool.listed, scan.found]))
        return scan

    def _scan_all(self, x: Array) -> Scan:
        raise NotImplementedError


class EuclideanScanner(_PooledScanner):
    """Every pair of points, bound d(i, j) / max(radius_i, radius_j), total variation."""

    def __init__(self, merging: Merging, source: EveryPair, rule: PairRule, mixer: Array) -> None:
        super().__init__(merging, rule, mixer)
        X, bounds = source.distances.X, source.rule
        self.comparable = Comparable(merging.label, source.groups)
        row_of = self.comparable.row_of
        X = X[row_of]
        self.order = near_order(X).astype(np.int32)
        spread = np.argsort(-X.var(axis=0))  # the columns that tell points apart come first
        self.X = np.ascontiguousarray(X[self.order][:, spread])
        self.masks = self.comparable.masks[self.order]
        self._work = super().full_cost
        if isinstance(bounds, LocalRule):
            self.radius = bounds.radius[row_of]
        else:
            assert isinstance(bounds, GlobalRule)
            self.radius = np.full(len(self.X), bounds.largest)

    @property
    def full_cost(self) -> int:
        return self._work

    def _scan_all(self, x: Array) -> Scan:
        n = len(self.X)
        j = np.empty((n, PER_POINT), dtype=np.int32)
        bound = np.empty((n, PER_POINT))
        counts = np.zeros((n, 3), dtype=np.int32)
        near, radius = x[self.order], self.radius[self.order] / self.factor
        shares = over_ranges(
            scan_kernels.every_above, n, near, self.X, radius, self.masks, self.order, LEAF,
            *boxes(near), *boxes(self.X), boxes(radius)[1], BY_EXCESS, j, bound, counts,
            grain=ROW_GRAIN,
        )  # fmt: skip
        # what the next scan will take, in pairs looked at: of those in a box, half are another's
        self._work = int(LEAF * counts[:, 2].sum() // 2 + PAIRS_A_BOX * n * (n // LEAF))
        place = np.arange(PER_POINT)
        used = np.where(
            place < BY_EXCESS, place < counts[:, :1], place - BY_EXCESS < counts[:, 1:2]
        )
        a, b = np.repeat(self.order, used.sum(axis=1)), self.order[j[used]]
        # local bounds: the order that constrains is the one that starts at the larger radius
        swap = self.radius[b] > self.radius[a]
        i_row, j_row = self.comparable.rows(np.where(swap, b, a), np.where(swap, a, b))
        found = FoundPairs(a, b, bound[used], i_row * self.merging.n_points + j_row)
        return Scan(self.merging.once(found), max(shares))


class BlockScanner(_PooledScanner):
    """Every pair of any source, a block at a time."""

    def __init__(
        self, merging: Merging, problem: AssignmentProblem, rule: PairRule, mixer: Array
    ) -> None:
        super().__init__(merging, rule, mixer)
        self.source = problem.pairs
        self.divergence = problem.divergence

    def _scan_all(self, x: Array) -> Scan:
        parts, share = [FoundPairs.none()], 0.0
        spread = x[self.merging.label]
        for block in self.source.blocks():
            value = block.divergences(self.divergence, spread)
            limit = self.factor * block.bound
            above = np.flatnonzero(value > limit)
            value, bound = value.ravel()[above], limit.ravel()[above]
            i, j = block.pairs_at(above)
            needed = share_to_mix(self.divergence, spread[i], spread[j], bound, self.mixer)
            share = max(share, needed)
            worst = np.argsort(bound - value)[: PER_POINT * len(block.bound)]
            parts.append(self.merging.merge(i[worst], j[worst], bound[worst], self.divergence))
        return Scan(self.merging.once(FoundPairs.join(parts)), share)


def make_scanner(problem: AssignmentProblem, rule: PairRule) -> Scanner:
    """The fastest scanner for the pairs of this problem."""
    source, mixer = problem.pairs, rule.mixer(problem.cost)
    if isinstance(source, EveryPair) and len(source) > LISTED_PAIRS and _is_compiled(problem):
        label = linked_twins(source.distances.twins(), source.groups)
        return EuclideanScanner(_merging(label), source, rule, mixer)
    merging = _merge_equals(source, problem.n_points)
    if isinstance(source, Pairs):
        listed = merging.merge(source.i, source.j, source.bound, problem.divergence)
        return ListScanner(merging, listed, rule, mixer)
    if len(source) > LISTED_PAIRS:
        return BlockScanner(merging, problem, rule, mixer)
    parts = [FoundPairs.none()]
    for block in source.blocks():
        places = np.flatnonzero(block.bound < problem.divergence.largest)
        i, j = block.pairs_at(places)
        parts.append(merging.merge(i, j, block.bound.ravel()[places], problem.divergence))
    return ListScanner(merging, merging.once(FoundPairs.join(parts)), rule, mixer)


def _is_compiled(problem: AssignmentProblem) -> bool:
    source = problem.pairs
    return (
        isinstance(problem.divergence, TotalVariation)
        and isinstance(source, EveryPair)
        and source.distances.has_vectors
        and isinstance(source.rule, GlobalRule | LocalRule)
    )


def _merging(label: Array) -> Merging:
    return Merging(label.astype(np.int32), int(label.max()) + 1)


def _merge_equals(pairs: PairSource, n_points: int) -> Merging:
    """The points that pairs with bound 0 bind together are one."""
    label = np.arange(n_points)
    for block in pairs.blocks():
        i, j = block.pairs_at(np.flatnonzero(block.bound == 0))
        if len(i):
            shape = (n_points, n_points)
            graph = sparse.coo_array((np.ones(len(i)), (label[i], label[j])), shape=shape)
            label = connected_components(graph, directed=False)[1][label]
    return _merging(np.unique(label, return_inverse=True)[1])
