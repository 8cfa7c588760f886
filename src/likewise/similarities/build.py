"""From the data to the pairs: who counts as similar to whom, and how similar."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from likewise._typing import Array
from likewise.errors import InvalidArgument, unknown_name
from likewise.geometry.distances import Distances
from likewise.similarities.pairs import EveryPair, Pairs, PairSource, Rule, check_bounds, times

NAMES = ("global", "local")
TABLE_ROWS = 4000  # up to here the bounds of a user's function are kept as a table
_FORMS = (
    "It must be f(x_i, x_j) -> a bound, f(A, B) -> the table of bounds between the rows of A and B,"
    " or f(X) -> a matrix or Pairs."
)


@dataclass(frozen=True)
class ScaledRule:
    """Another rule's bounds, multiplied."""

    rule: Rule
    factor: float

    def block(self, start: int, distances: Array) -> Array:
        return times(self.rule.block(start, distances), self.factor)

    def at(self, i: Array, j: Array, distances: Array) -> Array:
        return times(self.rule.at(i, j, distances), self.factor)

    def scaled(self, factor: float) -> Rule:
        return ScaledRule(self.rule, self.factor * factor)

    def radii(self, n_points: int) -> Array | None:
        return None


@dataclass(frozen=True)
class GlobalRule:
    """F(i, j) = d(i, j) / largest; all points coincide where largest is 0."""

    largest: float

    def block(self, start: int, distances: Array) -> Array:
        return self.at(distances, distances, distances)

    def at(self, i: Array, j: Array, distances: Array) -> Array:
        return distances / self.largest if self.largest > 0 else np.zeros_like(distances)

    def scaled(self, factor: float) -> Rule:
        if 0 < factor < np.inf and self.largest > 0:
            return GlobalRule(self.largest / factor)
        return ScaledRule(self, factor)

    def radii(self, n_points: int) -> Array | None:
        return np.full(n_points, self.largest)


@dataclass(frozen=True, repr=False)
class LocalRule:
    """F(i, j) = min(1, d(i, j) / radius_i); 0 for coinciding points, also where the radius is 0."""

    radius: Array

    def _ratio(self, distances: Array, radius: Array) -> Array:
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = distances / radius
        ratio[(distances == 0) & (radius == 0)] = 0.0
        return np.minimum(ratio, 1.0)

    def block(self, start: int, distances: Array) -> Array:
        radius = self.radius[start : start + len(distances), None]
        return self._ratio(distances, np.broadcast_to(radius, distances.shape))

    def at(self, i: Array, j: Array, distances: Array) -> Array:
        return self._ratio(distances, self.radius[i])

    def scaled(self, factor: float) -> Rule:
        return ScaledRule(self, factor)  # not radius / factor: 1 outside the ball is scaled too

    def radii(self, n_points: int) -> Array | None:
        return self.radius


@dataclass(frozen=True, repr=False)
class TableRule:
    """F(i, j) = table[i, j], the user's own matrix."""

    table: Array

    def block(self, start: int, distances: Array) -> Array:
        return self.table[start : start + len(distances)].copy()

    def at(self, i: Array, j: Array, distances: Array) -> Array:
        return self.table[i, j]

    def scaled(self, factor: float) -> Rule:
        return TableRule(times(self.table, factor))

    def radii(self, n_points: int) -> Array | None:
        return None


@dataclass(frozen=True, repr=False)
class CallableRule:
    """F(i, j) = function(x_i, x_j), or a table of them at once from function(A, B)."""

    function: Callable[..., Any]
    X: Any
    of_two_points: bool

    @classmethod
    def of(cls, function: Callable[..., Any], X: Any) -> "CallableRule":
        return cls(function, X, _compares_two_points(function, X))

    def between(self, A: Any, B: Any) -> Array:
        """The bounds between the rows of A and the rows of B, whoever they are."""
        if not self.of_two_points:
            return self._table(A, B)
        try:
            rows = [[float(self.function(a, b)) for b in B] for a in A]
        except Exception as error:
            raise _failed(error) from error
        return check_bounds("similarity", np.array(rows))

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

    def scaled(self, factor: float) -> Rule:
        return ScaledRule(self, factor)

    def radii(self, n_points: int) -> Array | None:
        return None

    def _table(self, A: Any, B: Any) -> Array:
        try:
            table = np.array(self.function(A, B), dtype=np.float64)
        except Exception as error:
            raise _failed(error) from error
        if table.shape != (A.shape[0], B.shape[0]):
            raise InvalidArgument(
                "similarity", f"the function answered with shape {table.shape}.", _FORMS
            )
        return check_bounds("similarity", table)


def _failed(error: Exception) -> InvalidArgument:
    return InvalidArgument("similarity", f"the function failed: {error}.", _FORMS)


def build_pairs(
    similarity: Any,
    distances: Distances,
    *,
    n_clusters: int,
    n_neighbors: int | None = None,
) -> PairSource:
    """The constrained pairs of the rows behind ``distances``."""
    n = distances.n_points
    every_pair = n_neighbors is None or n_neighbors >= n - 1
    if callable(similarity):
        similarity = _called(similarity, distances, every_pair)
    if isinstance(similarity, str):
        similarity = _named_rule(similarity, distances, n_clusters)
    if sparse.issparse(similarity):
        stored = sparse.coo_array(similarity)
        _check_shape(stored.shape, n)
        stored.data = check_bounds("similarity", np.asarray(stored.data, dtype=np.float64))
        similarity = Pairs(stored.coords[0], stored.coords[1], stored.data)
    if isinstance(similarity, Pairs):
        similarity.check_rows(n)
        if n_neighbors is None or every_pair:
            return similarity
        return similarity.among(Pairs(*distances.neighbors(n_neighbors)))
    is_rule = isinstance(similarity, GlobalRule | LocalRule | CallableRule)
    rule: Rule = similarity if is_rule else TableRule(_as_table(similarity, n))
    if n_neighbors is None or every_pair:
        return EveryPair(distances, rule)
    i, j, d = distances.neighbors(n_neighbors)
    return Pairs(i, j, rule.at(i, j, d))


def _named_rule(name: str, distances: Distances, n_clusters: int) -> Rule:
    if name == "global":
        return GlobalRule(distances.largest())
    if name == "local":
        ball = min(distances.n_points // n_clusters, distances.n_points - 1)
        return LocalRule(distances.neighbor_radius(ball))
    raise unknown_name("similarity", name, NAMES)


def _as_table(similarity: Any, n: int) -> Array:
    try:
        table = np.asarray(similarity, dtype=np.float64)
    except (TypeError, ValueError):
        raise InvalidArgument(
            "similarity",
            f"{type(similarity).__name__} is not a similarity.",
            "Use 'global', 'local', a callable, a matrix, a sparse matrix or Pairs(i, j, bound).",
        ) from None
    _check_shape(table.shape, n)
    return check_bounds("similarity", table)


def _check_shape(shape: tuple[int, ...], n: int) -> None:
    if shape != (n, n):
        raise InvalidArgument(
            "similarity",
            f"the matrix has shape {shape}, but X has {n} rows.",
            f"Pass bounds of shape ({n}, {n}): entry [i, j] is the bound of the pair (i, j).",
        )


def _called(function: Callable[..., Any], distances: Distances, every_pair: bool) -> Any:
    """What the user's function says: see the module's table for the three forms it may have."""
    if takes_one_argument(function):
        return function(distances.X)
    rule = CallableRule.of(function, distances.X)
    if every_pair and distances.n_points <= TABLE_ROWS:
        rows = np.broadcast_to(0.0, (distances.n_points, distances.n_points))
        return rule.block(0, rows)  # asked many times over while solving: once is enough
    return rule


def _compares_two_points(function: Callable[..., Any], X: Any) -> bool:
    try:
        return np.ndim(function(X[0], X[1])) == 0
    except (TypeError, ValueError, IndexError):
        return False


def takes_one_argument(function: Callable[..., Any]) -> bool:
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return False
    required = [
        parameter
        for parameter in parameters
        if parameter.default is parameter.empty
        and parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)
    ]
    return len(required) == 1 and not any(
        parameter.kind is parameter.VAR_POSITIONAL for parameter in parameters
    )
