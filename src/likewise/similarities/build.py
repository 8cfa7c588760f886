"""Which rule, and which pairs, what the user calls a similarity means."""

import inspect
from collections.abc import Callable

import numpy as np
from scipy import sparse

from likewise._typing import Array
from likewise.compute.executor import LOCAL, Executor
from likewise.errors import InvalidArgument, unknown_name
from likewise.geometry.diameter import diameter
from likewise.geometry.distances import Distances
from likewise.geometry.neighbors import neighbor_radius, neighbors
from likewise.similarities.bounds import check_bounds
from likewise.similarities.pairs import EveryPair, Pairs, PairSource
from likewise.similarities.rules import (
    CallableRule,
    GlobalRule,
    LocalRule,
    Rule,
    TableRule,
    says_nothing_of_others,
)

TABLE_ROWS = 4000  # up to here the bounds of a user's function are kept as a table: 128 MB


def build_pairs(
    similarity: object,
    distances: Distances,
    *,
    n_clusters: int,
    n_neighbors: int | None = None,
    bound_scale: float = 1.0,
    executor: Executor = LOCAL,
) -> PairSource:
    """The constrained pairs of the rows behind ``distances``, all bounds times ``bound_scale``."""
    pairs = _as_said(similarity, distances, n_clusters, n_neighbors, executor)
    return pairs if bound_scale == 1 else pairs.scaled(bound_scale)


def _as_said(
    similarity: object,
    distances: Distances,
    n_clusters: int,
    n_neighbors: int | None,
    executor: Executor,
) -> PairSource:
    n = distances.n_points
    if n_neighbors is not None and n_neighbors >= n - 1:
        n_neighbors = None  # every pair
    if callable(similarity):
        similarity = _called(similarity, distances, n_neighbors is None)
    if isinstance(similarity, str):
        similarity = _named_rule(similarity, distances, n_clusters, executor)
    if sparse.issparse(similarity):
        similarity = _stored_pairs(similarity, n)
    if isinstance(similarity, Pairs):
        similarity.check_rows(n)
        if n_neighbors is None:
            return similarity
        return similarity.among(Pairs(*neighbors(distances, n_neighbors, executor)))
    rule = similarity if isinstance(similarity, Rule) else TableRule(_as_table(similarity, n))
    if n_neighbors is None:
        return EveryPair(distances, rule)
    i, j, d = neighbors(distances, n_neighbors, executor)
    return Pairs(i, j, rule.at(i, j, d))


def rule_for_others(
    similarity: object, distances: Distances, n_clusters: int, bound_scale: float = 1.0
) -> Rule:
    """The rule for pairs of a row behind ``distances`` with a point that is none of the rows."""
    rule = _rule_for_others(similarity, distances, n_clusters)
    return rule if bound_scale == 1 else rule.scaled(bound_scale)


def _rule_for_others(similarity: object, distances: Distances, n_clusters: int) -> Rule:
    if isinstance(similarity, str):
        return _named_rule(similarity, distances, n_clusters, LOCAL)
    if callable(similarity) and not _takes_one_argument(similarity):
        return CallableRule.of(similarity, distances.X)
    raise says_nothing_of_others()


def _global(distances: Distances, n_clusters: int, executor: Executor) -> Rule:
    return GlobalRule(diameter(distances, executor))


def _local(distances: Distances, n_clusters: int, executor: Executor) -> Rule:
    n = distances.n_points
    n_inside = max(1, min(n // n_clusters, n - 1))
    return LocalRule(neighbor_radius(distances, n_inside, executor), n_inside)


# the rules that have a name; a new one is a function like these and its entry
NAMED: dict[str, Callable[[Distances, int, Executor], Rule]] = {
    "global": _global,
    "local": _local,
}


def _named_rule(name: str, distances: Distances, n_clusters: int, executor: Executor) -> Rule:
    if name not in NAMED:
        raise unknown_name("similarity", name, NAMED)
    return NAMED[name](distances, n_clusters, executor)


def _stored_pairs(matrix: object, n: int) -> Pairs:
    """The stored entries of a sparse matrix; the others are not constrained."""
    stored = sparse.coo_array(matrix)
    _check_shape(stored.shape, n)
    bound = check_bounds("similarity", np.asarray(stored.data, dtype=np.float64))
    return Pairs(stored.coords[0], stored.coords[1], bound)


def _as_table(similarity: object, n: int) -> Array:
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


def _called(function: Callable[..., object], distances: Distances, every_pair: bool) -> object:
    """What the user's function says: see the room's table for the three forms it may have."""
    if _takes_one_argument(function):
        return function(distances.X)
    rule = CallableRule.of(function, distances.X)
    if every_pair and distances.n_points <= TABLE_ROWS:
        rows = np.broadcast_to(0.0, (distances.n_points, distances.n_points))
        return rule.block(0, rows)  # asked many times over while solving: once is enough
    return rule


def _takes_one_argument(function: Callable[..., object]) -> bool:
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
