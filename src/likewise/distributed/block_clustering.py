"""Hard clustering of data that is read in blocks: k-means, k-median, k-center, any p.

Seeds as in scalable k-means++ (Bahmani et al. 2012): a few rounds in which every row is drawn for
itself with probability proportional to its cost, so that a round is one pass over the blocks, then
the few rows drawn, each with the number of rows nearest to it, are clustered here. For p = 2
Lloyd's steps follow, one pass each, and every mean is replaced by the nearest row, as
``LikewiseClustering`` does. p = inf: farthest first, one pass per centre. What comes out depends on
the data, its blocks and the seed, not on the workers.
"""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Integral, Real
from pathlib import Path

import numpy as np
from scipy.spatial.distance import cdist
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state

from likewise._typing import Array, Seed
from likewise._validation import check_number
from likewise.centers.choose import order_by_coordinates, too_few_distinct, weighted_means
from likewise.centers.local_search import N_STARTS, best_of_starts
from likewise.distributed import block_work
from likewise.distributed.client import client_for
from likewise.distributed.passes import Passes
from likewise.distributed.sources import blocks_of
from likewise.errors import InvalidArgument, require_extra
from likewise.io.rows import row_numbers
from likewise.problem.costs import lp_cost, powers

ROUNDS = 5  # of drawing seeds
DRAWN_PER_CENTER = 2.0  # in a round, on average; for p = 2
DRAWN_IN_ALL = 2_000  # for other p, where the rows drawn are all that centres are chosen from
MAX_LLOYD = 100  # steps; some twenty are usual
SETTLED = 1e-4  # Lloyd ends when a step lowers the cost by less than this part of it


@dataclass(frozen=True)
class BlockClustering:
    """Centres, and what it costs to give every row to the nearest."""

    centers: Array  # (k, d): rows of the data
    center_rows: Array  # (k,): their numbers, over all blocks
    columns: tuple[str, ...] | None
    p: float
    objective: float  # the sum of distances to the power p; for p = inf the largest distance
    n_points: int
    n_passes: int  # over the data
    files: tuple[Path, ...] = ()  # the clusters of all rows, if they were written

    @property
    def cost(self) -> float:
        """``objective ** (1 / p)``; for p = inf the largest distance."""
        return lp_cost(self.objective, self.p)


def cluster_blocks(
    source: object,
    n_clusters: int = 8,
    *,
    p: float = 2,
    columns: Sequence[str] | None = None,
    engine: object = "dask",
    random_state: Seed = None,
    out: str | Path | None = None,
    verbose: int = 0,
) -> BlockClustering:
    """Hard clustering of a folder of Parquet files, a dask array or a dask DataFrame.

    Parameters
    ----------
    source : path, dask array, dask DataFrame or PreparedTable
        The data; it is read block by block by the workers, who must see the files. Numbers are
        taken as they are, unless the table has been prepared (``prepare_blocks``).
    n_clusters, p
        As in ``LikewiseClustering``.
    columns : list of str, default=None
        Which columns of a table to use; None: all that are numbers.
    engine : "dask", address or dask.distributed.Client, default="dask"
        The cluster.
    random_state : int, RandomState or None
        Makes it repeatable.
    out : path, default=None
        A folder for the clusters of all rows: one Parquet file for each block, written by the
        workers. Rows have the numbers that a spreadsheet would show: the first is row 2.
    """
    require_extra("dask", "cluster_blocks")
    check_number("n_clusters", n_clusters, Integral, 1)
    check_number("p", p, Real, 1)
    blocks = blocks_of(source, columns)
    random = check_random_state(random_state)
    with client_for(engine) as client:
        passes = Passes(client, blocks, verbose)
        sizes = passes.without_empty_blocks(passes.map_blocks(block_work.count))
        if sizes.sum() < n_clusters:
            raise InvalidArgument(
                "n_clusters",
                f"{n_clusters} clusters of {sizes.sum()} rows are not possible.",
                "Ask for fewer.",
            )
        search = _Search(passes, sizes, n_clusters, p, random)
        points, rows = search.centers()
        n_distinct = len(np.unique(rows))
        if n_distinct < n_clusters:
            warnings.warn(too_few_distinct(n_clusters, n_distinct), ConvergenceWarning, 2)
        objective, files = _assigned(passes, sizes, points, p, out)
        return BlockClustering(
            points,
            rows,
            getattr(passes.blocks[0], "names", None),
            float(p),
            objective,
            int(sizes.sum()),
            passes.count,
            files,
        )


def _assigned(
    passes: Passes, sizes: Array, centers: Array, p: float, out: str | Path | None
) -> tuple[float, tuple[Path, ...]]:
    """What the centres cost; everybody's cluster is written where there is a place for it."""
    files: list[Path] = []
    if out is None:
        costs = passes.map_blocks(block_work.cost_to, centers, p)
    else:
        folder = Path(out).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise InvalidArgument("out", f"{folder} is not empty.", "Name a new folder.")
        first = row_numbers(np.cumsum(sizes) - sizes)
        files = [folder / f"part-{place:05d}.parquet" for place in range(len(sizes))]
        own: list[tuple[object, ...]] = [
            (int(start), str(path)) for start, path in zip(first, files, strict=True)
        ]
        costs = passes.map_blocks(block_work.write, centers, p, own=own)
    return float(max(costs) if np.isinf(p) else sum(costs)), tuple(files)


class _Search:
    """Looks for centres in passes over the blocks."""

    def __init__(
        self, passes: Passes, sizes: Array, k: int, p: float, random: np.random.RandomState
    ) -> None:
        self.passes, self.sizes, self.k, self.p, self.random = passes, sizes, k, p, random

    def centers(self) -> tuple[Array, Array]:
        """The centres, and the numbers of their rows."""
        if np.isinf(self.p):
            return self._snapped(self._filled(self._row(0)[None]))
        drawn = self._drawn()
        if len(drawn) < self.k:  # every row there is
            return self._snapped(drawn)
        points = self._best_of(drawn)
        if self.p == 2:
            points = self._lloyd(points)
        return self._snapped(points)

    def _row(self, number: int) -> Array:
        """One row by its number over all blocks."""
        ends = np.cumsum(self.sizes)
        block = int(np.searchsorted(ends, number, "right"))
        place = int(number - (ends[block] - self.sizes[block]))
        return self.passes.on_block(block, block_work.one_row, place)

    def _drawn(self) -> Array:
        """Different rows, drawn by their cost in a few rounds: fewer than k where X has no more."""
        drawn = self._row(int(self.random.randint(self.sizes.sum())))[None]
        wanted = DRAWN_PER_CENTER * self.k if self.p == 2 else DRAWN_IN_ALL / ROUNDS
        seed = int(self.random.randint(2**31 - 1))
        for number in range(ROUNDS):
            total = sum(self.passes.map_blocks(block_work.cost_to, drawn, self.p))
            if total == 0:
                break
            if not np.isfinite(total):
                raise InvalidArgument(
                    "p", f"distances to the power {self.p:g} are too large.", "Lower p, or scale."
                )
            seeds = [(seed, number, place) for place in range(len(self.sizes))]
            new = self.passes.map_blocks(
                block_work.draw, drawn, self.p, wanted / total, own=[(each,) for each in seeds]
            )
            drawn = np.vstack([drawn, *new])
        return self._filled(np.unique(drawn, axis=0))

    def _filled(self, points: Array) -> Array:
        """At least k points: these, and the rows that are farthest from all. Fewer than k where
        every row is one of them.
        """
        while len(points) < self.k:
            distance, row = max(
                self.passes.map_blocks(block_work.farthest, points), key=lambda found: found[0]
            )
            if distance == 0:
                break
            points = np.vstack([points, row])
        return points

    def _best_of(self, drawn: Array) -> Array:
        """The best k of the rows drawn (for p = 2: means of them), each with the mass of the rows
        nearest to it.
        """
        mass = np.sum(self.passes.map_blocks(block_work.weigh, drawn), axis=0).astype(np.float64)
        if self.p == 2:
            return weighted_means(drawn, self.k, mass, N_STARTS, self.random)
        cost = powers(cdist(drawn, drawn), self.p)
        return drawn[best_of_starts(cost, self.k, mass, self.random)]

    def _lloyd(self, points: Array) -> Array:
        """Rows to the nearest mean, means to the middle of their rows, until little changes."""
        before = np.inf
        for _ in range(MAX_LLOYD):
            found = self.passes.map_blocks(block_work.moments, points)
            cost = sum(part.cost for part in found)
            sums = sum((part.sums for part in found), np.zeros_like(points))
            counts = sum((part.counts for part in found), np.zeros(self.k, dtype=np.int64))
            if cost >= (1 - SETTLED) * before:
                return points
            before = cost
            used = counts > 0
            points = points.copy()
            points[used] = sums[used] / counts[used][:, None]
        return points

    def _snapped(self, points: Array) -> tuple[Array, Array]:
        """The nearest row of each point; of several that are the same row, the first has it, and
        the others the row that is farthest from all so far. Where none is left, centres repeat.
        """
        found = self.passes.map_blocks(block_work.nearest_rows, points)
        block = np.array([part.distance for part in found]).argmin(axis=0)
        first = np.cumsum(self.sizes) - self.sizes
        rows = np.array([first[b] + found[b].place[c] for c, b in enumerate(block)])
        chosen = np.array([found[b].row[c] for c, b in enumerate(block)])
        _, kept = np.unique(chosen, axis=0, return_index=True)
        if len(kept) < self.k:
            more = self._filled(chosen[np.sort(kept)])
            if len(more) > len(kept):
                return self._snapped(more)
            chosen, rows = chosen[kept], rows[kept]
        order = order_by_coordinates(chosen)
        order = order[np.arange(self.k) * len(order) // self.k]  # one each, if there are k
        return chosen[order], rows[order]
