"""Blocks of constrained pairs, of a bounded size: a list of pairs, or some rows against all.

Whoever works through all pairs asks the blocks and need not know which of the two they are. What
has a value for each pair has the shape of ``bound``.
"""

from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np

from likewise._typing import Array
from likewise.divergences.registry import Divergence
from likewise.similarities import kernels


class RowTallies(NamedTuple):
    """Of the rows start, start + 1, ... what their pairs (row, j) in a block amount to."""

    start: int
    compared: Array  # how many are constrained
    violated: Array  # how many are above their bounds
    worst: Array  # the largest divergence - bound; minus infinity without any pair
    worst_with: Array  # the j of that pair; -1 without any

    @staticmethod
    def empty(start: int, n_rows: int) -> "RowTallies":
        """Nothing seen yet."""
        none = np.zeros(n_rows, dtype=np.int64)
        return RowTallies(start, none, none.copy(), np.full(n_rows, -np.inf), none - 1)

    @property
    def rows(self) -> slice:
        """Which rows these are."""
        return slice(self.start, self.start + len(self.worst))


class PairBlock(Protocol):
    """Some of the constrained ordered pairs (i, j)."""

    @property
    def bound(self) -> Array:
        """The bounds of the pairs; infinite where a pair is not constrained."""
        ...

    @property
    def n_pairs(self) -> int:
        """How many constrained pairs it holds."""
        ...

    def divergences(self, divergence: Divergence, distributions: Array) -> Array:
        """D(x_i || x_j) of each pair."""
        ...

    def inner_products(self, vectors: Array) -> Array:
        """v_i . v_j of each pair."""
        ...

    def pairs_at(self, positions: Array) -> tuple[Array, Array]:
        """The rows i and j of the pairs at these positions of the flattened bounds."""
        ...

    def tally(self, values: Array, tolerance: float) -> RowTallies:
        """Of each row i, what these divergences of its pairs (i, j) amount to; a pair that is no
        more than the tolerance above its bound counts as within.
        """
        ...

    def intersect_first(self, sets: Array) -> None:
        """Row i of ``sets`` keeps what all rows j have that i is bound to: sets_i &= sets_j."""
        ...

    def intersect_second(self, sets: Array) -> None:
        """Row j of ``sets`` keeps what all rows i have that are bound to j: sets_j &= sets_i."""
        ...


@dataclass(frozen=True)
class PairList:
    """Pairs (i, j) with their bounds, one by one; all of them are constrained."""

    i: Array
    j: Array
    bound: Array

    @property
    def n_pairs(self) -> int:
        return len(self.i)

    def divergences(self, divergence: Divergence, distributions: Array) -> Array:
        return divergence.values(distributions[self.i], distributions[self.j])

    def inner_products(self, vectors: Array) -> Array:
        return np.asarray((vectors[self.i] * vectors[self.j]).sum(axis=1))

    def pairs_at(self, positions: Array) -> tuple[Array, Array]:
        return self.i[positions], self.j[positions]

    def tally(self, values: Array, tolerance: float) -> RowTallies:
        first, last = int(self.i.min()), int(self.i.max())
        found = RowTallies.empty(first, last - first + 1)
        kernels.tally_list(self.i - first, self.j, values, self.bound, tolerance, found)
        return found

    def intersect_first(self, sets: Array) -> None:
        np.logical_and.at(sets, self.i, sets[self.j])

    def intersect_second(self, sets: Array) -> None:
        np.logical_and.at(sets, self.j, sets[self.i])


@dataclass(frozen=True)
class PairTile:
    """Rows start, start + 1, ... against every j; bound[i - start, j].

    The bound of a point with itself is infinite.
    """

    start: int
    bound: Array

    @property
    def n_pairs(self) -> int:
        return int(np.isfinite(self.bound).sum())

    @property
    def _rows(self) -> slice:
        return slice(self.start, self.start + len(self.bound))

    def divergences(self, divergence: Divergence, distributions: Array) -> Array:
        return divergence.table(distributions[self._rows], distributions)

    def inner_products(self, vectors: Array) -> Array:
        return np.asarray(vectors[self._rows] @ vectors.T)

    def pairs_at(self, positions: Array) -> tuple[Array, Array]:
        rows, columns = np.divmod(positions, self.bound.shape[1])
        return self.start + rows, columns

    def tally(self, values: Array, tolerance: float) -> RowTallies:
        found = RowTallies.empty(self.start, len(self.bound))
        kernels.tally_tile(values, self.bound, tolerance, found)
        return found

    def intersect_first(self, sets: Array) -> None:
        sets[self._rows] &= self._bound_to @ _missing(sets) == 0

    def intersect_second(self, sets: Array) -> None:
        sets &= self._bound_to.T @ _missing(sets[self._rows]) == 0

    @property
    def _bound_to(self) -> Array:
        """1 where a pair is constrained; as floats, whose products are quick."""
        return np.isfinite(self.bound).astype(np.float32)


def _missing(sets: Array) -> Array:
    return (~sets).astype(np.float32)
