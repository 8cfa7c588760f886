"""Looking for pairs that are treated too differently, over all constrained pairs.

Points that must be treated the same (bound 0) are one point to the solvers: ``merge_equals`` says
which, and everything a scanner answers is in terms of these merged points, with one row (i, j) of
the data behind each pair so that the certificate can check it.
"""

from dataclasses import dataclass

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from likewise.pairs import Pairs, PairSource
from likewise.problem import AssignmentProblem
from likewise.solvers import kernels
from likewise.types import Array

KEPT_PAIRS = 6_000_000  # up to here all pairs are kept as a list; beyond, computed at each scan


@dataclass(frozen=True)
class FoundPairs:
    """Pairs of merged points (a, b), each with its bound and the rows (i, j) it stands for."""

    a: Array
    b: Array
    bound: Array
    i: Array
    j: Array

    def __len__(self) -> int:
        return len(self.a)

    def take(self, which: Array) -> "FoundPairs":
        return FoundPairs(
            self.a[which], self.b[which], self.bound[which], self.i[which], self.j[which]
        )

    def keys(self, n_merged: int) -> Array:
        return self.a.astype(np.int64) * n_merged + self.b

    @staticmethod
    def join(parts: "list[FoundPairs]") -> "FoundPairs":
        columns = zip(*((p.a, p.b, p.bound, p.i, p.j) for p in parts), strict=True)
        return FoundPairs(*(np.concatenate(column) for column in columns))

    @staticmethod
    def none() -> "FoundPairs":
        rows = np.zeros(0, dtype=np.int64)
        return FoundPairs(rows, rows, np.zeros(0), rows, rows)


def merge_equals(pairs: PairSource, n_points: int) -> tuple[Array, int]:
    """(label, how many): the merged point of every point, from the pairs with bound 0."""
    links_i, links_j = [], []
    for block in pairs.blocks():
        i, j = block.pairs_at(np.flatnonzero(block.bound == 0))
        links_i.append(i)
        links_j.append(j)
    if not links_i:
        return np.arange(n_points), n_points
    i, j = np.concatenate(links_i), np.concatenate(links_j)
    graph = sparse.coo_array((np.ones(len(i)), (i, j)), shape=(n_points, n_points))
    count, label = connected_components(graph, directed=False)
    return label.astype(np.int64), int(count)


class PairScanner:
    """Finds the pairs whose divergence is above their bound."""

    def __init__(self, problem: AssignmentProblem) -> None:
        self.divergence = problem.divergence
        self.source = problem.pairs
        self.label, self.n_merged = merge_equals(problem.pairs, problem.n_points)
        self.kept = self._list_all() if len(problem.pairs) <= KEPT_PAIRS else None
        self.pairs_scanned = 0

    def _merged(self, i: Array, j: Array, bound: Array) -> FoundPairs:
        """The pairs of merged points: the smallest bound of each, one order only if symmetric."""
        a, b = self.label[i], self.label[j]
        matters = (a != b) & (bound < self.divergence.largest)
        a, b, bound, i, j = (column[matters] for column in (a, b, bound, i, j))
        if self.divergence.symmetric:
            a, b = np.minimum(a, b), np.maximum(a, b)
        key = a * self.n_merged + b
        order = np.lexsort((bound, key))
        key = key[order]
        first = np.r_[True, np.diff(key) != 0] if len(key) else np.zeros(0, dtype=bool)
        return FoundPairs(a, b, bound, i, j).take(order[first])

    def _list_all(self) -> FoundPairs:
        if isinstance(self.source, Pairs):
            return self._merged(self.source.i, self.source.j, self.source.bound)
        parts = [FoundPairs.none()]
        for block in self.source.blocks():
            places = np.flatnonzero(block.bound < self.divergence.largest)
            i, j = block.pairs_at(places)
            parts.append(self._merged(i, j, block.bound.ravel()[places]))
        found = FoundPairs.join(parts)
        return self._merged(found.i, found.j, found.bound)

    def above(
        self, x: Array, factor: float = 1.0, *, limit: int | None = None, known: Array | None = None
    ) -> tuple[FoundPairs, Array]:
        """Pairs with divergence > factor * bound, and their divergences.

        ``known`` (keys) are left out; of more than ``limit`` the worst are given.
        """
        if self.kept is not None:
            values = np.empty(len(self.kept))
            kernels.total_variation(0, len(values), x, self.kept.a, self.kept.b, values)
            self.pairs_scanned += len(values)
            places = np.flatnonzero(values > factor * self.kept.bound)
            return self._worst(self.kept.take(places), values[places], limit, known)
        parts, found_values = [FoundPairs.none()], [np.zeros(0)]
        spread = x[self.label]
        for block in self.source.blocks():
            table = block.divergences(self.divergence, spread)
            self.pairs_scanned += table.size
            places = np.flatnonzero(table > factor * block.bound)
            i, j = block.pairs_at(places)
            found = self._merged(i, j, block.bound.ravel()[places])
            values = self.divergence.values(x[found.a], x[found.b])
            found, values = self._worst(found, values, limit, known)
            parts.append(found)
            found_values.append(values)
        found = FoundPairs.join(parts)
        once = self._merged(found.i, found.j, found.bound)  # both orders may have been found
        values = self.divergence.values(x[once.a], x[once.b])
        return self._worst(once, values, limit, known)

    def _worst(
        self, found: FoundPairs, values: Array, limit: int | None, known: Array | None
    ) -> tuple[FoundPairs, Array]:
        if known is not None and len(known):
            new = ~np.isin(found.keys(self.n_merged), known)
            found, values = found.take(new), values[new]
        if limit is not None and len(found) > limit:
            worst = np.argpartition(found.bound - values, limit)[:limit]
            found, values = found.take(worst), values[worst]
        return found, values
