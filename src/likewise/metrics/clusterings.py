"""Clusterings of any kind as distributions."""

from typing import Any

import numpy as np

from likewise._typing import Array
from likewise.errors import InvalidArgument

_REMEDY = "Pass an (n, k) array of probabilities, or one label (0, 1, 2, ...) a row."


def as_distributions(clustering: Any, n_clusters: int | None = None) -> Array:
    """(n, k) distributions, from distributions or from labels."""
    table = np.asarray(clustering)
    if table.ndim == 1 and table.dtype.kind in "iub":
        return _one_hot(table.astype(np.int64), n_clusters)
    if table.ndim != 2 or table.dtype.kind not in "iufb":
        raise InvalidArgument(
            "distributions", f"an array of shape {table.shape} and type {table.dtype}.", _REMEDY
        )
    table = table.astype(np.float64)
    if not np.isfinite(table).all() or table.min(initial=0.0) < -1e-9:
        raise InvalidArgument(
            "distributions", "some entries are negative or not a number.", _REMEDY
        )
    if np.abs(table.sum(axis=1) - 1.0).max(initial=0.0) > 1e-6:
        raise InvalidArgument("distributions", "some rows do not sum to 1.", _REMEDY)
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
            "distributions", f"label {labels.max()} in a clustering of {k} clusters.", _REMEDY
        )
    table = np.zeros((len(labels), k))
    table[np.arange(len(labels)), labels] = 1.0
    return table


def weights_of(sample_weight: Any, n_points: int) -> Array:
    """One weight a row; all 1 if there are none."""
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
