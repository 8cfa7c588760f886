"""Checks of single arguments that every entry point shares."""

from numbers import Integral
from typing import Any

import numpy as np
from sklearn.utils.validation import _check_sample_weight, check_array

from likewise._typing import Array
from likewise.errors import InvalidArgument


def check_number(name: str, value: Any, kind: Any, smallest: float) -> None:
    """Raise unless it is a number (``Integral`` or ``Real``) of at least ``smallest``."""
    whole = "a whole number" if kind is Integral else "a number"
    remedy = f"Use {whole} of at least {smallest}."
    if isinstance(value, bool | np.bool_) or not isinstance(value, kind):
        raise InvalidArgument(name, f"{value!r} is not {whole}.", remedy)
    if not value >= smallest:
        raise InvalidArgument(name, f"{value!r} is too small.", remedy)


def check_clusters(n_clusters: Any, n_points: int) -> None:
    """Raise unless it is a whole number from 1 to the number of points."""
    check_number("n_clusters", n_clusters, Integral, 1)
    if n_clusters > n_points:
        raise InvalidArgument(
            "n_clusters",
            f"{n_clusters} centres were asked for, but X has only n_samples={n_points} rows.",
            f"Use n_clusters of at most {n_points}.",
        )


def as_table(X: Any) -> Any:
    """X as rows of numbers, dense or sparse."""
    try:
        return check_array(X, accept_sparse="csr", dtype=np.float64, order="C")
    except (TypeError, ValueError) as error:
        raise InvalidArgument("X", f"{error}", "Pass one row of numbers a point.") from None


def check_weights(sample_weight: Any, X: Any) -> Array:
    """One weight a row of X; all 1 if there are none."""
    remedy = "Use one weight a row, each at least 0 and at least one of them positive."
    try:
        weights = _check_sample_weight(sample_weight, X, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InvalidArgument("sample_weight", str(error), remedy) from None
    if weights.min() < 0:
        raise InvalidArgument("sample_weight", "some weights are negative.", remedy)
    return weights
