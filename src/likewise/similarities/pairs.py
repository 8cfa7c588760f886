"""Which pairs of people are compared, and how far apart their treatment may be.

Two kinds of pair source, one interface: ``Pairs`` lists its pairs; ``EveryPair`` computes the
bounds of all n (n - 1) ordered pairs from the distances when they are asked for, block by block.
Either can be restricted to pairs that share a protected group.
"""

from collections.abc import Iterator
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from likewise._typing import Array
from likewise.compute.cancellation import check
from likewise.errors import InvalidArgument
from likewise.geometry.distances import Distances
from likewise.groups.membership import Groups
from likewise.similarities.blocks import PairBlock, PairList, PairTile
from likewise.similarities.bounds import check_bounds, excess_of, times
from likewise.similarities.rules import Rule

__all__ = [
    "LISTED_PAIRS",
    "EveryPair",
    "PairBlock",
    "PairList",
    "PairSource",
    "PairTile",
    "Pairs",
    "UnknownPairs",
    "excess_of",
]

LIST_BLOCK = 250_000  # pairs in a block of a list
MOST_KEYS = 2**63 - 1  # a pair is told by one number, of 64 bits
# Up to here every pair is listed by the solvers. Half of them are kept, 24 bytes each: 100 MB.
LISTED_PAIRS = 8_000_000


class PairSource(Protocol):
    """Everything that can say which ordered pairs are constrained, and by how much."""

    def __len__(self) -> int:
        """How many ordered pairs there are, at most."""
        ...

    @property
    def n_rows(self) -> int:
        """One more than the largest row number."""
        ...

    @property
    def n_blocks(self) -> int:
        """How many blocks of bounded size its pairs come in."""
        ...

    def blocks(self, first: int = 0, last: int | None = None) -> Iterator[PairBlock]:
        """The constrained ordered pairs: the blocks first..last, or all of them."""
        ...

    def bounds_at(self, i: Array, j: Array) -> Array:
        """The bounds of the pairs (i, j); infinite where a pair is not constrained."""
        ...

    def within(self, groups: Groups) -> "PairSource":
        """Only the pairs of rows that share a group."""
        ...

    def scaled(self, factor: float) -> "PairSource":
        """The same pairs, their bounds multiplied; by infinity: none of them bound."""
        ...

    def of_rows(self, rows: Array) -> "PairSource":
        """The pairs of these rows, with the bounds they have here; ``rows[r]`` becomes row r."""
        ...

    def fingerprint(self) -> Iterator[object]:
        """What tells these bounds from any others of the same rows, in the same groups."""
        ...


class Pairs:
    """Ordered pairs (i, j) of rows with ``D(x_i || x_j) <= bound``, from three arrays.

    A pair listed more than once keeps its smallest bound; a row paired with itself and an infinite
    bound say nothing and are dropped.
    """

    def __init__(self, i: ArrayLike, j: ArrayLike, bound: ArrayLike) -> None:
        first, second = _indices("i", i), _indices("j", j)
        limit = check_bounds("bound", np.atleast_1d(np.asarray(bound, dtype=np.float64)))
        if not (first.shape == second.shape == limit.shape and first.ndim == 1):
            raise InvalidArgument(
                "Pairs",
                f"i, j and bound have shapes {first.shape}, {second.shape} and {limit.shape}.",
                "Pass three one-dimensional arrays of the same length.",
            )
        kept = np.flatnonzero((first != second) & np.isfinite(limit))
        if len(kept):
            kept = kept[_once(first[kept], second[kept], limit[kept])]
        self.i: Array = first[kept]
        self.j: Array = second[kept]
        self.bound: Array = limit[kept]

    def __len__(self) -> int:
        return len(self.i)

    def __repr__(self) -> str:
        return f"Pairs({len(self)} ordered pairs)"

    @property
    def n_rows(self) -> int:
        return int(max(self.i.max(initial=-1), self.j.max(initial=-1))) + 1

    def check_rows(self, n_points: int) -> None:
        """Raise if a pair names a row that does not exist."""
        if self.n_rows > n_points:
            raise InvalidArgument(
                "similarity",
                f"the pairs name row {self.n_rows - 1}, but X has {n_points} rows.",
                f"Number the rows 0 to {n_points - 1}.",
            )

    @property
    def n_blocks(self) -> int:
        return -(-len(self) // LIST_BLOCK)

    def blocks(self, first: int = 0, last: int | None = None) -> Iterator[PairList]:
        for block in range(first, self.n_blocks if last is None else last):
            check()
            part = slice(block * LIST_BLOCK, (block + 1) * LIST_BLOCK)
            yield PairList(self.i[part], self.j[part], self.bound[part])

    @cached_property
    def _stride(self) -> int:
        return int(self.j.max(initial=0)) + 1

    @cached_property
    def _keys(self) -> Array:
        return self.i.astype(np.int64) * self._stride + self.j  # sorted, because the pairs are

    def bounds_at(self, i: Array, j: Array) -> Array:
        wanted = i.astype(np.int64) * self._stride + j
        place = np.minimum(np.searchsorted(self._keys, wanted), max(len(self) - 1, 0))
        found = np.full(len(wanted), np.inf)
        if len(self):
            hit = (self._keys[place] == wanted) & (j < self._stride)
            found[hit] = self.bound[place[hit]]
        return found

    def among(self, other: "Pairs") -> "Pairs":
        """These pairs, as far as ``other`` lists them too."""
        return self._take(np.isfinite(other.bounds_at(self.i, self.j)))

    def within(self, groups: Groups) -> "Pairs":
        """These pairs, as far as both rows belong to the same group."""
        return self._take(groups.in_common(self.i, self.j))

    def scaled(self, factor: float) -> "Pairs":
        """The same pairs, their bounds multiplied. Bounds of 0 stay: equals remain equals."""
        return Pairs(self.i, self.j, times(self.bound, factor))

    def of_rows(self, rows: Array) -> "Pairs":
        """The pairs of these rows, with the bounds they have here; ``rows[r]`` becomes row r."""
        place = np.full(max(self.n_rows, int(rows.max(initial=-1)) + 1), -1)
        place[rows] = np.arange(len(rows))
        i, j = place[self.i], place[self.j]
        kept = (i >= 0) & (j >= 0)
        return Pairs(i[kept], j[kept], self.bound[kept])

    def fingerprint(self) -> Iterator[object]:
        yield from (self.i, self.j, self.bound)

    def _take(self, keep: Array) -> "Pairs":
        return Pairs(self.i[keep], self.j[keep], self.bound[keep])


class EveryPair:
    """All ordered pairs of rows, the bound of each computed by a rule when it is asked for.

    With ``groups``, only pairs that share one of them are constrained.
    """

    def __init__(self, distances: Distances, rule: Rule, groups: Groups | None = None) -> None:
        self.distances = distances
        self.rule = rule
        self.groups = groups

    def __len__(self) -> int:
        return self.distances.n_points * (self.distances.n_points - 1)

    @property
    def n_rows(self) -> int:
        return self.distances.n_points

    def __repr__(self) -> str:
        return f"EveryPair({len(self)} ordered pairs, {self.rule!r})"

    @property
    def n_blocks(self) -> int:
        return -(-self.distances.n_points // self.distances.block_rows)

    def blocks(self, first: int = 0, last: int | None = None) -> Iterator[PairTile]:
        step = self.distances.block_rows
        end = None if last is None else min(last * step, self.distances.n_points)
        for start, _, distances in self.distances.blocks(first * step, end):
            bound = self.rule.block(start, distances)
            rows = np.arange(len(bound))
            bound[rows, start + rows] = np.inf
            if self.groups is not None:
                bound[~self.groups.table(start, start + len(bound))] = np.inf
            yield PairTile(start, bound)

    @property
    def radii(self) -> Array | None:
        """The radii r, one for each point, where compiled loops have the distances and the bound of
        a pair (i, j) is d(i, j) / r_i, at most ``largest_bound``; else None.
        """
        radii = self.rule.radii(self.n_rows)
        if radii is None or self.distances.measured is None:
            return None
        return radii if self.distances.zero_is_same else None  # one row stands for its equals

    @property
    def largest_bound(self) -> float:
        """No bound that follows from radii is above this."""
        return self.rule.largest_bound

    def bounds_at(self, i: Array, j: Array) -> Array:
        bound = self.rule.at(i, j, self.distances.at(i, j))
        bound[i == j] = np.inf
        if self.groups is not None:
            bound[~self.groups.in_common(i, j)] = np.inf
        return bound

    def scaled(self, factor: float) -> "EveryPair":
        """The same pairs, their bounds multiplied."""
        return EveryPair(self.distances, self.rule.scaled(factor), self.groups)

    def within(self, groups: Groups) -> "EveryPair":
        """The pairs of rows that belong to the same group."""
        return EveryPair(self.distances, self.rule, groups)

    def of_rows(self, rows: Array) -> "EveryPair":
        """The pairs of these rows, with the bounds they have here; ``rows[r]`` becomes row r."""
        groups = None if self.groups is None else self.groups.among(rows)
        return EveryPair(self.distances.among(rows), self.rule.of_rows(rows), groups)

    def fingerprint(self) -> Iterator[object]:
        yield from _fingerprint_of(self.rule)


def _fingerprint_of(rule: Rule) -> Iterator[object]:
    """Its kind and what it holds, which may be another rule."""
    yield type(rule).__name__
    for value in vars(rule).values():
        yield from _fingerprint_of(value) if isinstance(value, Rule) else (value,)


class UnknownPairs:
    """Pairs whose bounds there was no time to find out. All that can be said of them: people who
    are treated the same are within any bound.
    """

    n_blocks = 1

    def __init__(self, n_points: int, at_most: int) -> None:
        self.n_rows = n_points
        self._at_most = at_most

    def __len__(self) -> int:
        return self._at_most

    def blocks(self, first: int = 0, last: int | None = None) -> Iterator[PairBlock]:
        check()
        raise _are_unknown()

    def bounds_at(self, i: Array, j: Array) -> Array:
        if len(i):
            raise _are_unknown()
        return np.zeros(0)

    def within(self, groups: Groups) -> "UnknownPairs":
        return self

    def scaled(self, factor: float) -> "UnknownPairs":
        return self

    def of_rows(self, rows: Array) -> "UnknownPairs":
        return UnknownPairs(len(rows), min(self._at_most, len(rows) * (len(rows) - 1)))

    def fingerprint(self) -> Iterator[object]:
        yield "unknown"


def _are_unknown() -> RuntimeError:
    return RuntimeError("the bounds of these pairs are not known: whoever asks has no time for it")


def _once(first: Array, second: Array, bound: Array) -> Array:
    """The places of pairs in the order of their ends, each pair at its smallest bound."""
    stride = int(second.max()) + 1
    if int(first.max()) >= MOST_KEYS // stride:
        raise InvalidArgument(
            "Pairs", "row numbers are too large to be rows of data.", "Number the rows from 0."
        )
    keys = first.astype(np.int64) * stride + second
    order = np.argsort(keys)  # quick, and enough where no pair is repeated
    is_first = np.r_[True, np.diff(keys[order]) != 0]
    if not is_first.all():
        order = np.lexsort((bound, keys))
    return np.asarray(order[is_first])


def _indices(name: str, values: ArrayLike) -> Array:
    array = np.atleast_1d(np.asarray(values))
    if array.size == 0:
        return np.zeros(0, dtype=np.int32)
    if array.dtype.kind not in "iu":
        raise InvalidArgument(
            f"Pairs.{name}",
            f"row numbers must be integers, not {array.dtype}.",
            "Pass row numbers.",
        )
    if array.min() < 0:
        raise InvalidArgument(
            f"Pairs.{name}", "some row numbers are negative.", "Number the rows from 0."
        )
    return array.astype(np.int32 if array.max() < 2**31 else np.int64)
