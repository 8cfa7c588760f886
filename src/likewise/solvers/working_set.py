"""Pairs of merged points, as the solvers handle them."""

from dataclasses import dataclass

import numpy as np

from likewise._typing import Array
from likewise.divergences.registry import Divergence


@dataclass(frozen=True)
class FoundPairs:
    """Pairs of merged points (a, b) with their bounds.

    ``code`` is i * n + j for the rows (i, j) of the data that a pair stands for.
    """

    a: Array
    b: Array
    bound: Array
    code: Array

    def __len__(self) -> int:
        return len(self.a)

    def take(self, which: Array | slice) -> "FoundPairs":
        return FoundPairs(self.a[which], self.b[which], self.bound[which], self.code[which])

    def keys(self, n_merged: int) -> Array:
        return self.a.astype(np.int64) * n_merged + self.b

    @staticmethod
    def join(parts: "list[FoundPairs]") -> "FoundPairs":
        if len(parts) == 1:
            return parts[0]
        columns = zip(*((p.a, p.b, p.bound, p.code) for p in parts), strict=True)
        return FoundPairs(*(np.concatenate(column) for column in columns))

    @staticmethod
    def none() -> "FoundPairs":
        rows = np.zeros(0, dtype=np.int32)
        return FoundPairs(rows, rows, np.zeros(0), np.zeros(0, dtype=np.int64))


@dataclass(frozen=True)
class Merging:
    """Which points are one point to the solvers: those that must be treated the same."""

    label: Array
    n_merged: int

    @property
    def n_points(self) -> int:
        return len(self.label)

    def common(self, allowed: Array | None) -> Array | None:
        """Of what each point may use, what merged points may use: what all of them may."""
        if allowed is None:
            return None
        common = np.ones((self.n_merged, allowed.shape[1]), dtype=bool)
        np.logical_and.at(common, self.label, allowed)
        return common

    def merge(self, i: Array, j: Array, bound: Array, divergence: Divergence) -> FoundPairs:
        """The pairs of merged points: the smallest bound of each, one order only if symmetric."""
        a, b = self.label[i], self.label[j]
        matters = np.flatnonzero((a != b) & (bound < divergence.largest))
        a, b, bound = a[matters], b[matters], bound[matters]
        code = i[matters].astype(np.int64) * self.n_points + j[matters]
        if divergence.symmetric:
            a, b = np.minimum(a, b), np.maximum(a, b)
        return FoundPairs(a, b, bound, code).take(self._first_of_each(a, b, bound))

    def once(self, found: FoundPairs) -> FoundPairs:
        """Each pair once, with its smallest bound."""
        return found.take(self._first_of_each(found.a, found.b, found.bound))

    def _first_of_each(self, a: Array, b: Array, bound: Array) -> Array:
        order = np.lexsort((bound, b, a))
        if len(order) == 0:
            return order
        new = (np.diff(a[order]) != 0) | (np.diff(b[order]) != 0)
        return order[np.r_[True, new]]

    def rows_of(self, found: FoundPairs) -> tuple[Array, Array, Array]:
        """(i, j, flipped): the rows behind the pairs; flipped where i is the row of b."""
        i, j = np.divmod(found.code, self.n_points)
        return i, j, self.label[i] != found.a
