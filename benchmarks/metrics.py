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
from likewise.centers.choose import choose_for
from likewise.problem.specification import Specification
from likewise.solvers.merged_problem import MergedProblem

K, N = 4, 10_000
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
    small = LikewiseClustering(K, tol=0.5, **settings)
    small.fit(X[:3000])  # compile first
    started = time.perf_counter()
    model = LikewiseClustering(K, tol=1e-2, similarity="local", max_time=LONGEST, **settings).fit(X)
    seconds = time.perf_counter() - started
    return {
        "n": len(np.asarray(model.labels_)),
        "gap": model.gap_,
        "excess": model.certificate_.worst_excess,
        "seconds": seconds,
        "look": _look(X, metric, divergence, model.distributions_),
        "solving": model.solve_seconds_,
        "iterations": model.n_iter_,
        "peak_gb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6,
    }


def _look(X: object, metric: str, divergence: str, x: np.ndarray) -> float:
    """Seconds of one look at all pairs, at the answer."""
    told = Specification(K, metric=metric, divergence=divergence, similarity="local")
    task = told.task_of_table(X)
    merged = MergedProblem.of(task.problem(choose_for(task, "auto", 0).distances))
    of_merged = merged.merged(x)
    started = time.perf_counter()
    merged.scanner.full(of_merged, weighs=False)
    return time.perf_counter() - started


if __name__ == "__main__":
    print(json.dumps(run(*sys.argv[1:4], *map(int, sys.argv[4:]))))
