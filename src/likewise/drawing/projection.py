"""Points on a sheet of paper: the two directions in which most of them differ most.

A few people who are unlike everybody else would set the directions and squeeze the others into a
corner. So directions and view are those of the bulk: people no farther from the middle than
``REACH`` times as far as nearly all of them are. Whoever lies outside the view is put at its edge.
"""

from dataclasses import dataclass

import numpy as np

from likewise._typing import Array

NEARLY_ALL = 0.95
REACH = 2.5  # of normal data, one in millions lies farther out


@dataclass(frozen=True)
class Projection:
    """Some rows and the centres, in the plane, scaled to 0..1."""

    rows: Array
    points: Array  # (rows, 2)
    centers: Array  # (k, 2)
    outside: Array  # for each of the rows, whether it lies outside the view
    n_outside: int  # of everybody
    explained: float  # share of the variance of the bulk that the plane shows


def project(X: Array, center_rows: Array, rows: Array) -> Projection:
    """By principal components; a single feature is laid out on a line."""
    bulk = _bulk(X)
    centered = X - X[bulk].mean(axis=0)
    values, vectors = np.linalg.eigh(centered[bulk].T @ centered[bulk])
    flat = np.zeros((len(X), 2))
    flat[:, : min(2, X.shape[1])] = centered @ _main_axes(vectors)
    places = _scaled(flat, bulk)
    outside = np.any((places < 0) | (places > 1), axis=1)
    seen = places.clip(0.0, 1.0)
    total = float(values.sum())
    return Projection(
        rows=rows,
        points=seen[rows],
        centers=seen[center_rows],
        outside=outside[rows],
        n_outside=int(outside.sum()),
        explained=float(values[::-1][:2].sum() / total) if total > 0 else 1.0,
    )


def _bulk(X: Array) -> Array:
    """Which rows are not unlike everybody else."""
    away = np.sqrt(((X - np.median(X, axis=0)) ** 2).sum(axis=1))
    return np.asarray(away <= REACH * np.quantile(away, NEARLY_ALL, method="higher"))


def _main_axes(vectors: Array) -> Array:
    """The last two, as columns. Signs are a matter of chance: the largest entry is positive."""
    axes = vectors[:, ::-1][:, :2]
    largest = axes[np.abs(axes).argmax(axis=0), np.arange(axes.shape[1])]
    return np.asarray(axes * np.sign(largest))


def _scaled(flat: Array, bulk: Array) -> Array:
    """The bulk at 0..1, in the middle where all of it is at one place."""
    low, high = flat[bulk].min(axis=0), flat[bulk].max(axis=0)
    width = np.where(high > low, high - low, 1.0)
    scaled: Array = (flat - low) / width
    scaled[:, high == low] += 0.5
    return scaled
