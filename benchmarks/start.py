"""What the first fit of a new process costs: kernels compiled, or loaded from the cache."""

import os
import subprocess
import sys
import tempfile
import time

from benchmarks.table import Table

FIT = """
import time
import numpy as np
from likewise import LikewiseClustering
X = np.random.default_rng(0).normal(size=(60, 2))
import likewise.estimator, likewise.solvers.solve
started = time.perf_counter()
LikewiseClustering(3, random_state=0).fit(X)
print(time.perf_counter() - started)
"""


def first_fit() -> Table:
    table = Table("First fit in a new process (60 points)", ["", "seconds"])
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "NUMBA_CACHE_DIR": cache}
        table.add("cold: kernels are compiled", f"{_seconds(FIT, environment):.1f}")
        table.add("warm: kernels come from the cache", f"{_seconds(FIT, environment):.2f}")
    started = time.perf_counter()
    subprocess.run([sys.executable, "-c", "import likewise"], check=True)
    table.add("`import likewise`, interpreter included", f"{time.perf_counter() - started:.2f}")
    return table


def _seconds(code: str, environment: dict[str, str]) -> float:
    command = [sys.executable, "-c", code]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return float(run.stdout)


TABLES = [first_fit]
