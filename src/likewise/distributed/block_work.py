"""What workers do with one block of rows, for clustering by blocks. Results are small.

Distances are Euclidean, to the nearest of the centres unless something else is said.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy.spatial.distance import cdist

from likewise._typing import Array
from likewise.io.atomic import write_atomically
from likewise.problem.costs import powers, total_to_nearest

CELLS = 4_000_000  # distances of rows to centres that are held at a time: 32 MB


class Moments(NamedTuple):
    """What Lloyd's step needs of some rows."""

    cost: float  # the sum of squared distances
    sums: Array  # (k, d): of the rows of each centre
    counts: Array  # (k,): how many they are


class NearestRows(NamedTuple):
    """For each of some points the nearest row of a block."""

    distance: Array
    place: Array  # in the block
    row: Array


def count(rows: Array) -> int:
    """How many rows there are."""
    return len(rows)


def one_row(rows: Array, place: int) -> Array:
    """The row at this place."""
    return np.asarray(rows[place])


def cost_to(rows: Array, centers: Array, p: float) -> float:
    """The sum of distances to the nearest centre, to the power p; for p = inf the largest."""
    return total_to_nearest(_nearest(rows, centers)[1], p)


def farthest(rows: Array, centers: Array) -> tuple[float, Array]:
    """The row that is farthest from all centres."""
    _, nearest = _nearest(rows, centers)
    place = int(nearest.argmax())
    return float(nearest[place]), rows[place]


def draw(rows: Array, centers: Array, p: float, rate: float, seed: tuple[int, ...]) -> Array:
    """Rows drawn each for itself with probability rate x distance to the power p."""
    _, nearest = _nearest(rows, centers)
    chance = np.random.default_rng(seed).random(len(rows))
    return rows[chance < rate * powers(nearest, p)]


def weigh(rows: Array, centers: Array) -> Array:
    """How many rows are nearest to each centre."""
    return np.bincount(_nearest(rows, centers)[0], minlength=len(centers))


def moments(rows: Array, centers: Array) -> Moments:
    """The rows of each centre, summed up and counted."""
    label, nearest = _nearest(rows, centers)
    k = len(centers)
    sums = np.column_stack([np.bincount(label, column, k) for column in rows.T])
    return Moments(float((nearest**2).sum()), sums, np.bincount(label, minlength=k))


def nearest_rows(rows: Array, centers: Array) -> NearestRows:
    """For each centre the nearest row."""
    distance = np.full(len(centers), np.inf)
    place = np.zeros(len(centers), dtype=np.int64)
    for start, part in _pieces(rows, centers):
        table = cdist(part, centers)
        here = table.argmin(axis=0)
        value = table[here, np.arange(len(centers))]
        better = value < distance
        distance[better], place[better] = value[better], start + here[better]
    return NearestRows(distance, place, rows[place])


def write(rows: Array, centers: Array, p: float, first: int, path: str) -> float:
    """The rows' clusters as a Parquet file: row number, cluster, distance; returns their cost."""
    import io

    import polars as pl

    label, nearest = _nearest(rows, centers)
    table = pl.DataFrame(
        {
            "row": np.arange(first, first + len(rows)),
            "cluster": label.astype(np.int32),
            "distance": nearest,
        }
    )
    content = io.BytesIO()
    table.write_parquet(content)
    write_atomically(Path(path), content.getvalue())
    return total_to_nearest(nearest, p)


def _pieces(rows: Array, centers: Array) -> Iterator[tuple[int, Array]]:
    step = max(1, CELLS // len(centers))
    for start in range(0, len(rows), step):
        yield start, rows[start : start + step]


def _nearest(rows: Array, centers: Array) -> tuple[Array, Array]:
    """The nearest centre of each row, and how far it is."""
    label, distance = np.empty(len(rows), dtype=np.int64), np.empty(len(rows))
    for start, part in _pieces(rows, centers):
        table = cdist(part, centers)
        here = table.argmin(axis=1)
        label[start : start + len(part)] = here
        distance[start : start + len(part)] = table[np.arange(len(part)), here]
    return label, distance
