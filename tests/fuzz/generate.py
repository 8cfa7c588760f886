"""Cases from random numbers: data as people have them, and everything a fit can be told."""

from dataclasses import dataclass, field
from functools import cache

import numpy as np
from scipy import sparse

from tests.fuzz import referee

DIVERGENCES = (
    "tv", "kl", "reverse-kl", "jensen-shannon", "hellinger", "chi2", "triangular", "max-ratio",
    "own", "own with slope",
)  # fmt: skip
METRICS = ("euclidean", "manhattan", "chebyshev", "cosine", "gower", "precomputed")
CONTAINERS = ("array", "sparse", "pandas", "polars", "list")
MOST = 45  # points, but for a few cases of some more
SIMILARITIES = ("global", "local", "matrix", "sparse", "pairs", "function", "table function")


@dataclass
class Case:
    """Data, parameters, and what the referee needs to know about them."""

    X: np.ndarray
    D: np.ndarray
    options: dict  # of LikewiseClustering
    bounds: np.ndarray
    similarity: str
    divergence: str
    groups: dict | None = None
    weights: np.ndarray | None = None
    limits: list = field(default_factory=list)  # of groups, as the referee reads them
    container: str = "array"
    notes: list = field(default_factory=list)  # what is done to it
    found: set = field(default_factory=set)  # what became of it, for the counts

    @property
    def n(self):
        return len(self.D)

    @property
    def summary(self):
        """One line about it."""
        shown = {key: value for key, value in self.options.items() if not hasattr(value, "shape")}
        shown |= {"similarity": self.similarity, "divergence": self.divergence}
        return f"n={self.n} {self.container} {shown} {', '.join(self.notes)}"

    @property
    def kinds(self):
        """What it counts as in the tables."""
        options, p = self.options, self.options["p"]
        named = {
            "divergence": self.divergence,
            "similarity": self.similarity,
            "metric": options["metric"],
            "data": self.container,
            "p": "inf" if np.isinf(p) else f"{p:g}",
            "solver": options["solver"],
            "points": _size(self.n),
        }
        also = {
            "groups": self.groups is not None,
            "weights": self.weights is not None,
            "neighbours only": options["n_neighbors"] is not None,
            "time limit": "max_time" in options,
            "refined centres": options["max_refine"] in (1, 2),
            "moved centres": options["max_refine"] == "auto",
            "scaled bounds": "bound_scale" in options,
        }
        kinds = [f"{what}: {value}" for what, value in named.items()]
        kinds += [f"with: {what}" for what, has in also.items() if has]
        return kinds + [f"with: {note}" for note in self.notes]


def _size(n):
    return next((f"up to {most}" for most in (5, 15, 45) if n <= most), "more")


def points(rng, n):
    """Points of many kinds: clouds, grids with ties, repeated rows, outliers, many scales."""
    d = int(rng.integers(1, 5))
    kind = rng.choice(["cloud", "modes", "grid", "line", "few places"])
    X = rng.normal(size=(n, d))
    if kind == "modes":
        X = X + 4 * rng.normal(size=(3, d))[rng.integers(0, 3, n)]
    elif kind == "grid":
        X = rng.integers(0, 4, size=(n, d)).astype(float)
    elif kind == "line":
        X = np.outer(rng.normal(size=n), rng.normal(size=d))
    elif kind == "few places":
        X = rng.normal(size=(max(1, n // 3), d))[rng.integers(0, max(1, n // 3), n)]
    if rng.random() < 0.3:
        X[rng.integers(0, n, max(1, n // 4))] = X[0]
    if rng.random() < 0.2:
        X[int(rng.integers(n))] *= 1e3
    if rng.random() < 0.15:
        X[:, 0] = 1.0  # a constant column
    if rng.random() < 0.3:
        X = X * 10.0 ** rng.uniform(-6, 6)
    if rng.random() < 0.1:
        X = X + 1e3
    return X


def case(rng, most):
    """A fit that should work. Mostly of few points: what goes wrong with many goes wrong there."""
    n = int(min(2 + rng.exponential(9.0), most))
    if most == MOST and rng.random() < 0.01:
        n = int(rng.integers(60, 150))
    X = points(rng, n)
    metric = str(rng.choice(METRICS, p=[0.5, *[0.1] * 5]))
    if metric == "cosine":
        X = X + np.where(np.abs(X).sum(axis=1, keepdims=True) == 0, 1.0, 0.0)
    if metric == "gower" and X.shape[1] > 1 and rng.random() < 0.5:
        X[rng.random(n) < 0.3, int(rng.integers(X.shape[1]))] = np.nan
    if metric == "precomputed":
        X = referee.distances(X, "euclidean")
    D = referee.distances(X, metric)
    np.fill_diagonal(D, 0.0)
    k = int(rng.integers(1, min(7, n) + 1))
    name = str(rng.choice(DIVERGENCES, p=[0.4, *[0.07] * 7, 0.055, 0.055]))
    p = float(rng.choice([2, 1, 1.5, 3, np.inf], p=[0.5, 0.15, 0.1, 0.1, 0.15]))
    neighbors = None if rng.random() < 0.6 else int(rng.integers(1, n + 2))
    options = dict(
        n_clusters=k, p=p, metric=metric, n_neighbors=neighbors,
        divergence=divergence_of(name), solver=str(rng.choice(["auto", "exact", "first-order"])),
        tol=float(rng.choice([1e-2, 1e-3, 1e-4, 1e-6], p=[0.3, 0.3, 0.3, 0.1])),
        random_state=int(rng.integers(100)),
    )  # fmt: skip
    if n > MOST:  # what takes long with many is known, and no news
        options |= dict(tol=1e-2, n_neighbors=int(rng.integers(1, 10)), solver="auto")
    if name.startswith("own"):
        options["solver"] = "auto"
    similarity = str(rng.choice(SIMILARITIES, p=[0.25, 0.25, 0.12, 0.08, 0.12, 0.09, 0.09]))
    if metric in ("gower", "precomputed") and similarity.endswith("function"):
        similarity = "local"
    made = Case(X, D, options, np.zeros((0, 0)), similarity, name)
    _bound(made, rng, k)
    _weigh(made, rng)
    _group(made, rng)
    _budget(made, rng)
    _pack(made, rng)
    return made


@cache  # compiled once for all cases
def divergence_of(name):
    """Named ones by their names; one's own by its f, without and with its derivative."""
    if not name.startswith("own"):
        return name
    from likewise import FDivergence

    if name == "own":
        return FDivergence(_triangular, name="own")
    return FDivergence(_vincze, _vincze_slope, name="own with slope")


def _triangular(t):
    return (t - 1) ** 2 / (t + 1)


def _vincze(t):  # the squared Hellinger distance once more, not symmetric to look at
    return 1 - np.sqrt(t)


def _vincze_slope(t):
    return -0.5 / np.sqrt(t)


def _bound(made, rng, k):
    n, D = made.n, made.D
    neighbors = made.options["n_neighbors"]
    if made.similarity in ("global", "local"):
        made.options["similarity"] = made.similarity
        made.bounds = referee.named_bounds(made.similarity, D, k)
    elif made.similarity.endswith("function"):
        scale = float(D.max()) or 1.0
        made.bounds = D / scale * 0.5
        made.options["similarity"] = _function(made, scale)
    else:
        made.bounds = _random_bounds(rng, n)
        made.options["similarity"] = _given(made, rng)
    if rng.random() < 0.2:
        made.options["bound_scale"] = float(rng.choice([0.0, 0.3, 2.0, 1e3]))
        with np.errstate(invalid="ignore"):
            scaled = made.bounds * made.options["bound_scale"]
        made.bounds = np.where(np.isinf(made.bounds), np.inf, scaled)
    metric = made.options["metric"]
    made.bounds = referee.only_neighbors(made.bounds, D, neighbors, metric)


def _random_bounds(rng, n):
    F = rng.random((n, n)) * float(rng.choice([0.1, 0.5, 2.0]))
    if rng.random() < 0.4:
        F = 10.0 ** rng.uniform(-9, 9, size=(n, n))
    F[rng.random((n, n)) < 0.1] = np.inf
    F[rng.random((n, n)) < float(rng.choice([0.0, 0.02]))] = 0.0
    np.fill_diagonal(F, 0.0)
    return F


def _given(made, rng):
    from likewise import Pairs

    F = made.bounds
    if made.similarity == "matrix":
        return F.copy()
    kept = np.isfinite(F) & (rng.random(F.shape) < 0.5)
    kept &= F > 0 if made.similarity == "sparse" else True  # a stored zero is easily lost
    np.fill_diagonal(kept, False)
    i, j = np.nonzero(kept)
    made.bounds = np.where(kept, F, np.inf)
    if made.similarity == "sparse":
        return sparse.csr_array((F[i, j], (i, j)), shape=F.shape)
    return Pairs(i, j, F[i, j])


def _function(made, scale):
    metric = made.options["metric"]

    def of_tables(A, B):
        A, B = (np.asarray(M.todense()) if sparse.issparse(M) else np.asarray(M) for M in (A, B))
        both = referee.distances(np.vstack([A, B]), metric)
        return both[: len(A), len(A) :] / scale * 0.5

    def of_points(a, b):
        a, b = (np.ravel(v.toarray() if sparse.issparse(v) else v) for v in (a, b))
        return float(referee.distances(np.vstack([a, b]), metric)[0, 1] / scale * 0.5)

    return of_points if made.similarity == "function" else of_tables


def _weigh(made, rng):
    kind = rng.random()
    if kind < 0.15:
        made.weights = rng.integers(0, 4, made.n).astype(float)
        made.weights[0] = 1.0
    elif kind < 0.25:
        made.weights = 10.0 ** rng.uniform(-3, 3, made.n)


def _group(made, rng):
    if rng.random() > 0.35:
        return
    values = [int(v) for v in rng.integers(1, 4, int(rng.integers(1, 3)))]
    made.groups = {f"a{number}": rng.integers(0, v, made.n) for number, v in enumerate(values)}
    if rng.random() < 0.1:  # people who did not say are a group of their own
        first = made.groups["a0"].astype(float)
        first[rng.random(made.n) < 0.3] = np.nan
        made.groups["a0"] = first
        made.notes.append("missing group values")
    if rng.random() < 0.3:
        made.options["individual"] = str(rng.choice(["all", "within-groups"]))
    tolerance = float(rng.choice([0.0, 0.1, 0.2, 0.5, 0.9]))
    weights = np.ones(made.n) if made.weights is None else made.weights
    made.limits = referee.group_limits(made.groups, weights, tolerance)
    if rng.random() < 0.2 and "missing group values" not in made.notes:
        made.options["group_bounds"] = referee.as_group_bounds(made.groups, made.limits)
        made.notes.append("group bounds")
    else:
        made.options["group_tolerance"] = tolerance
    if rng.random() < 0.1:
        made.options["individual"] = False
    individual = made.options.get("individual", True)
    if individual is False:
        made.bounds = np.full(made.bounds.shape, np.inf)
    elif individual != "all":
        made.bounds = np.where(referee.sharing(made.groups), made.bounds, np.inf)


def _budget(made, rng):
    if rng.random() < 0.15:
        made.options["max_time"] = float(rng.choice([0.0, 0.01, 0.1, 0.5]))
    refined = [0, 1, 2, "auto"][int(rng.choice(4, p=[0.7, 0.07, 0.03, 0.2]))]
    made.options["max_refine"] = refined if made.n <= MOST else 0
    k, euclidean = made.options["n_clusters"], made.options["metric"] == "euclidean"
    if rng.random() < 0.15:
        rows = rng.choice(made.n, k, replace=False)
        made.options["centers"] = rows
        if euclidean and rng.random() < 0.5:
            made.options["centers"] = made.X[rows] + rng.normal(size=made.X[rows].shape)
        made.notes.append("given centres")
    what = rng.random()
    if what < 0.04:
        made.notes.append("interrupted")
    elif what < 0.07 and "max_time" not in made.options:
        made.notes.append("checkpoint")


def _pack(made, rng):
    made.container = str(rng.choice(CONTAINERS, p=[0.6, 0.1, 0.1, 0.1, 0.1]))
    dense_only = made.options["metric"] in ("precomputed", "chebyshev", "gower")
    if made.container == "sparse" and dense_only:
        made.container = "array"
    if made.similarity.endswith("function") and made.container == "sparse":
        made.container = "array"


def packed(made):
    """X as the container that the case wants."""
    X = made.X
    names = [f"c{number}" for number in range(X.shape[1])]
    match made.container:
        case "sparse":
            return sparse.csr_matrix(X)
        case "pandas":
            import pandas as pd

            return pd.DataFrame(X, columns=names)
        case "polars":
            import polars as pl

            return pl.DataFrame(dict(zip(names, X.T, strict=True)))
        case "list":
            return X.tolist()
    return X
