"""Checks of single arguments that every entry point shares: what is wrong, and what to do."""

from numbers import Integral, Real

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import _check_sample_weight, check_array

from likewise._typing import Array, Matrix
from likewise.errors import InvalidArgument

# What rounding may leave in distributions that were computed, written down and read again: entries
# this far below 0, and rows whose sums are this far from 1.
NEGATIVE_ROUNDING, SUM_ROUNDING = 1e-9, 1e-6
_DISTRIBUTIONS = "Pass an (n, k) array of probabilities, or one label (0, 1, 2, ...) a row."


def check_number(name: str, value: object, kind: type, smallest: float) -> None:
    """Raise unless it is a number (``Integral`` or ``Real``) of at least ``smallest``."""
    whole = "a whole number" if kind is Integral else "a number"
    remedy = f"Use {whole} of at least {smallest}."
    if not isinstance(value, Real) or isinstance(value, bool) or not isinstance(value, kind):
        raise InvalidArgument(name, f"{value!r} is not {whole}.", remedy)
    if value < smallest or value != value:  # the latter: not a number, NaN
        raise InvalidArgument(name, f"{value!r} is too small.", remedy)


def check_scale(name: str, value: object) -> None:
    """Raise unless bounds can be multiplied by it: a finite number that is not negative."""
    check_number(name, value, Real, 0)
    if value == float("inf"):
        raise InvalidArgument(
            name, "infinite bounds bind nobody.", "Use a finite number, or individual=False."
        )


def check_limits(tol: object, max_time: object) -> None:
    """Raise unless a solve may end at this gap and after this time (None: never)."""
    check_number("tol", tol, Real, 0)
    if max_time is not None:
        check_number("max_time", max_time, Real, 0)


def check_clusters(n_clusters: int, n_points: int) -> None:
    """Raise unless it is a whole number from 1 to the number of points."""
    check_number("n_clusters", n_clusters, Integral, 1)
    if n_clusters > n_points:
        raise InvalidArgument(
            "n_clusters",
            f"{n_clusters} centres were asked for, but X has only n_samples={n_points} rows.",
            f"Use n_clusters of at most {n_points}.",
        )


def as_table(X: object) -> Matrix:
    """X as rows of numbers, dense or sparse."""
    try:
        return check_array(X, accept_sparse="csr", dtype=np.float64, order="C")
    except (TypeError, ValueError) as error:
        raise InvalidArgument("X", f"{error}", "Pass one row of numbers a point.") from None


def check_costs(cost: Array) -> Array:
    """The costs, if they and their sum are numbers that can be computed with."""
    with np.errstate(over="ignore", invalid="ignore"):
        usable = np.isfinite(cost.sum())
    if not usable:
        raise InvalidArgument(
            "cost",
            "some costs are infinite, not a number or too large to be added up.",
            "Scale the data, or lower p: the distances are raised to the power p.",
        )
    return cost


def check_weights(sample_weight: ArrayLike | None, X: Matrix) -> Array:
    """One weight a row of X, for a fit: not all of them zero; all 1 if there are none."""
    remedy = "Use one weight a row, each at least 0 and at least one of them positive."
    try:
        weights: Array = _check_sample_weight(sample_weight, X, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InvalidArgument("sample_weight", str(error), remedy) from None
    if weights.min() < 0:
        raise InvalidArgument("sample_weight", "some weights are negative.", remedy)
    return weights


def weights_of(sample_weight: ArrayLike | None, n_points: int) -> Array:
    """One weight a row, to judge a clustering by: any that are not negative; all 1 if none."""
    if sample_weight is None:
        return np.ones(n_points)
    weights = np.asarray(sample_weight, dtype=np.float64)
    if weights.shape != (n_points,) or not (weights >= 0).all():
        raise InvalidArgument(
            "sample_weight",
            f"an array of shape {weights.shape}, or negative weights.",
            f"Pass {n_points} weights of at least 0.",
        )
    return weights


def as_distributions(clustering: ArrayLike, n_clusters: int | None = None) -> Array:
    """(n, k) distributions, from distributions or from labels."""
    table = np.asarray(clustering)
    if table.ndim == 1 and table.dtype.kind in "iub":
        return _one_hot(table.astype(np.int64), n_clusters)
    if table.ndim != 2 or table.dtype.kind not in "iufb":
        raise InvalidArgument(
            "distributions",
            f"an array of shape {table.shape} and type {table.dtype}.",
            _DISTRIBUTIONS,
        )
    table = table.astype(np.float64)
    if not np.isfinite(table).all() or table.min(initial=0.0) < -NEGATIVE_ROUNDING:
        raise InvalidArgument(
            "distributions", "some entries are negative or not a number.", _DISTRIBUTIONS
        )
    if np.abs(table.sum(axis=1) - 1.0).max(initial=0.0) > SUM_ROUNDING:
        raise InvalidArgument("distributions", "some rows do not sum to 1.", _DISTRIBUTIONS)
    return table


def _one_hot(labels: Array, n_clusters: int | None) -> Array:
    if labels.min(initial=0) < 0:
        raise InvalidArgument(
            "distributions",
            "some labels are negative: points without a cluster (noise).",
            "Leave these rows out, or give noise a cluster of its own.",
        )
    k = int(labels.max(initial=0)) + 1 if n_clusters is None else n_clusters
    if labels.max(initial=0) >= k:
        raise InvalidArgument(
            "distributions",
            f"label {labels.max()} in a clustering of {k} clusters.",
            _DISTRIBUTIONS,
        )
    table = np.zeros((len(labels), k))
    table[np.arange(len(labels)), labels] = 1.0
    return table
