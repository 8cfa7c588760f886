"""Points on a sheet of paper: the two directions in which they differ most."""

from dataclasses import dataclass

import numpy as np

from likewise._typing import Array


@dataclass(frozen=True)
class Projection:
    """Some rows and the centres, in the plane, scaled to 0..1."""

    rows: Array
    points: Array  # (rows, 2)
    centers: Array  # (k, 2)
    explained: float  # share of the variance that the plane shows


def project(X: Array, center_rows: Array, rows: Array) -> Projection:
    """By principal components; a single feature is laid out on a line."""
    middle = X.mean(axis=0)
    centered = X - middle
    spread = centered.T @ centered
    values, vectors = np.linalg.eigh(spread)
    axes = vectors[:, ::-1][:, :2]
    # signs are a matter of chance: the largest entry of each axis is positive
    axes = axes * np.sign(axes[np.abs(axes).argmax(axis=0), np.arange(axes.shape[1])])
    flat = np.zeros((len(X), 2))
    flat[:, : axes.shape[1]] = centered @ axes
    low, high = flat.min(axis=0), flat.max(axis=0)
    width = np.where(high > low, high - low, 1.0)
    scaled = (flat - low) / width
    scaled[:, high == low] = 0.5
    total = float(values.sum())
    explained = float(values[::-1][:2].sum() / total) if total > 0 else 1.0
    return Projection(rows, scaled[rows], scaled[center_rows], explained)
