"""Rules: how the bound F(i, j) of a pair follows from its distance, or from its two points.

========================  ==================================================================
``GlobalRule`` (F1)       F(i, j) = d(i, j) / largest
``LocalRule`` (F2)        F(i, j) = min(1, d(i, j) / r_i)
``TableRule``             F(i, j) = table[i, j]
``CallableRule``          F(i, j) = f(x_i, x_j)
``ScaledRule``            another rule's bounds, multiplied
========================  ==================================================================
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np

from likewise._typing import Array, Matrix
from likewise.errors import InvalidArgument
from likewise.geometry.neighbors import kth_smallest
from likewise.similarities.bounds import check_bounds, times

_FORMS = (
    "It must be f(x_i, x_j) -> a bound, f(A, B) -> the table of bounds between the rows of A and B,"
    " or f(X) -> a matrix or Pairs."
)


class MutualBounds(NamedTuple):
    """Bounds of points with rows, in both orders: (points, rows) each."""

    there: Array  # of (point, row)
    back: Array  # of (row, point)


@runtime_checkable
class Rule(Protocol):
    """How the bounds of pairs of rows follow from their distances."""

    def block(self, start: int, distances: Array) -> Array:
        """Bounds of rows start, start + 1, ... (distances[r, j]) against every row."""
        ...

    def at(self, i: Array, j: Array, distances: Array) -> Array:
        """Bounds of single pairs."""
        ...

    def between(self, points: Matrix, distances: Array) -> MutualBounds:
        """Bounds of points that are not among the rows, from their distances to every row."""
        ...

    def radii(self, n_points: int) -> Array | None:
        """The radius r_i of each row, where the bound of (i, j) is d(i, j) / r_i, but at most
        ``largest_bound``; None where it is not of that form.
        """
        ...

    @property
    def largest_bound(self) -> float:
        """No bound is above this."""
        ...

    def scaled(self, factor: float) -> "Rule":
        """The bounds multiplied."""
        ...

    def of_rows(self, rows: Array) -> "Rule":
        """The same bounds for pairs of these rows, numbered anew."""
        ...


@dataclass(frozen=True)
class ScaledRule:
    """Another rule's bounds, multiplied."""

    rule: Rule
    factor: float

    def block(self, start: int, distances: Array) -> Array:
        return times(self.rule.block(start, distances), self.factor)

    def at(self, i: Array, j: Array, distances: Array) -> Array:
        return times(self.rule.at(i, j, distances), self.factor)

    def between(self, points: Matrix, distances: Array) -> MutualBounds:
        there, back = self.rule.between(points, distances)
        return MutualBounds(times(there, self.factor), times(back, self.factor))

    def radii(self, n_points: int) -> Array | None:
        radii = self.rule.radii(n_points) if 0 < self.factor < np.inf else None
        return None if radii is None else radii / self.factor

    @property
    def largest_bound(self) -> float:
        return self.rule.largest_bound * self.factor if self.factor > 0 else 0.0

    def scaled(self, factor: float) -> Rule:
        return ScaledRule(self.rule, self.factor * factor)

    def of_rows(self, rows: Array) -> Rule:
        return ScaledRule(self.rule.of_rows(rows), self.factor)


@dataclass(frozen=True)
class GlobalRule:
    """F(i, j) = d(i, j) / largest; all points coincide where largest is 0."""

    largest: float

    def _bounds(self, distances: Array) -> Array:
        return distances / self.largest if self.largest > 0 else np.zeros_like(distances)

    def block(self, start: int, distances: Array) -> Array:
        return self._bounds(distances)

    def at(self, i: Array, j: Array, distances: Array) -> Array:
        return self._bounds(distances)

    def between(self, points: Matrix, distances: Array) -> MutualBounds:
        there = self._bounds(distances)
        return MutualBounds(there, there.copy())

    def radii(self, n_points: int) -> Array | None:
        return np.full(n_points, self.largest)

    @property
    def largest_bound(self) -> float:
        return np.inf

    def scaled(self, factor: float) -> Rule:
        if 0 < factor < np.inf and self.largest > 0:
            return GlobalRule(self.largest / factor)
        return ScaledRule(self, factor)

    def of_rows(self, rows: Array) -> Rule:
        return self  # the largest distance stays that of all rows


@dataclass(frozen=True, repr=False)
class LocalRule:
    """F(i, j) = min(1, d(i, j) / radius_i); 0 for coinciding points, also where the radius is 0.

    ``radius_i`` is that of the smallest ball round i that holds ``n_inside`` other rows.
    """

    radius: Array
    n_inside: int

    def block(self, start: int, distances: Array) -> Array:
        return _within_ball(distances, self.radius[start : start + len(distances), None])

    def at(self, i: Array, j: Array, distances: Array) -> Array:
        return _within_ball(distances, self.radius[i])

    def between(self, points: Matrix, distances: Array) -> MutualBounds:
        own = kth_smallest(distances, self.n_inside)
        return MutualBounds(
            _within_ball(distances, own[:, None]), _within_ball(distances, self.radius[None, :])
        )

    def radii(self, n_points: int) -> Array | None:
        return self.radius

    @property
    def largest_bound(self) -> float:
        return 1.0

    def scaled(self, factor: float) -> Rule:
        return ScaledRule(self, factor)  # not radius / factor: 1 outside the ball is scaled too

    def of_rows(self, rows: Array) -> Rule:
        return replace(self, radius=self.radius[rows])  # radii stay those among all rows


def _within_ball(distances: Array, radius: Array) -> Array:
    """min(1, d / r); 0 / 0 is 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = distances / radius
    ratio[distances == 0] = 0.0
    return np.minimum(ratio, 1.0)


@dataclass(frozen=True, repr=False)
class TableRule:
    """F(i, j) = table[i, j], the user's own matrix."""

    table: Array

    def block(self, start: int, distances: Array) -> Array:
        return self.table[start : start + len(distances)].copy()

    def at(self, i: Array, j: Array, distances: Array) -> Array:
        return np.asarray(self.table[i, j])

    def between(self, points: Matrix, distances: Array) -> MutualBounds:
        raise says_nothing_of_others()

    def radii(self, n_points: int) -> Array | None:
        return None

    @property
    def largest_bound(self) -> float:
        return np.inf

    def scaled(self, factor: float) -> Rule:
        return TableRule(times(self.table, factor))

    def of_rows(self, rows: Array) -> Rule:
        return TableRule(self.table[np.ix_(rows, rows)])


@dataclass(frozen=True, repr=False)
class CallableRule:
    """F(i, j) = function(x_i, x_j), or a table of them at once from function(A, B)."""

    function: Callable[..., Any]  # the user's: what it answers is checked
    X: Matrix
    of_two_points: bool

    @classmethod
    def of(cls, function: Callable[..., Any], X: Matrix) -> "CallableRule":
        """The rule of this function; which of the two kinds it is, two points tell."""
        return cls(function, X, _compares_two_points(function, X))

    def block(self, start: int, distances: Array) -> Array:
        rows, n = distances.shape
        if self.of_two_points:
            i = np.repeat(np.arange(start, start + rows), n)
            return self.at(i, np.tile(np.arange(n), rows), distances).reshape(rows, n)
        return self._table(self.X[start : start + rows], self.X)

    def at(self, i: Array, j: Array, distances: Array) -> Array:
        X = self.X
        if self.of_two_points:
            try:
                values = [float(self.function(X[a], X[b])) for a, b in zip(i, j, strict=True)]
            except Exception as error:
                raise _failed(error) from error
            return check_bounds("similarity", np.array(values))
        bound = np.empty(len(i))
        for row in np.unique(i):
            of_row = i == row
            bound[of_row] = self._table(X[row : row + 1], X[j[of_row]])[0]
        return bound

    def between(self, points: Matrix, distances: Array) -> MutualBounds:
        there, back = self._between(points, self.X), self._between(self.X, points)
        return MutualBounds(there, back.T.copy())

    def radii(self, n_points: int) -> Array | None:
        return None

    @property
    def largest_bound(self) -> float:
        return np.inf

    def scaled(self, factor: float) -> Rule:
        return ScaledRule(self, factor)

    def of_rows(self, rows: Array) -> Rule:
        return replace(self, X=self.X[rows])

    def _between(self, A: Matrix, B: Matrix) -> Array:
        """The bounds between the rows of A and the rows of B, whoever they are."""
        if not self.of_two_points:
            return self._table(A, B)
        try:
            rows = [[float(self.function(a, b)) for b in B] for a in A]
        except Exception as error:
            raise _failed(error) from error
        return check_bounds("similarity", np.array(rows))

    def _table(self, A: Matrix, B: Matrix) -> Array:
        try:
            table = np.array(self.function(A, B), dtype=np.float64)
        except Exception as error:
            raise _failed(error) from error
        if table.shape != (A.shape[0], B.shape[0]):
            raise InvalidArgument(
                "similarity", f"the function answered with shape {table.shape}.", _FORMS
            )
        return check_bounds("similarity", table)


def _compares_two_points(function: Callable[..., Any], X: Matrix) -> bool:
    try:
        return np.ndim(function(X[0], X[min(1, X.shape[0] - 1)])) == 0
    except (TypeError, ValueError, IndexError):
        return False


def _failed(error: Exception) -> InvalidArgument:
    return InvalidArgument("similarity", f"the function failed: {error}.", _FORMS)


def says_nothing_of_others() -> InvalidArgument:
    """The error of a similarity that is given for the fitted rows alone."""
    return InvalidArgument(
        "similarity",
        "it says nothing about points that were not there when it was made.",
        "Fit with 'global', 'local' or a function of two points.",
    )
