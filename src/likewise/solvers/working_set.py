"""Pairs of merged points, as the solvers handle them."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from likewise._typing import Array
from likewise.solvers.kernels.picking import pick_spread


class PairColumns(NamedTuple):
    """The ends and the bounds of pairs, as compiled loops take them."""

    a: Array
    b: Array
    bound: Array


@dataclass(frozen=True)
class CandidatePairs:
    """Pairs of merged points (a, b) with their bounds.

    ``code`` is i * n + j for the rows (i, j) of the data that a pair stands for.
    """

    a: Array
    b: Array
    bound: Array
    code: Array

    def __len__(self) -> int:
        return len(self.a)

    def take(self, which: Array | slice) -> "CandidatePairs":
        """The pairs at these places."""
        return CandidatePairs(self.a[which], self.b[which], self.bound[which], self.code[which])

    def keys(self, n_merged: int) -> Array:
        """One number per pair: a * n_merged + b."""
        return self.a.astype(np.int64) * n_merged + self.b

    def without(self, others: "CandidatePairs", n_merged: int) -> "CandidatePairs":
        """The pairs that are not among the others, which are sorted by their ends."""
        if len(others) == 0:
            return self
        wanted, theirs = self.keys(n_merged), others.keys(n_merged)
        place = np.minimum(np.searchsorted(theirs, wanted), len(theirs) - 1)
        return self.take(np.flatnonzero(theirs[place] != wanted))

    def worst(self, excess: Array, n_merged: int, most: int, per_point: int) -> "CandidatePairs":
        """Those furthest above their bounds, ``most`` at most; of each of the merged points
        ``per_point`` at most.
        """
        above = np.flatnonzero(excess > 0.0)
        order = above[np.argsort(-excess[above], kind="stable")]
        picked, degree = np.empty(most, dtype=np.int64), np.zeros(n_merged, dtype=np.int32)
        return self.take(picked[: pick_spread(order, self.a, self.b, per_point, degree, picked)])

    @property
    def columns(self) -> PairColumns:
        """What compiled loops need of the pairs."""
        return PairColumns(self.a, self.b, self.bound)

    @staticmethod
    def join(parts: "list[CandidatePairs]") -> "CandidatePairs":
        """One list after the other; a pair may then be in it twice (``Merging.once``)."""
        if len(parts) == 1:
            return parts[0]
        columns = zip(*((p.a, p.b, p.bound, p.code) for p in parts), strict=True)
        return CandidatePairs(*(np.concatenate(column) for column in columns))

    @staticmethod
    def none() -> "CandidatePairs":
        """No pairs."""
        rows = np.zeros(0, dtype=np.int32)
        return CandidatePairs(rows, rows, np.zeros(0), np.zeros(0, dtype=np.int64))
