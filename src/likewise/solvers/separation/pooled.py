"""What scans over every pair have in common: a pool of the pairs that they have found.

A full scan over n^2 / 2 pairs is expensive, and there is no room to keep them all. So what it finds
goes into a pool, a list that is scanned in between.
"""

from copy import copy
from typing import Self

import numpy as np

from likewise._typing import Array
from likewise.solvers.divergence_ops.base import DivergenceOps
from likewise.solvers.presolve import Merging
from likewise.solvers.separation.base import Scan
from likewise.solvers.separation.listed import ListScanner
from likewise.solvers.working_set import CandidatePairs


class PooledScanner:
    """Every pair, with a pool of those that full scans have found."""

    knows_all = False

    def __init__(self, merging: Merging, ops: DivergenceOps, reference: Array) -> None:
        self.merging = merging
        self.reference = reference
        self.ops = ops
        self.factor = 1.0  # of the bounds
        self._empty()

    def _empty(self) -> None:
        self.pool = ListScanner(self.merging, CandidatePairs.none(), self.ops, self.reference)
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
    def known(self) -> CandidatePairs:
        return self.pool.listed

    @property
    def n_pairs(self) -> int:
        """How many pairs of merged points there are, in one order."""
        return self.merging.n_merged * (self.merging.n_merged - 1) // 2

    @property
    def full_cost(self) -> int:
        return self.n_pairs

    def quick(self, x: Array) -> Scan:
        return self.pool.full(x)

    def full(self, x: Array, weighs: bool = True) -> Scan:
        scan = self._scan_all(x, weighs)
        self._scanned += self.n_pairs
        known = self.merging.once(CandidatePairs.join([self.pool.listed, scan.candidates]))
        self.pool = self.pool.listing(known)
        return scan

    def _scan_all(self, x: Array, weighs: bool) -> Scan:
        """The scan itself, bounds multiplied by ``factor``."""
        raise NotImplementedError

    def memory(self) -> tuple[Array, CandidatePairs]:
        counts = [self._scanned, self.pool.pairs_scanned, self.full_cost]
        return np.array(counts), self.pool.listed

    def remember(self, counts: Array, known: CandidatePairs) -> None:
        self._scanned = int(counts[0])
        self.pool = self.pool.listing(known)
        self.pool.pairs_scanned = int(counts[1])
