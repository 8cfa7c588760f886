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
from itertools import pairwise
from typing import Any, Protocol, Self

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from likewise._typing import Array
from likewise.compute.executor import LOCAL, Engine, cut
from likewise.divergences.registry import Divergence, TotalVariation
from likewise.problem.assignment import AssignmentProblem
from likewise.similarities.build import GlobalRule, LocalRule
from likewise.similarities.pairs import LISTED_PAIRS, EveryPair, Pairs, PairSource
from likewise.solvers.divergence_ops.base import DivergenceOps
from likewise.solvers.divergence_ops.generic import share_to_mix
from likewise.solvers.presolve import Comparable, Merging, linked_twins
from likewise.solvers.separation.boxes import LEAF, near_order
from likewise.solvers.separation.tiles import PER_POINT, Points, join_tiles, scan_tile
from likewise.solvers.working_set import CandidatePairs

LISTED_PER_POINT = 50  # a scan over a list gives so many a point at most, the worst
PAIRS_A_BOX = 3  # to find that a box is out of reach takes as long as so many pairs


@dataclass(frozen=True)
class Scan:
    """What a scan saw: pairs above their bound, and how much mixing would bring all below."""

    found: CandidatePairs
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

    def memory(self) -> tuple[Array, CandidatePairs]:
        """What it has counted and found so far."""
        ...

    def remember(self, counts: Array, known: CandidatePairs) -> None:
        """Go on as if it had counted and found this."""
        ...


class ListScanner:
    """All pairs are in memory."""

    knows_all = True

    def __init__(
        self,
        merging: Merging,
        listed: CandidatePairs,
        ops: DivergenceOps,
        mixer: Array,
        engine: Engine = LOCAL,
    ) -> None:
        self.merging = merging
        self.listed = listed
        self.ops = ops
        self.mixer = mixer
        self.engine = engine
        self.pairs_scanned = 0
        self._held: Any = None

    def listing(self, listed: CandidatePairs) -> "ListScanner":
        """The same with other pairs."""
        other = ListScanner(self.merging, listed, self.ops, self.mixer, self.engine)
        other.pairs_scanned = self.pairs_scanned
        return other

    def _parts(self) -> Any:
        """The list where it is worked on: cut between points, so that each has its pairs whole."""
        if self._held is None:
            a = self.listed.a
            ranges = cut(len(a), self.engine.parts(len(a)))
            ends = [np.searchsorted(a, a[last - 1], "right") for _, last in ranges[:-1]]
            self._held = self.engine.hold(
                [self.listed.take(slice(*part)) for part in pairwise([0, *ends, len(a)])]
            )
        return self._held

    @property
    def full_cost(self) -> int:
        return len(self.listed)

    def full(self, x: Array) -> Scan:
        self.pairs_scanned += len(self.listed)
        parts = self.engine.over_parts(_scan_list, self._parts(), x, self.ops, self.mixer)
        found = CandidatePairs.join([part.found for part in parts])
        return Scan(found, max(part.share for part in parts))

    quick = full

    def tightened(self, slack: float) -> "ListScanner":
        return self.listing(replace(self.listed, bound=(1.0 - slack) * self.listed.bound))

    def memory(self) -> tuple[Array, CandidatePairs]:
        return np.array([self.pairs_scanned]), CandidatePairs.none()  # the list is the problem's

    def remember(self, counts: Array, known: CandidatePairs) -> None:
        self.pairs_scanned = int(counts[0])


def _scan_list(listed: CandidatePairs, x: Array, ops: DivergenceOps, mixer: Array) -> Scan:
    above, share = ops.above(x, listed, mixer)
    found = listed.take(above)
    if len(found) > LISTED_PER_POINT:
        place = np.arange(len(found)) - np.searchsorted(found.a, found.a)
        if place.max() >= LISTED_PER_POINT:
            excess = ops.values(x, found) - found.bound
            by_excess = np.lexsort((-excess, found.a))
            found = found.take(np.sort(by_excess[place < LISTED_PER_POINT]))
    return Scan(found, share)


class _PooledScanner:
    """Every pair, with a pool of those that full scans have found."""

    knows_all = False

    def __init__(self, merging: Merging, ops: DivergenceOps, mixer: Array) -> None:
        self.merging = merging
        self.mixer = mixer
        self.ops = ops
        self.factor = 1.0  # of the bounds
        self._empty()

    def _empty(self) -> None:
        self.pool = ListScanner(self.merging, CandidatePairs.none(), self.ops, self.mixer)
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
        known = self.merging.once(CandidatePairs.join([self.pool.listed, scan.found]))
        self.pool = self.pool.listing(known)
        return scan

    def _scan_all(self, x: Array) -> Scan:
        raise NotImplementedError

    def memory(self) -> tuple[Array, CandidatePairs]:
        counts = [self._scanned, self.pool.pairs_scanned, self.full_cost]
        return np.array(counts), self.pool.listed

    def remember(self, counts: Array, known: CandidatePairs) -> None:
        self._scanned = int(counts[0])
        self.pool = self.pool.listing(known)
        self.pool.pairs_scanned = int(counts[1])


class EuclideanScanner(_PooledScanner):
    """Every pair of points, bound d(i, j) / max(radius_i, radius_j), total variation."""

    def __init__(
        self, merging: Merging, source: EveryPair, ops: DivergenceOps, mixer: Array, engine: Engine
    ) -> None:
        super().__init__(merging, ops, mixer)
        X, bounds = source.distances.X, source.rule
        self.engine = engine
        self.comparable = Comparable(merging.label, source.groups)
        row_of = self.comparable.row_of
        X = X[row_of]
        self._work = super().full_cost
        if isinstance(bounds, LocalRule):
            self.radius = bounds.radius[row_of]
        else:
            assert isinstance(bounds, GlobalRule)
            self.radius = np.full(len(X), bounds.largest)
        self.order = near_order(X).astype(np.int32)
        spread = np.argsort(-X.var(axis=0))  # the columns that tell points apart come first
        near = np.ascontiguousarray(X[self.order][:, spread])
        self.ranges = cut(len(X), engine.tiles(self._work), LEAF)
        self.points = engine.hold([self._points(near, *rows) for rows in self.ranges])

    def _points(self, near: Array, first: int, last: int) -> Points:
        name = self.order[first:last]
        masks = self.comparable.masks[name]
        return Points.of(near[first:last], self.radius[name], masks, name)

    @property
    def full_cost(self) -> int:
        return self._work

    def remember(self, counts: Array, known: CandidatePairs) -> None:
        super().remember(counts, known)
        self._work = int(counts[2])

    def _scan_all(self, x: Array) -> Scan:
        n, near = len(self.order), x[self.order]
        parts = self.engine.over_tiles(
            scan_tile,
            join_tiles,
            self.points,
            [near[first:last] for first, last in self.ranges],
            self.factor,
        )
        counts = np.concatenate([part.counts for part in parts])
        # what the next scan will take, in pairs looked at: of those in a box, half are another's
        self._work = int(LEAF * counts[:, 2].sum() // 2 + PAIRS_A_BOX * n * (n // LEAF))
        used = np.concatenate([part.used for part in parts])
        a = np.repeat(self.order, used.sum(axis=1))
        b = np.concatenate([part.name for part in parts])[used]
        bound = np.concatenate([part.bound for part in parts])[used]
        # local bounds: the order that constrains is the one that starts at the larger radius
        swap = self.radius[b] > self.radius[a]
        i_row, j_row = self.comparable.rows(np.where(swap, b, a), np.where(swap, a, b))
        found = CandidatePairs(a, b, bound, i_row * self.merging.n_points + j_row)
        return Scan(self.merging.once(found), max(part.share for part in parts))


class BlockScanner(_PooledScanner):
    """Every pair of any source, a block at a time."""

    def __init__(
        self, merging: Merging, problem: AssignmentProblem, ops: DivergenceOps, mixer: Array
    ) -> None:
        super().__init__(merging, ops, mixer)
        self.divergence, self.engine = problem.divergence, problem.executor
        ranges = cut(problem.pairs.n_blocks, self.engine.parts(len(problem.pairs)))
        self.ranges = self.engine.hold(ranges)
        self.source = self.engine.share((problem.pairs, merging))

    def _scan_all(self, x: Array) -> Scan:
        parts = self.engine.over_parts(
            _scan_blocks, self.ranges, self.source, x, self.divergence, self.factor, self.mixer
        )
        found = CandidatePairs.join([CandidatePairs.none(), *(part.found for part in parts)])
        return Scan(self.merging.once(found), max(part.share for part in parts))


def _scan_blocks(
    blocks: tuple[int, int],
    source: tuple[PairSource, Merging],
    x: Array,
    divergence: Divergence,
    factor: float,
    mixer: Array,
) -> Scan:
    """The worst pairs of each of these blocks."""
    pairs, merging = source
    parts, share = [CandidatePairs.none()], 0.0
    spread = x[merging.label]
    for block in pairs.blocks(*blocks):
        value = block.divergences(divergence, spread)
        limit = factor * block.bound
        above = np.flatnonzero(value > limit)
        value, bound = value.ravel()[above], limit.ravel()[above]
        i, j = block.pairs_at(above)
        share = max(share, share_to_mix(divergence, spread[i], spread[j], bound, mixer))
        worst = np.argsort(bound - value)[: PER_POINT * len(block.bound)]
        parts.append(merging.merge(i[worst], j[worst], bound[worst], divergence))
    return Scan(CandidatePairs.join(parts), share)


def make_scanner(problem: AssignmentProblem, ops: DivergenceOps) -> Scanner:
    """The fastest scanner for the pairs of this problem."""
    source, mixer = problem.pairs, ops.mixer(problem.cost)
    if isinstance(source, EveryPair) and len(source) > LISTED_PAIRS and _is_compiled(problem):
        label = linked_twins(source.distances.twins(), source.groups)
        return EuclideanScanner(_merging(label), source, ops, mixer, problem.executor)
    merging = _merge_equals(source, problem.n_points)
    if isinstance(source, Pairs):
        listed = merging.merge(source.i, source.j, source.bound, problem.divergence)
        return ListScanner(merging, listed, ops, mixer, problem.executor)
    if len(source) > LISTED_PAIRS:
        return BlockScanner(merging, problem, ops, mixer)
    parts = [CandidatePairs.none()]
    for block in source.blocks():
        places = np.flatnonzero(block.bound < problem.divergence.largest)
        i, j = block.pairs_at(places)
        parts.append(merging.merge(i, j, block.bound.ravel()[places], problem.divergence))
    listed = merging.once(CandidatePairs.join(parts))
    return ListScanner(merging, listed, ops, mixer, problem.executor)


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
