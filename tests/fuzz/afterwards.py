"""What a fitted model is asked later: labels drawn, later people, saved and loaded."""

import pickle
import warnings

import numpy as np

from tests.fuzz import referee
from tests.fuzz.generate import packed

LATER = 2  # people who were not fitted
LATER_EXCESS = 1e-8  # what they may be beyond a bound
SAVED = 0.1  # share of the models that are stored and loaded first


def afterwards(made, model, rng):
    """Complaints about what a model says after its fit."""
    of_functions = callable(made.options["similarity"]) or made.divergence.startswith("own")
    if rng.random() < SAVED and not of_functions:
        model = pickle.loads(pickle.dumps(model))
        made.found.add("stored and loaded")
    complaints = _drawn(made, model, rng)
    given = made.similarity in ("matrix", "sparse", "pairs")
    if given or made.container == "sparse" or "missing group values" in made.notes:
        return complaints
    complaints += _fitted_rows(made, model)
    if not complaints and made.options["metric"] != "precomputed":
        complaints += _later_people(made, model, rng)
    return complaints


def _drawn(made, model, rng):
    labels = model.sample(2, coupled=bool(rng.random() < 0.7), random_state=int(rng.integers(100)))
    if labels.shape != (2, made.n) or labels.min() < 0 or labels.max() >= model.n_clusters:
        return [f"drawn labels of shape {labels.shape}"]
    chosen = np.take_along_axis(model.distributions_, labels.T, axis=1)
    return [] if (chosen > 0).all() else ["a label was drawn that has no probability"]


def _asked(model, X, groups):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return model.predict_proba(X, sensitive_features=groups, return_relaxation=True)


def _fitted_rows(made, model):
    chances, factors = _asked(model, packed(made), made.groups)
    made.found.add("fitted rows asked about")
    counted = np.ones(made.n, bool) if made.weights is None else made.weights > 0
    complaints = referee.check_distributions(chances)
    apart = np.abs(chances - model.distributions_)[counted].max(initial=0.0)
    unique = made.options["metric"] != "cosine"  # of rows at distance zero, which is meant?
    if unique and apart > 1e-9 and not _split_duplicates(made):
        complaints.append(f"fitted rows get back others' distributions, off by {apart:.3g}")
    if (factors < 1).any():
        complaints.append("a relaxation below 1")
    return complaints


def _split_duplicates(made):
    """Whether rows at distance zero may be treated differently: bounds are not always theirs."""
    same = (made.D == 0) & ~np.eye(made.n, dtype=bool)
    return bool((made.bounds[same] > 0).any())


def _later_people(made, model, rng):
    """New rows are within their bounds, relaxed as is said, of every fitted row that counts."""
    X = np.asarray(made.X, float)
    new = X[rng.integers(0, made.n, LATER)] + np.nanstd(X, axis=0) * rng.normal(
        size=(LATER, X.shape[1])
    )
    groups = None
    if made.groups:
        groups = {name: v[rng.integers(0, made.n, LATER)] for name, v in made.groups.items()}
    chances, factors = _asked(model, new, groups)
    made.found.add("later people asked about")
    complaints = referee.check_distributions(chances)
    if complaints or made.similarity not in ("global", "local"):
        return complaints
    counted = np.ones(made.n, bool) if made.weights is None else made.weights > 0
    D = made.D[np.ix_(counted, counted)]
    between = referee.distances(np.vstack([new, X]), made.options["metric"], like=X)
    between = between[:LATER, LATER:][:, counted]
    if (between == 0).any() or len(D) < 2:
        return []
    k, m = made.options["n_clusters"], made.options["n_neighbors"]
    scale = made.options.get("bound_scale", 1.0)
    compared = _compared(made, groups)[:, counted]
    of_fitted = model.distributions_[counted]
    for limits, new_first in zip(
        referee.later_bounds(made.similarity, D, between, k, m), (True, False), strict=True
    ):
        for row in range(LATER):
            of_row = np.broadcast_to(chances[row], of_fitted.shape)
            pair = (of_row, of_fitted) if new_first else (of_fitted, of_row)
            value = referee.divergence(made.divergence, *pair)
            if np.isinf(factors[row]):
                made.found.add("a later person whom no factor helps")
                continue
            asked = compared[row] & np.isfinite(limits[row])
            limit = np.where(asked, limits[row], 1.0) * scale * factors[row]
            limit[~asked] = np.inf
            finite = np.isfinite(limit)
            excess = (value - limit)[finite].max(initial=0.0)
            if not excess <= LATER_EXCESS * max(1.0, factors[row]):
                complaints.append(f"a later person is {excess:.3g} beyond its bounds")
    return complaints


def _compared(made, groups):
    """(later, fitted): who is compared with whom."""
    individual = made.options.get("individual", True)
    if not made.groups or individual == "all":
        return np.ones((LATER, made.n), bool)
    if individual is False:
        return np.zeros((LATER, made.n), bool)
    together = {name: np.r_[groups[name], made.groups[name]] for name in made.groups}
    return referee.sharing(together)[:LATER, LATER:]
