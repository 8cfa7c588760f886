"""Are the answers of two versions the same, to the last bit?

    python -m benchmarks.same_answers record FILE     # with the one version
    python -m benchmarks.same_answers compare FILE    # with the other

Only public names are used, so that any two versions can be compared. The data are generated. What
is compared: distributions, labels, centres, iterations, and the objective; of the certificate the
lower bound too, to 1e-12 of it, because how a proof adds up its terms is its own affair.
"""

import hashlib
import json
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from likewise import FDivergence, LikewiseClustering, lower_bound

BOUND_ROUNDING = 1e-12


def people(n: int, d: int = 4, seed: int = 0) -> np.ndarray:
    """Points round five modes, a few of them twice."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) + 2 * rng.normal(size=(5, d))[rng.integers(0, 5, n)]
    X[: n // 20] = X[n // 2 : n // 2 + n // 20]
    return X


def groups(n: int, seed: int = 1) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(seed)
    return {"sex": rng.integers(0, 2, n), "region": rng.integers(0, 3, n)}


def fit(X: np.ndarray, k: int, *, sensitive=None, weights=None, **options) -> LikewiseClustering:
    options = {"similarity": "global", "max_refine": 0} | options
    model = LikewiseClustering(k, random_state=0, **options)
    return model.fit(X, sensitive_features=sensitive, sample_weight=weights)


def _on_dask() -> LikewiseClustering:
    from distributed import Client, LocalCluster

    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster,
        Client(cluster, set_as_default=False) as client,
    ):
        return fit(people(3000), 4, similarity="local", engine=client, tol=1e-2)


CASES: dict[str, Callable[[], LikewiseClustering]] = {
    "exact, neighbours": lambda: fit(people(300), 5, n_neighbors=60, solver="exact"),
    "first-order, neighbours": lambda: fit(
        people(1000), 6, n_neighbors=100, solver="first-order", tol=1e-3
    ),
    "first-order, local": lambda: fit(
        people(600), 8, similarity="local", solver="first-order", tol=1e-3
    ),
    "groups and pairs, first-order": lambda: fit(
        people(300), 4, sensitive=groups(300), group_tolerance=0.2, solver="first-order", tol=1e-3
    ),
    "groups and pairs, exact": lambda: fit(
        people(120), 3, sensitive=groups(120), group_tolerance=0.1, solver="exact"
    ),
    "KL": lambda: fit(people(150), 4, divergence="kl", n_neighbors=30, tol=1e-3),
    "Hellinger": lambda: fit(people(200), 4, divergence="hellinger", n_neighbors=30, tol=1e-3),
    "max-ratio": lambda: fit(people(80), 3, divergence="max-ratio", n_neighbors=20),
    "one's own divergence": lambda: fit(
        people(40), 3, divergence=FDivergence(lambda t: (t - 1) ** 2 / (t + 1)), tol=1e-3
    ),
    "k-center": lambda: fit(people(300), 5, p=np.inf, similarity="local", tol=1e-2),
    "k-center, KL": lambda: fit(people(80), 4, p=np.inf, divergence="kl", tol=1e-2),
    "k-median, weights, Manhattan": lambda: fit(
        people(250), 4, p=1, metric="manhattan", weights=np.arange(250) % 4, tol=1e-3
    ),
    "every pair": lambda: fit(people(3000), 4, similarity="local", tol=1e-2),
    "every pair, groups, global": lambda: fit(
        people(3000), 4, sensitive=groups(3000), individual="within-groups", tol=1e-2
    ),
    "every pair by blocks": lambda: fit(people(2900), 3, metric="manhattan", tol=5e-2),
    "every pair on Dask": _on_dask,
    "better centres": lambda: fit(people(60), 4, max_refine=3),
}


def results() -> Iterator[tuple[str, dict]]:
    """What each case gives, as plain values."""
    for name, case in CASES.items():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model = case()
        yield name, _summary(model)
        if name == "first-order, local":
            chances = model.predict_proba(people(50, seed=7))
            yield "people who come later", {"distributions": _digest(chances)}
            yield "drawn labels", {"labels": _digest(model.sample(3, random_state=1))}
    bound = lower_bound(people(40), 3, similarity="global")
    yield "lower bound", {"lower_bound": bound.objective, "objective": bound.relaxed_objective}


def _summary(model: LikewiseClustering) -> dict:
    return {
        "distributions": _digest(model.distributions_),
        "labels": _digest(model.labels_),
        "centers": [int(row) for row in model.center_indices_],
        "objective": float(model.objective_),
        "cost": float(model.cost_),
        "lower_bound": float(model.lower_bound_),
        "solver": model.solver_,
        "iterations": int(model.n_iter_),
    }


def _digest(array: np.ndarray) -> str:
    return hashlib.sha256(np.ascontiguousarray(array).tobytes()).hexdigest()


def differences(before: dict, after: dict) -> list[str]:
    """In which values two results differ."""
    found = []
    for key in sorted(set(before) | set(after)):
        old, new = before.get(key), after.get(key)
        near = key == "lower_bound" and abs(new - old) <= BOUND_ROUNDING * abs(old)
        if old != new and not near:
            found.append(f"{key}: {old} -> {new}")
    return found


def main(action: str, path: Path) -> int:
    """Write the answers down, or compare them with those written down; returns the exit code."""
    if action == "record":
        path.write_text(json.dumps(dict(results()), indent=1) + "\n")
        return 0
    before = json.loads(path.read_text())
    changed = 0
    for name, after in results():
        found = differences(before[name], after)
        changed += bool(found)
        print(f"{'DIFFERS' if found else 'same':8} {name}", *found, sep="\n         ", flush=True)
    print(f"{len(before) - changed} of {len(before)} the same")
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], Path(sys.argv[2])))
