"""The scan of pairs that are all in memory: neighbours, the user's own, or few enough to list."""

from dataclasses import replace
from itertools import pairwise

import numpy as np

from likewise._typing import Array
from likewise.compute.executor import LOCAL, Executor, Placed, cut
from likewise.compute.threads import over_ranges
from likewise.solvers.divergence_ops.base import DivergenceOps
from likewise.solvers.presolve import Merging
from likewise.solvers.separation.base import Scan
from likewise.solvers.separation.kernels import mark_largest
from likewise.solvers.working_set import CandidatePairs

LISTED_PER_POINT = 50  # candidates of a point from a list, at most: those furthest above


class ListScanner:
    """All pairs are in memory."""

    knows_all = True

    def __init__(
        self,
        merging: Merging,
        listed: CandidatePairs,
        ops: DivergenceOps,
        reference: Array,
        executor: Executor = LOCAL,
    ) -> None:
        self.merging = merging
        self.listed = listed
        self.ops = ops
        self.reference = reference
        self.executor = executor
        self.pairs_scanned = 0
        self._scattered: Placed[CandidatePairs] | None = None

    def listing(self, listed: CandidatePairs) -> "ListScanner":
        """The same with other pairs."""
        other = ListScanner(self.merging, listed, self.ops, self.reference, self.executor)
        other.pairs_scanned = self.pairs_scanned
        return other

    def _parts(self) -> Placed[CandidatePairs]:
        """The list where it is worked on: cut between points, so that each has its pairs whole."""
        if self._scattered is None:
            a = self.listed.a
            ranges = cut(len(a), self.executor.parts(len(a)))
            ends = [np.searchsorted(a, a[last - 1], "right") for _, last in ranges[:-1]]
            self._scattered = self.executor.scatter(
                [self.listed.take(slice(*part)) for part in pairwise([0, *ends, len(a)])]
            )
        return self._scattered

    @property
    def known(self) -> CandidatePairs:
        return self.listed

    @property
    def full_cost(self) -> int:
        return len(self.listed)

    def full(self, x: Array, weighs: bool = True) -> Scan:
        reference = self.reference if weighs else None
        self.pairs_scanned += len(self.listed)
        scans = self.executor.map_parts(scan_list, self._parts(), x, self.ops, reference)
        candidates = CandidatePairs.join([scan.candidates for scan in scans])
        return Scan(candidates, max(scan.mixing_weight for scan in scans))

    def quick(self, x: Array) -> Scan:
        return self.full(x)

    def tightened(self, slack: float) -> "ListScanner":
        return self.listing(replace(self.listed, bound=(1.0 - slack) * self.listed.bound))

    def memory(self) -> tuple[Array, CandidatePairs]:
        return np.array([self.pairs_scanned]), CandidatePairs.none()  # the list is the problem's

    def remember(self, counts: Array, known: CandidatePairs) -> None:
        self.pairs_scanned = int(counts[0])


def scan_list(
    listed: CandidatePairs, x: Array, ops: DivergenceOps, reference: Array | None
) -> Scan:
    """The pairs of a part of the list that are above their bounds."""
    above, mixing_weight = ops.above(x, listed, reference)
    return Scan(_worst_of_each_point(listed.take(above), x, ops), mixing_weight)


def _worst_of_each_point(pairs: CandidatePairs, x: Array, ops: DivergenceOps) -> CandidatePairs:
    """Of the pairs of each first end a, in whose order they stand, LISTED_PER_POINT at most."""
    new_point = np.flatnonzero(np.diff(pairs.a)) + 1
    edges = np.concatenate([[0], new_point, [len(pairs)]])
    if np.diff(edges).max() <= LISTED_PER_POINT:
        return pairs
    kept = np.empty(len(pairs), dtype=bool)
    excess = ops.values(x, pairs) - pairs.bound
    over_ranges(mark_largest, len(edges) - 1, edges, excess, LISTED_PER_POINT, kept)
    return pairs.take(np.flatnonzero(kept))
