"""Which pairs of people are compared, and how far apart their treatment may be.

Two kinds of pair source, one interface: ``Pairs`` lists its pairs; ``EveryPair`` computes the
bounds of all n (n - 1) ordered pairs from the distances when they are asked for, block by block.
Either can be restricted to pairs that share a protected group.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from likewise._typing import Array
from likewise.divergences.registry import Divergence
from likewise.errors import InvalidArgument
from likewise.geometry.distances import Distances
from likewise.groups.membership import Groups

LIST_BLOCK = 250_000  # pairs in a block of a list
# Up to here every pair is listed by the solvers. Half of them are kept, 24 bytes each: 100 MB.
LISTED_PAIRS = 8_000_000


@dataclass(frozen=True)
class PairList:
    """A block of pairs (i, j) with their bounds, one by one."""

    i: Array
    j: Array
    bound: Array

    def divergences(self, divergence: Divergence, distributions: Array) -> Array:
        return divergence.values(distributions[self.i], distributions[self.j])

    def pairs_at(self, positions: Array) -> tuple[Array, Array]:
        return self.i[positions], self.j[positions]

    @property
    def n_pairs(self) -> int:
        return len(self.i)


@dataclass(frozen=True)
class PairTile:
    """A block of pairs (i, j): rows start, start + 1, ... against every j; bound[i - start, j].

    The bound of a point with itself is infinite.
    """

    start: int
    bound: Array

    def divergences(self, divergence: Divergence, distributions: Array) -> Array:
        rows = distributions[self.start : self.start + len(self.bound)]
        return divergence.table(rows, distributions)

    def pairs_at(self, positions: Array) -> tuple[Array, Array]:
        rows, columns = np.divmod(positions, self.bound.shape[1])
        return self.start + rows, columns

    @property
    def n_pairs(self) -> int:
        return int(np.isfinite(self.bound).sum())


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

    def blocks(self, first: int = 0, last: int | None = None) -> Iterator[PairList | PairTile]:
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
        kept = kept[np.lexsort((limit[kept], second[kept], first[kept]))]
        if len(kept):
            repeats = (np.diff(first[kept]) == 0) & (np.diff(second[kept]) == 0)
            kept = kept[np.r_[True, ~repeats]]
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

    def _take(self, keep: Array) -> "Pairs":
        return Pairs(self.i[keep], self.j[keep], self.bound[keep])


class Rule(Protocol):
    """How the bounds of a block of pairs follow from their distances."""

    def block(self, start: int, distances: Array) -> Array:
        """Bounds of rows start, start + 1, ... (distances[r, j]) against every row."""
        ...

    def at(self, i: Array, j: Array, distances: Array) -> Array:
        """Bounds of single pairs."""
        ...

    def scaled(self, factor: float) -> "Rule":
        """The bounds multiplied."""
        ...

    def radii(self, n_points: int) -> Array | None:
        """The radius r_i of each row where the bound of a pair is d / max(r_i, r_j), None where it
        is not of that form.
        """
        ...


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


def excess_of(values: Array, bound: Array) -> Array:
    """How far divergences are above their bounds; minus infinity where there is no bound, also if
    the divergence itself is infinite.
    """
    with np.errstate(invalid="ignore"):
        return np.where(np.isfinite(bound), values - bound, -np.inf)


def times(bound: Array, factor: float) -> Array:
    """Bounds times a factor; 0 times infinity is 0."""
    with np.errstate(invalid="ignore"):
        return np.where(bound == 0, 0.0, bound * factor)


def check_bounds(argument: str, bound: Array) -> Array:
    """The bounds, if all of them are numbers that are not negative."""
    if np.isnan(bound).any():
        raise InvalidArgument(
            argument, "some bounds are not a number (NaN).", "Use inf for a pair without a bound."
        )
    if bound.min(initial=0.0) < 0:
        raise InvalidArgument(
            argument,
            f"some bounds are negative (smallest {bound.min():g}).",
            "A divergence is never negative: use bounds of at least 0.",
        )
    return bound


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
