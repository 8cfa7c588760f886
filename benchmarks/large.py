"""One large case, fitted once: prints what it took as a line of JSON."""

import json
import resource
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from benchmarks.instances import reference
from likewise import LikewiseClustering, datasets


def creditcard() -> np.ndarray:
    return datasets.load_creditcard(data_home=reference.FOLDER / "data").data


def diabetes() -> np.ndarray:
    return datasets.load_diabetes(data_home=reference.FOLDER / "data").data


def some_creditcard() -> np.ndarray:
    X = creditcard()
    return X[np.random.RandomState(0).permutation(len(X))[:10_000]]


def generated() -> np.ndarray:
    rng = np.random.default_rng(0)
    modes = 2 * rng.normal(size=(20, 8))
    return rng.normal(size=(1_000_000, 8)) + modes[rng.integers(0, 20, 1_000_000)]


@dataclass(frozen=True)
class Case:
    title: str
    data: Callable[[], np.ndarray]
    k: int
    tol: float
    parameters: dict = field(default_factory=dict)
    only_on_request: bool = False


CASES = {
    "neighbors": Case(
        "creditcard, all 29,737 rows, k = 4, m = 250", creditcard, 4, 1e-3, {"n_neighbors": 250}
    ),
    "every-10k": Case("creditcard, 10,000 rows, k = 4, every pair", some_creditcard, 4, 1e-3),
    "every-30k": Case("creditcard, all 29,737 rows, k = 4, every pair", creditcard, 4, 1e-3),
    "diabetes": Case(
        "diabetes, all distinct rows, k = 8, m = 100", diabetes, 8, 1e-2, {"n_neighbors": 100}
    ),
    "million": Case(
        "1,000,000 generated points in 8 dimensions, k = 8, m = 30",
        generated,
        8,
        5e-2,
        {"n_neighbors": 30},
        only_on_request=True,
    ),
}


def run(case: Case) -> dict:
    X = case.data()
    started = time.perf_counter()
    model = LikewiseClustering(
        case.k, solver="first-order", tol=case.tol, random_state=0, verbose=1, **case.parameters
    ).fit(X)
    seconds = time.perf_counter() - started
    return {
        "n": len(X),
        "pairs": model.certificate_.pairs_checked,
        "gap": model.gap_,
        "excess": model.certificate_.worst_excess,
        "seconds": seconds,
        "solving": model.solve_seconds_,
        "iterations": model.n_iter_,
        "peak_gb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6,
    }


if __name__ == "__main__":
    print(json.dumps(run(CASES[sys.argv[1]])))
