"""Beyond one machine: what the Dask engine costs, and what it takes on.

Two worker processes of one thread each, against one process with two threads.
"""

import logging
import os
import random
import resource
import shutil
import signal
import tempfile
import threading
import time
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from benchmarks import large
from benchmarks.instances import reference
from benchmarks.table import Table
from likewise import LikewiseClustering, cluster_blocks
from likewise.compute.threads import n_cores
from likewise.distributed.executor import DaskExecutor

ROWS, FAIR_ROWS, FILES = 20_000_000, 300_000, 40
WORKER_MEMORY = "2GB"


@contextmanager
def cluster(**options):
    from distributed import Client, LocalCluster

    settings = dict(
        n_workers=2, threads_per_worker=1, dashboard_address=":0", silence_logs=logging.ERROR
    )
    with LocalCluster(**settings | options) as workers, Client(workers) as client:
        yield client


def _timed(**parameters) -> tuple[LikewiseClustering, float]:
    X = parameters.pop("X")
    started = time.perf_counter()
    model = LikewiseClustering(random_state=0, **parameters).fit(X)
    return model, time.perf_counter() - started


def dask_overhead() -> Table:
    """The same fit here and on two workers."""
    table = Table(
        "Dask, two processes, against one process with two threads (whole `fit`)",
        ["data", "here", "Dask", "ratio", "objectives differ by", "iterations"],
    )
    X, sizes = large.creditcard(), reference.samples("creditcard_by_size")
    cases = [
        ("creditcard, 4,000 rows, every pair", dict(X=sizes["X_4000"], n_clusters=4)),
        (
            "creditcard, all 29,737 rows, m = 250",
            dict(X=X, n_clusters=4, n_neighbors=250, tol=1e-3, solver="first-order"),
        ),
    ]
    for name, parameters in cases:
        here, local = _timed(**parameters)
        with cluster() as client:
            client.run(_warm)
            there, spread = _timed(**parameters, engine=client)
        table.add(
            name,
            f"{local:.1f} s",
            f"{spread:.1f} s",
            f"{spread / local:.2f}",
            f"{abs(there.objective_ / here.objective_ - 1):.1e}",
            f"{here.n_iter_} / {there.n_iter_}",
        )
    return table


def _warm() -> None:
    """Load the compiled loops, as any worker has that did something before."""
    LikewiseClustering(2, random_state=0).fit(np.random.default_rng(0).normal(size=(60, 2)))


def dask_faults() -> Table:
    """A worker is killed at a random moment, ten times."""
    table = Table(
        "A worker killed at a random moment (creditcard, 4,000 rows, every pair, gap 1e-3)",
        ["run", "killed after", "seconds", "distributions that differ"],
    )
    X = reference.samples("creditcard_by_size")["X_4000"]
    parameters = dict(X=X, n_clusters=4, tol=1e-3)
    undisturbed, seconds = _timed(**parameters)
    chance = random.Random(0)
    for run in range(10):
        # a new one each time: a worker that is killed again as it starts stays away
        with cluster() as client:
            client.run(_warm)
            after = chance.uniform(0, seconds)
            thread = threading.Timer(after, _kill_one, (client, chance))
            thread.start()
            model, took = _timed(**parameters, engine=DaskExecutor(client, least_pairs=0))
            thread.join()
            wrong = int((model.distributions_ != undisturbed.distributions_).any(axis=1).sum())
            table.add(run + 1, f"{after:.1f} s", f"{took:.1f}", wrong)
    table.note(f"Undisturbed, in one process: {seconds:.1f} s.")
    return table


def _kill_one(client, chance: random.Random) -> None:
    processes = client.run(os.getpid)
    os.kill(chance.choice(sorted(processes.values())), signal.SIGKILL)


def dask_blocks() -> Table:
    """A folder of Parquet files clustered hard, and some of its rows fairly."""
    table = Table(
        f"{ROWS:,} generated rows, 8 columns, in {FILES} Parquet files; two workers of"
        f" {WORKER_MEMORY}",
        ["what", "seconds", "result", "passes", "peak of a worker"],
    )
    folder = Path(tempfile.mkdtemp())
    try:
        size = _generate(folder / "data")
        with cluster(memory_limit=WORKER_MEMORY) as client:
            started = time.perf_counter()
            found = cluster_blocks(
                folder / "data", 8, engine=client, random_state=0, out=folder / "clusters"
            )
            seconds = time.perf_counter() - started
            table.add(
                f"k-means, k = 8, clusters written ({size / 1e9:.2f} GB read a pass)",
                f"{seconds:.0f}",
                f"mean squared distance {found.objective / found.n_points:.4f}",
                found.n_passes,
                f"{max(client.run(_peak).values()):.2f} GB",
            )
            X = _first_rows(folder / "data", FAIR_ROWS)
            model, seconds = _timed(
                X=X, n_clusters=8, n_neighbors=20, tol=5e-2, engine=client, verbose=1
            )
            table.add(
                f"the first {FAIR_ROWS:,} rows fairly, m = 20",
                f"{seconds:.0f}",
                f"gap {model.gap_:.1e}, worst excess {model.certificate_.worst_excess:.0e}",
                "",
                f"{max(client.run(_peak).values()):.2f} GB",
            )
    finally:
        shutil.rmtree(folder)
    return table


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6


def _generate(folder: Path) -> int:
    """Points round twenty middles, a file at a time; returns the bytes on disk."""
    import polars as pl

    folder.mkdir(parents=True)
    middles = 2 * np.random.default_rng(0).normal(size=(20, 8))
    rows = ROWS // FILES
    for number in range(FILES):
        rng = np.random.default_rng([1, number])
        part = rng.normal(size=(rows, 8)) + middles[rng.integers(0, 20, rows)]
        table = pl.DataFrame(part, schema=[f"x{column}" for column in range(8)])
        table.write_parquet(folder / f"{number:03d}.parquet", row_group_size=100_000)
    return sum(path.stat().st_size for path in folder.iterdir())


def _first_rows(folder: Path, count: int) -> np.ndarray:
    import polars as pl

    return pl.scan_parquet(folder / "*.parquet").head(count).collect().to_numpy()


def dask_costs() -> Table:
    """What a message, a tile and a round cost: what scale.md is reckoned from."""
    table = Table(
        "What the Dask engine's steps cost (two workers on one machine)",
        ["step", "measured"],
    )
    rng = np.random.default_rng(0)
    with cluster() as client:
        client.run(_warm)
        executor = DaskExecutor(client, least_pairs=0)
        nothing = executor.scatter([0] * 8)
        table.add("a round of 8 empty tasks", f"{1e3 * _seconds(executor, nothing):.1f} ms")
        sent = rng.normal(size=(1_000_000, 8))
        quick = _seconds(executor, nothing, sent, times=3)
        table.add("the same with 64 MB sent to both workers", f"{1e3 * quick:.0f} ms")
        for n, radius in ((4_000, 30.0), (64_000, 30.0), (4_000, 3_000.0), (16_000, 3_000.0)):
            seconds, found = _tile(n, radius, rng)
            table.add(
                f"an ordered pair in a tile of {n:,} x {n:,} points, 8 dimensions, 8 centres, one"
                f" thread; {found:.0%} of points find a pair above its bound",
                f"{1e9 * seconds / n**2:.1f} ns",
            )
    return table


def _tile(n: int, reach: float, rng: np.random.Generator) -> tuple[float, float]:
    """Seconds of one thread, and the share of points that find a pair above its bound."""
    from likewise.divergences.registry import REGISTRY
    from likewise.geometry.measures import Euclidean
    from likewise.solvers.separation.boxes import BOX_SIZE, corners, near_order
    from likewise.solvers.separation.tiles import Comparison, Points, scan_tile

    X = rng.normal(size=(n, 8)) + 3 * rng.normal(size=(20, 8))[rng.integers(0, 20, n)]
    X = X[near_order(X)]
    points = Points(
        X=np.ascontiguousarray(X.T),
        radius=np.full(n, reach),
        masks=np.zeros((n, 0), dtype=np.uint64),
        name=np.arange(n, dtype=np.int32),
        corners=corners(X),
        first_box=0,
        n_boxes=-(-n // BOX_SIZE),
    )
    x = np.exp(-0.02 * ((X[:, None] - X[:8][None]) ** 2).sum(axis=2))
    x /= x.sum(axis=1, keepdims=True)
    comparison = Comparison(Euclidean(), REGISTRY["tv"], np.inf, np.full(8, 1 / 8))
    started = time.perf_counter()
    found = scan_tile(points, x, points, x, comparison, factor=1.0)
    seconds = n_cores() * (time.perf_counter() - started)
    return seconds, float(found.counts[:, :2].any(axis=1).mean())


def _seconds(executor: DaskExecutor, parts, *values, times: int = 10) -> float:
    executor.map_parts(_nothing, parts, *values)
    started = time.perf_counter()
    for _ in range(times):
        executor.map_parts(_nothing, parts, *values)
    return (time.perf_counter() - started) / times


def _nothing(*anything) -> int:
    return 0


TABLES = [dask_overhead, dask_faults, dask_blocks, dask_costs]
