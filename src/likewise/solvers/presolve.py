"""Points that must be treated the same are one point to the solvers, with the weight of all.

``Merging`` says which. Two ways to it: rows at distance zero (``merged_duplicates``), where every
rule bounds the pair by 0, and any rows that pairs with a bound of 0 bind together
(``merged_by_bounds``). With groups only merged points are compared of which some members share a
group: ``Comparable`` says so in bits (``masks``), and knows two rows of the data that do share one,
to stand for the pair.
"""

from dataclasses import dataclass

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from likewise._typing import Array
from likewise.divergences.registry import Divergence
from likewise.groups.membership import Groups
from likewise.similarities.pairs import PairSource
from likewise.solvers.working_set import CandidatePairs


@dataclass(frozen=True)
class Merging:
    """Which points are one point to the solvers: those that must be treated the same."""

    label: Array
    n_merged: int

    @staticmethod
    def of(label: Array) -> "Merging":
        """The merged point of each row, numbered 0, 1, 2, ..."""
        return Merging(label.astype(np.int32), int(label.max()) + 1)

    @property
    def n_points(self) -> int:
        return len(self.label)

    def in_order(self, order: Array) -> "Merging":
        """The same with the merged points numbered in this order."""
        number = np.empty(self.n_merged, dtype=np.int32)
        number[order] = np.arange(self.n_merged, dtype=np.int32)
        return Merging(number[self.label], self.n_merged)

    @property
    def row_of(self) -> Array:
        """The first row of each merged point."""
        rows: Array = np.unique(self.label, return_index=True)[1]
        return rows

    def common(self, allowed: Array | None) -> Array | None:
        """Of what each point may use, what merged points may use: what all of them may."""
        if allowed is None:
            return None
        common = np.ones((self.n_merged, allowed.shape[1]), dtype=bool)
        np.logical_and.at(common, self.label, allowed)
        return common

    def merge(self, i: Array, j: Array, bound: Array, divergence: Divergence) -> CandidatePairs:
        """The pairs of merged points: the smallest bound of each, one order only if symmetric."""
        a, b = self.label[i], self.label[j]
        matters = np.flatnonzero((a != b) & (bound < divergence.largest))
        a, b, bound = a[matters], b[matters], bound[matters]
        code = i[matters].astype(np.int64) * self.n_points + j[matters]
        if divergence.symmetric:
            a, b = np.minimum(a, b), np.maximum(a, b)
        return self.once(CandidatePairs(a, b, bound, code))

    def once(self, pairs: CandidatePairs) -> CandidatePairs:
        """Each pair once, with its smallest bound; sorted by its ends."""
        if len(pairs) == 0:
            return pairs
        keys = pairs.keys(self.n_merged)
        order = np.argsort(keys, kind="stable")  # quick: mostly two sorted lists, one after another
        keys = keys[order]
        again = keys[1:] == keys[:-1]
        twice = np.flatnonzero(again)  # few: whole columns of millions of pairs are not copied
        if (pairs.bound[order[twice]] != pairs.bound[order[twice + 1]]).any():
            order = np.lexsort((pairs.bound, pairs.keys(self.n_merged)))
        return pairs.take(order[np.r_[True, ~again]])

    def rows_of(self, pairs: CandidatePairs) -> tuple[Array, Array, Array]:
        """(i, j, flipped): the rows behind the pairs; flipped where i is the row of b."""
        i, j = np.divmod(pairs.code, self.n_points)
        return i, j, self.label[i] != pairs.a


def merged_by_bounds(pairs: PairSource, n_points: int) -> Merging:
    """The points that pairs with bound 0 bind together are one."""
    label = np.arange(n_points)
    for block in pairs.blocks():
        i, j = block.pairs_at(np.flatnonzero(block.bound == 0))
        if len(i):
            shape = (n_points, n_points)
            graph = sparse.coo_array((np.ones(len(i)), (label[i], label[j])), shape=shape)
            label = connected_components(graph, directed=False)[1][label]
    return Merging.of(np.unique(label, return_inverse=True)[1])


def merged_duplicates(duplicates: Array, groups: Groups | None) -> Merging:
    """Rows at distance zero (``duplicates`` numbers their classes) are one point; with groups, only
    as far as groups link them.
    """
    return Merging.of(duplicates if groups is None else _linked(duplicates, groups))


def _linked(duplicates: Array, groups: Groups) -> Array:
    """Classes of duplicates, divided into what members of a common group connect."""
    row = groups.row_of_entry
    key = duplicates[row].astype(np.int64) * len(groups) + groups.member.indices
    place = np.unique(key, return_inverse=True)[1]
    size = groups.n_points + int(place.max()) + 1
    graph = sparse.coo_array((np.ones(len(row)), (row, groups.n_points + place)), (size, size))
    label = connected_components(graph, directed=False)[1][: groups.n_points]
    return np.asarray(np.unique(label, return_inverse=True)[1])


class Comparable:
    """The rows behind merged points; ``label`` is the merged point of each row."""

    def __init__(self, label: Array, groups: Groups | None) -> None:
        self.row_of: Array = np.unique(label, return_index=True)[1]
        n_merged = len(self.row_of)
        self.n_groups = 0 if groups is None else len(groups)
        self.masks = np.zeros((n_merged, 0), dtype=np.uint64)  # no bits: everyone is compared
        if groups is None:
            return
        self.masks = np.zeros((n_merged, groups.masks.shape[1]), dtype=np.uint64)
        np.bitwise_or.at(self.masks, label, groups.masks)
        row = groups.row_of_entry
        keys = label[row].astype(np.int64) * len(groups) + groups.member.indices
        self._keys, first = np.unique(keys, return_index=True)
        self._row_of_key = row[first]

    def rows(self, a: Array, b: Array) -> tuple[Array, Array]:
        """For each pair of merged points two rows that are compared."""
        if self.n_groups == 0:
            return self.row_of[a], self.row_of[b]
        group = _lowest_bit(self.masks[a] & self.masks[b])
        return self._member(a, group), self._member(b, group)

    def _member(self, merged: Array, group: Array) -> Array:
        """A row of each merged point that belongs to the group."""
        keys = merged.astype(np.int64) * self.n_groups + group
        return self._row_of_key[np.searchsorted(self._keys, keys)]


def _lowest_bit(masks: Array) -> Array:
    """The number of the first bit that is set, over all words of a row."""
    word: Array = (masks != 0).argmax(axis=1)
    bits = masks[np.arange(len(masks)), word]
    lowest = bits & (~bits + np.uint64(1))
    return 64 * word + np.log2(lowest.astype(np.float64)).astype(np.int64)
