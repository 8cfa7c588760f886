"""What is computed in a cell: every algorithm of the paper on the same centres and pairs."""

import os
import time
import warnings
from functools import cache

import numpy as np
from scipy.spatial.distance import cdist
from sklearn.cluster import KMeans
from sklearn.neighbors import NearestNeighbors

from likewise._typing import Array
from likewise.baselines.clusterings import (
    Baseline,
    group_fair,
    hard_clustering,
    soft_assignment,
    stiffness_at_cost,
)
from likewise.datasets.files import PathLike
from likewise.datasets.samples import Sample, by_size_sample, paper_samples
from likewise.errors import SamenessWarning
from likewise.estimator import LikewiseClustering
from likewise.experiments.paper import BETA_STEP
from likewise.experiments.plan import Cell
from likewise.experiments.store import CellResult, Quantity
from likewise.fitting.lower_bound import lower_bound
from likewise.groups.membership import Groups
from likewise.metrics import bias_and_distance, violations
from likewise.sampling import draw_labels
from likewise.similarities.pairs import Pairs, PairSource

DELTA = 0.2  # the paper's tolerance for groups
TOLERANCE = 1e-4  # certified gap of every fair clustering here,
TABLE_TOLERANCE = 1e-3  # but for the other nine samples, of which only percentages are shown
LABEL_DRAWS = 50  # whose mean is shown
# beta times the mean squared distance to a centre: from nearly uniform to nearly hard
CURVE = np.geomspace(0.02, 50.0, 30)


def compute(cell: Cell, data_home: PathLike | None) -> CellResult:
    """The results of a cell, as plain numbers."""
    sample = _sample(cell, data_home)
    pairs = paper_pairs(sample.X, cell.similarity, cell.n_neighbors)
    if cell.kind == "bound-if":
        return {"OPT-IF": _bound(cell, sample, pairs)}
    if cell.kind == "bound-cf":
        return {"OPT-CF": _bound(cell, sample, pairs, group_tolerance=DELTA)}
    hard = hard_clustering(sample.X, cell.k, random_state=cell.seed)
    if cell.kind == "time":
        return {"ALG-IF": _summary(_fair(cell, sample, pairs, hard), hard, pairs)}
    return _clusterings(cell, sample, pairs, hard)


def paper_pairs(X: Array, similarity: str, n_neighbors: int) -> Pairs:
    """The pairs as the paper's authors made them: exactly m neighbours, ties at the last one
    broken as scikit-learn's ball tree does. (The library itself takes in all ties, so that fairness
    does not depend on the order of the rows.)
    """
    tree = NearestNeighbors(n_neighbors=min(n_neighbors + 1, len(X)), algorithm="ball_tree").fit(X)
    d, j = tree.kneighbors(X)
    d, j = d[:, 1:], j[:, 1:]
    scale = cdist(X, X).max() if similarity == "global" else d[:, -1:]
    return Pairs(np.repeat(np.arange(len(X)), d.shape[1]), j.ravel(), (d / scale).ravel())


@cache
def _samples(dataset: str, data_home: str | None) -> list[Sample]:
    return paper_samples(dataset, data_home=data_home)


def _sample(cell: Cell, data_home: PathLike | None) -> Sample:
    if cell.kind == "time":
        return by_size_sample(cell.n, data_home=data_home)
    folder = None if data_home is None else os.fspath(data_home)
    return _samples(cell.dataset, folder)[cell.sample].first(cell.n)


def _bound(
    cell: Cell, sample: Sample, pairs: Pairs, group_tolerance: float | None = None
) -> dict[str, Quantity]:
    bound = lower_bound(
        sample.X,
        cell.k,
        similarity=pairs,
        tol=TOLERANCE,
        group_tolerance=group_tolerance,
        sensitive_features=_groups(sample, group_tolerance),
    )
    return {"mean_cost": bound.objective / cell.n, "gap": bound.gap, "s": bound.seconds}


def _groups(sample: Sample, group_tolerance: float | None) -> Array | None:
    """The protected attributes, where they count."""
    return None if group_tolerance is None else sample.groups


def _clusterings(cell: Cell, sample: Sample, pairs: Pairs, hard: Baseline) -> CellResult:
    fair = _fair(cell, sample, pairs, hard)
    found: CellResult = {
        "HKM": {
            "mean_cost": hard.objective / cell.n,
            "violated": violations(hard.distributions, pairs).share,
        },
        "ALG-IF": _summary(fair, hard, pairs),
        "SKM": _soft(fair, hard, sample, pairs, cell),
    }
    if cell.kind == "individual":
        return found
    within = pairs.within(Groups.from_features(sample.groups, cell.n))
    found["GF"] = _group_fair(cell, sample, hard, pairs, within)
    both = _fair(cell, sample, pairs, hard, group_tolerance=DELTA)
    found["ALG-CF"] = _summary(both, hard, within)
    for name, model in (("ALG-IF", fair), ("ALG-CF", both)):
        found[name] |= _bias(model.distributions_, sample)
    found["drawn"] = _drawn(fair.distributions_, pairs)
    return found


def _fair(
    cell: Cell, sample: Sample, pairs: Pairs, hard: Baseline, group_tolerance: float | None = None
) -> LikewiseClustering:
    model = LikewiseClustering(
        cell.k,
        centers=hard.center_indices,
        similarity=pairs,
        group_tolerance=group_tolerance,
        tol=TABLE_TOLERANCE if cell.kind == "individual" else TOLERANCE,
    )
    with warnings.catch_warnings():
        # the paper's similarity makes nearly the same of everybody: its tables say how nearly
        warnings.simplefilter("ignore", SamenessWarning)
        return model.fit(sample.X, sensitive_features=_groups(sample, group_tolerance))


def _summary(model: LikewiseClustering, hard: Baseline, pairs: PairSource) -> dict[str, Quantity]:
    certificate = model.certificate_
    return {
        "mean_cost": model.objective_ / len(hard.weights),
        "gap": model.gap_,
        "violated": violations(model.distributions_, pairs).share,
        "worst_excess": certificate.worst_excess,
        "s": model.solve_seconds_,
    }


def _soft(
    fair: LikewiseClustering, hard: Baseline, sample: Sample, pairs: Pairs, cell: Cell
) -> dict[str, Quantity]:
    """Soft k-means at the cost of the fair clustering, and all along its inverse temperature beta.

    As the paper's authors do it: probabilities go by the distances to the means of the k-means
    clusters, costs by those to the rows that stand for them.
    """
    away = cdist(sample.X, _means(sample.X, hard))
    costs = hard.distances**2
    at = stiffness_at_cost(away, fair.objective_, costs=costs)
    stepped = BETA_STEP * np.ceil(at / BETA_STEP)
    found: dict[str, Quantity] = {
        "beta": at,
        "violated": violations(soft_assignment(away, at), pairs).share,
        "beta_in_steps": stepped,
        "violated_in_steps": violations(soft_assignment(away, stepped), pairs).share,
    }
    if cell.kind == "individual":
        return found
    curve: list[list[float]] = []
    for beta in CURVE / costs.mean():
        x = soft_assignment(away, beta)
        curve.append([float(beta), float((x * costs).sum() / cell.n), violations(x, pairs).share])
    return {**found, "curve": curve}


def _means(X: Array, hard: Baseline) -> Array:
    """Where Lloyd's steps end that begin at the centres."""
    start = X[hard.center_indices]
    found = KMeans(len(start), init=start, n_init=1, tol=0, max_iter=1000).fit(X)
    return np.asarray(found.cluster_centers_)


def _group_fair(
    cell: Cell, sample: Sample, hard: Baseline, pairs: Pairs, within: PairSource
) -> dict[str, Quantity]:
    started = time.perf_counter()
    fair = group_fair(
        sample.X,
        cell.k,
        sample.groups,
        group_tolerance=DELTA,
        centers=hard.center_indices,
        tol=TOLERANCE,
    )
    return {
        "mean_cost": fair.objective / cell.n,
        "violated": violations(fair.distributions, pairs).share,
        "violated_within_groups": violations(fair.distributions, within).share,
        "s": time.perf_counter() - started,
    } | _bias(fair.distributions, sample)


def _bias(distributions: Array, sample: Sample) -> dict[str, Quantity]:
    """Of the most biased group, as the paper shows it; and what any group's bias is above its
    distance by.
    """
    groups = bias_and_distance(distributions, sample.X, sample.groups)
    excess = max(group.bias - group.distance for group in groups)
    return {"bias": groups[0].bias, "earth_mover": groups[0].distance, "bias_excess": excess}


def _drawn(distributions: Array, pairs: Pairs) -> dict[str, Quantity]:
    """How many pairs one realization treats more differently than they are."""
    shares: dict[str, Quantity] = {}
    for name, coupled in (("independent", False), ("coupled", True)):
        labels = draw_labels(distributions, LABEL_DRAWS, coupled=coupled, random_state=0)
        k = distributions.shape[1]
        drawn = [violations(np.eye(k)[each], pairs).share for each in labels]
        shares[name] = float(np.mean(drawn))
    return shares
