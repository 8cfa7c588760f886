"""Pairs of merged points, as the solvers handle them."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from likewise._typing import Array
from likewise.solvers.kernels.picking import pick_spread

SORTED_FIRST = 2  # times as many as are wanted: sorting all that a scan found takes long


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
        picked, degree = np.empty(most, dtype=np.int64), np.zeros(n_merged, dtype=np.int32)
        count = 0
        for order in _falling(excess, np.flatnonzero(excess > 0.0), SORTED_FIRST * most):
            count = pick_spread(order, self.a, self.b, per_point, degree, picked, count)
            if count == most:
                break
        return self.take(picked[:count])

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


def _falling(values: Array, places: Array, first: int) -> Iterator[Array]:
    """These places from the largest value down, the ``first`` of them and then four times as many
    each; equal ones in the order they are given in.
    """
    while len(places) > first:
        of_places = values[places]
        largest = of_places >= np.partition(of_places, len(places) - first)[len(places) - first]
        yield _sorted_down(values, places[largest])
        places, first = places[~largest], 4 * first
    yield _sorted_down(values, places)


def _sorted_down(values: Array, places: Array) -> Array:
    order: Array = places[np.argsort(-values[places], kind="stable")]
    return order
