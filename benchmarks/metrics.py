"""One fit over every pair under a metric and a divergence: what it took, as a line of JSON."""

import json
import resource
import sys
import time

import numpy as np
import pandas as pd

from benchmarks.instances import reference
from benchmarks.large import some_creditcard
from likewise import LikewiseClustering

N = 10_000
LONGEST = 400  # seconds: what is not solved by then shows its gap
COLUMNS = ["age", "workclass", "education", "marital-status", "occupation", "hours-per-week"]


def adult() -> pd.DataFrame:
    """Mixed columns as they are in the file: numbers and text."""
    table = pd.read_csv(reference.FOLDER / "data" / "adult.csv", skipinitialspace=True)
    kept = [name for name in COLUMNS if name in table.columns]
    return table[kept].sample(N, random_state=0)


DATA = {"creditcard": some_creditcard, "adult": adult}


def run(data: str, metric: str, divergence: str, n: int = N) -> dict:
    X = DATA[data]()[:n]
    settings = dict(metric=metric, divergence=divergence, random_state=0, max_refine=0)
    small = LikewiseClustering(4, tol=0.5, **settings)
    small.fit(X[:3000])  # compile first
    started = time.perf_counter()
    model = LikewiseClustering(4, tol=1e-2, similarity="local", max_time=LONGEST, **settings).fit(X)
    return {
        "n": len(np.asarray(model.labels_)),
        "gap": model.gap_,
        "excess": model.certificate_.worst_excess,
        "seconds": time.perf_counter() - started,
        "solving": model.solve_seconds_,
        "iterations": model.n_iter_,
        "peak_gb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6,
    }


if __name__ == "__main__":
    print(json.dumps(run(*sys.argv[1:4], *map(int, sys.argv[4:]))))
