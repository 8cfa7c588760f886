"""Estimates against what fits really take, and people who come later in large numbers.

python -m benchmarks foresight
"""

import resource
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np
import polars as pl

from benchmarks.stopping import people
from benchmarks.table import Table
from likewise import LikewiseClustering
from likewise.compute.budget import Budget
from likewise.fitting.estimate import estimate, told_already
from likewise.fitting.pipeline import Settings
from likewise.problem.specification import Specification

K, TOL = 6, 1e-3
CASES = [  # rows, neighbours
    (5_000, None),
    (10_000, None),
    (20_000, None),
    (5_000, 50),
    (20_000, 50),
    (30_000, 250),
    (50_000, 30),
    (100_000, 30),
]
FITTED, LATER = 30_000, 1_000_000


def estimates() -> Table:
    """Eight fits: the time that was foreseen, and the time they took."""
    table = Table(
        f"Estimates before a fit (generated mixture with outliers, local, k = {K}, tol = {TOL:g})",
        ["rows", "neighbours", "calibration", "foreseen", "took", "ratio"],
    )
    for n, m in CASES:
        X, settings = people(n), Settings(tol=TOL, max_refine="auto")
        told = Specification(K, similarity="local", n_neighbors=m)
        started = time.perf_counter()
        found = estimate(told, X, settings, Budget())
        calibration = time.perf_counter() - started
        took = _fitted(X, m)
        ratio = found.seconds / took
        cells = (f"{calibration:.1f} s", f"{found.seconds:.1f} s", f"{took:.1f} s", f"{ratio:.2f}")
        table.add(f"{n:,}", "all" if m is None else m, *cells)
    return table


def _fitted(X: np.ndarray, n_neighbors: int | None) -> float:
    model = LikewiseClustering(
        K, similarity="local", n_neighbors=n_neighbors, tol=TOL, random_state=0
    )
    started = time.perf_counter()
    with told_already(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(X)
    return time.perf_counter() - started


def assigning() -> Table:
    """The whole command, in a process of its own."""
    table = Table(
        f"`likewise assign`: {LATER:,} rows against {FITTED:,} fitted ones, 14 columns, k = 4",
        ["seconds", "peak memory", "relaxed"],
    )
    random = np.random.default_rng(0)
    X = people(FITTED) @ random.normal(size=(6, 14)) + 0.3 * random.normal(size=(FITTED, 14))
    i, j = random.integers(0, FITTED, (2, LATER))
    new = X[i] + 0.3 * (X[j] - X[i]) * random.random((LATER, 1))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file, rows in (("fitted", X), ("new", new)):
            columns = {f"c{column}": values for column, values in enumerate(rows.T)}
            pl.DataFrame(columns).write_parquet(folder / f"{file}.parquet")
        _likewise(folder, "fit", "fitted.parquet", "-k", "4", "--max-time", "120", "--out", "run")
        started = time.perf_counter()
        _likewise(folder, "assign", "run", "new.parquet", "--out", "later")
        seconds = time.perf_counter() - started
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 2**20
        relaxed = pl.scan_parquet(folder / "later/part-*.parquet").filter(pl.col("relaxation") > 1)
        count = relaxed.select(pl.len()).collect().item()
        table.add(f"{seconds:.0f}", f"{peak:.1f} GB (fit included)", f"{count:,}")
    return table


def _likewise(folder: Path, *arguments: str) -> None:
    command = [sys.executable, "-c", "from likewise.cli import main; main()", *arguments, "-q"]
    subprocess.run(command, cwd=folder, check=True)


TABLES = [estimates, assigning]
