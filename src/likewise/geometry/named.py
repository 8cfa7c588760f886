"""Distances by name: those of scikit-learn that work, and what each needs of the data."""

import numpy as np
from scipy import sparse
from scipy.spatial.distance import cdist

from likewise._typing import Array, Matrix, Metric
from likewise.errors import InvalidArgument, unknown_name

# Vector distances under the names that scipy knows them by. NaN is refused before anything is
# measured, so that nan_euclidean is Euclidean.
VECTORS = {
    "euclidean": "euclidean",
    "l2": "euclidean",
    "nan_euclidean": "euclidean",
    "manhattan": "cityblock",
    "cityblock": "cityblock",
    "l1": "cityblock",
    "chebyshev": "chebyshev",
    "sqeuclidean": "sqeuclidean",
    "canberra": "canberra",
    "braycurtis": "braycurtis",
    "correlation": "correlation",
    "hamming": "hamming",
    "matching": "hamming",
    "minkowski": "minkowski",
    "seuclidean": "seuclidean",
    "mahalanobis": "mahalanobis",
}
YES_OR_NO = ("jaccard", "dice", "rogerstanimoto", "russellrao", "sokalsneath", "yule")
OTHERS = ("cosine", "gower", "haversine", "precomputed")
OFFERED = (*VECTORS, *OTHERS, *YES_OR_NO)


def check_metric(metric: Metric, X: Matrix) -> None:
    """Raise unless it is a function or a name that is offered, and X is what it is for."""
    if callable(metric):
        return
    if metric not in OFFERED:
        raise unknown_name("metric", metric, OFFERED)
    if metric in YES_OR_NO:
        _check_yes_or_no(metric, X)
    if metric == "haversine" and X.shape[1] != 2:
        raise InvalidArgument(
            "metric",
            f"'haversine' is for latitude and longitude, but X has {X.shape[1]} columns.",
            "Pass these two, in radians, or choose another metric.",
        )


def parameters_of(metric: Metric, X: Matrix) -> dict[str, Array]:
    """Parameters that some metrics read off the data: once from all of it, not from each block."""
    if metric == "seuclidean":
        return {"V": np.var(dense(X), axis=0, ddof=1)}
    if metric == "mahalanobis":
        return {"VI": _inverse_covariance(dense(X))}
    return {}


def yes_or_no_distances(metric: str, A: Matrix, B: Matrix) -> Array:
    """Between rows of 0 and 1. Identical rows are at distance zero, also where the formula has
    something else for them (russellrao) or nothing (dice, for rows without a single 1).
    """
    for rows in (A, B):
        _check_yes_or_no(metric, rows)
    ours, theirs = dense(A).astype(bool), dense(B).astype(bool)
    table = cdist(ours, theirs, metric)
    table[cdist(ours, theirs, "hamming") == 0] = 0.0
    return np.asarray(table)


def dense(A: Matrix) -> Array:
    """The rows as a dense array."""
    return A if isinstance(A, np.ndarray) else np.asarray(A.toarray())


def _check_yes_or_no(metric: str, X: Matrix) -> None:
    values = np.asarray(X.data if sparse.issparse(X) else X)
    if not np.isin(values, (0, 1)).all():
        raise InvalidArgument(
            "metric",
            f"{metric!r} compares columns of yes and no, but X has other numbers than 0 and 1.",
            "Turn each column into 0 and 1 and do not scale them, or use metric='euclidean'.",
        )


def _inverse_covariance(X: Array) -> Array:
    covariance = np.atleast_2d(np.cov(X.T))
    if np.linalg.matrix_rank(covariance) < len(covariance):
        raise InvalidArgument(
            "metric",
            "'mahalanobis' needs more rows than columns, and no column that follows from others.",
            "Leave out what follows from other columns, or use metric='seuclidean'.",
        )
    return np.asarray(np.linalg.inv(covariance).T)
