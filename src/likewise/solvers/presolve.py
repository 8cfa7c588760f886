"""Which merged points are compared, and the rows of the data that stand for them.

Without groups: all of them. With groups: those of which some members share a group. Bits say which
(``masks``), and a pair of merged points is stood for by two rows that do share one.
"""

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from likewise._typing import Array
from likewise.groups.membership import Groups


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
        keys = merged.astype(np.int64) * self.n_groups + group
        return self._row_of_key[np.searchsorted(self._keys, keys)]


def linked_twins(twins: Array, groups: Groups | None) -> Array:
    """Classes of rows at distance zero; with groups, only as far as groups link them."""
    if groups is None:
        return twins
    row = groups.row_of_entry
    key = twins[row].astype(np.int64) * len(groups) + groups.member.indices
    place = np.unique(key, return_inverse=True)[1]
    size = groups.n_points + int(place.max()) + 1
    graph = sparse.coo_array((np.ones(len(row)), (row, groups.n_points + place)), (size, size))
    label = connected_components(graph, directed=False)[1][: groups.n_points]
    return np.unique(label, return_inverse=True)[1]


def _lowest_bit(masks: Array) -> Array:
    """The number of the first bit that is set, over all words of a row."""
    word = (masks != 0).argmax(axis=1)
    bits = masks[np.arange(len(masks)), word]
    lowest = bits & (~bits + np.uint64(1))
    return 64 * word + np.log2(lowest.astype(np.float64)).astype(np.int64)
