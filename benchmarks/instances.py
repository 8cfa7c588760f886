"""The paper's own instances, or generated ones of the same shape where its data are absent."""

import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.spatial.distance import cdist

from likewise import AssignmentProblem, Pairs
from likewise.centers.choose import choose_centers
from likewise.geometry.distances import Distances
from likewise.groups.bounds import bounds_from
from likewise.similarities.build import build_pairs

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
from support import reference


@dataclass(frozen=True)
class Instance:
    name: str
    problem: AssignmentProblem
    expected: float | None  # the optimum per point according to the paper's authors
    their_seconds: float | None


def of_row(row: dict) -> Instance:
    """The instance of a reference run: its data, its centres, its pairs, its groups."""
    X = reference.data(row)
    cost = cdist(X, X[row["center_indices"]]) ** 2
    name = f"{row['dataset']} {row['similarity']} n={row['n']} k={row['k']}"
    pairs = Pairs([], [], []) if row["n_neighbors"] is None else reference.pairs(row)
    bounds = None
    if row["delta"] is not None:
        groups = reference.as_groups(row)
        pairs = pairs.within(groups)
        bounds = bounds_from(groups, np.ones(row["n"]), row["delta"], None)
    problem = AssignmentProblem(cost, pairs, "tv", bounds)
    return Instance(name, problem, row["mean_cost"], row["seconds"])


def generated(n: int, k: int, n_neighbors: int, dimension: int = 8) -> Instance:
    """Points round five modes, as many neighbours as asked for, global similarity."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, dimension)) + 2 * rng.normal(size=(5, dimension))[rng.integers(0, 5, n)]
    return _neighbors(X, k, n_neighbors, "generated")


def _neighbors(X: np.ndarray, k: int, n_neighbors: int, name: str) -> Instance:
    n = len(X)
    distances = Distances(X)
    centers = choose_centers(
        "auto", distances, n_clusters=k, p=2, weights=np.ones(n), random_state=0
    )
    pairs = build_pairs("global", distances, n_clusters=k, n_neighbors=n_neighbors)
    assert isinstance(pairs, Pairs)
    name = f"{name} n={n} k={k} m={n_neighbors}"
    return Instance(name, AssignmentProblem(centers.distances**2, pairs), None, None)


def creditcard_neighbors(n: int, k: int, n_neighbors: int) -> Instance:
    """The first rows of the paper's credit cards, or generated points where they are absent."""
    if not reference.is_there():
        return generated(n, k, n_neighbors)
    return _neighbors(reference.samples("creditcard")["X"][0][:n], k, n_neighbors, "creditcard")


def paper(algorithm: str = "ALG-IF", **wanted) -> list[Instance]:
    """The instances of the authors' runs with these fields, smallest first."""
    rows = sorted(reference.rows(algorithm=algorithm, **wanted), key=lambda row: row["n"])
    return [of_row(row) for row in rows] if reference.is_there() else []
