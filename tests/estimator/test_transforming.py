"""What scikit-learn's tools ask of an estimator: distances, scores, names, metadata."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.spatial.distance import cdist
from sklearn import config_context
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from likewise import InvalidArgument, LikewiseClustering

X = np.random.default_rng(0).normal(size=(40, 2))
SEX = np.array(["f", "m"])[np.arange(40) % 2]
WEIGHTS = 1.0 + np.arange(40) % 3
# a search scores people who were not fitted, and some of them fit in with nobody
RELAXED = pytest.mark.filterwarnings("ignore:.* rows cannot be within")


def fitted(**options):
    return LikewiseClustering(3, random_state=0, **options).fit(X)


@pytest.mark.parametrize("p", [1, 2, 3.5])
def test_the_score_of_fitted_rows_is_minus_the_objective(p):
    model = fitted(p=p)
    assert model.score(X) == pytest.approx(-model.objective_, rel=1e-9)


def test_a_score_by_hand():
    model, new = fitted(), X[:9] + 0.05
    x, _ = model.predict_proba(new, return_relaxation=True)
    weights = WEIGHTS[:9]
    expected = (weights[:, None] * x * cdist(new, model.cluster_centers_) ** 2).sum()
    assert model.score(new, sample_weight=weights) == pytest.approx(-expected)
    with pytest.raises(InvalidArgument, match="sample_weight"):
        model.score(new, sample_weight=WEIGHTS)


def test_transform_gives_distances_to_the_centres():
    model, new = fitted(), X[:5] + 1
    np.testing.assert_allclose(model.transform(new), cdist(new, model.cluster_centers_))
    again = LikewiseClustering(3, random_state=0).fit_transform(X)
    np.testing.assert_allclose(again, cdist(X, model.cluster_centers_))
    table = cdist(X, X)
    precomputed = LikewiseClustering(3, metric="precomputed", random_state=0).fit(table)
    columns = table[:, precomputed.center_indices_]
    np.testing.assert_array_equal(precomputed.transform(table), columns)


@pytest.mark.parametrize(("kind", "frame"), [("pandas", pd.DataFrame), ("polars", pl.DataFrame)])
def test_set_output(kind, frame):
    model = fitted().set_output(transform=kind)
    out = model.transform(X)
    assert isinstance(out, frame)
    names = ["likewiseclustering0", "likewiseclustering1", "likewiseclustering2"]
    assert list(out.columns) == list(model.get_feature_names_out()) == names


def test_labels_of_fit_predict():
    model = LikewiseClustering(3, random_state=0, group_tolerance=0.3)
    labels = model.fit_predict(X, sensitive_features=SEX, sample_weight=WEIGHTS)
    np.testing.assert_array_equal(labels, model.labels_)


def test_metadata_goes_through_pipelines():
    asked = dict(sensitive_features=True, sample_weight=True)
    with config_context(enable_metadata_routing=True):
        model = LikewiseClustering(3, random_state=0, group_tolerance=0.3)
        model.set_fit_request(**asked).set_score_request(**asked)
        for method in ("predict", "predict_proba"):
            getattr(model, f"set_{method}_request")(sensitive_features=True)
        scaler = StandardScaler().set_fit_request(sample_weight=False)
        pipeline = make_pipeline(scaler, model)
        pipeline.fit(X, sensitive_features=SEX, sample_weight=WEIGHTS)
        scaled = scaler.fit_transform(X)
        alone = LikewiseClustering(3, random_state=0, group_tolerance=0.3)
        alone.fit(scaled, sensitive_features=SEX, sample_weight=WEIGHTS)
        np.testing.assert_array_equal(pipeline[-1].distributions_, alone.distributions_)
        np.testing.assert_array_equal(
            pipeline.predict_proba(X, sensitive_features=SEX), alone.distributions_
        )
        np.testing.assert_array_equal(pipeline.predict(X, sensitive_features=SEX), alone.labels_)
        score = pipeline.score(X, sensitive_features=SEX, sample_weight=WEIGHTS)
        assert score == pytest.approx(-alone.objective_, rel=1e-9)


@RELAXED
def test_a_search_over_k_and_strictness():
    grid = {"n_clusters": [2, 4], "bound_scale": [0.5, 2.0]}
    search = GridSearchCV(LikewiseClustering(random_state=0), grid, cv=2, error_score="raise")
    search.fit(X)
    assert search.best_params_ == {"n_clusters": 4, "bound_scale": 2.0}  # cheapest, and no wonder
    assert search.best_score_ < 0
    assert search.best_estimator_.certificate_.is_fair


@RELAXED
def test_a_search_passes_groups_on():
    asked = dict(sensitive_features=True, sample_weight=True)
    with config_context(enable_metadata_routing=True):
        model = LikewiseClustering(random_state=0, group_tolerance=0.4)
        model.set_fit_request(**asked).set_score_request(**asked)
        search = GridSearchCV(model, {"n_clusters": [2, 3]}, cv=2, error_score="raise")
        search.fit(X, sensitive_features=SEX, sample_weight=WEIGHTS)
        best = search.best_estimator_
    assert {name for _, name in best.group_bounds_} == {"f", "m"}


def test_prices_of_pairs_are_what_looser_bounds_save():
    """One bound looser by a little: the objective falls by its price times that."""
    D = cdist(X[:15], X[:15])
    bound = 0.6 * D / D.max()
    options = dict(centers=np.array([0, 1, 2]), solver="exact", random_state=0)
    model = LikewiseClustering(3, similarity=bound, **options).fit(X[:15])
    dearest = model.price_of_pairs(1)[0]
    assert dearest.bound == pytest.approx(bound[dearest.i, dearest.j])
    looser = bound.copy()
    step = 0.01 * dearest.bound
    looser[dearest.i, dearest.j] += step
    looser[dearest.j, dearest.i] += step
    again = LikewiseClustering(3, similarity=looser, **options).fit(X[:15])
    saved = model.objective_ - again.objective_
    assert saved == pytest.approx(dearest.saving * step, rel=0.5)
    assert saved > 0


def test_duals_prove_the_bound():
    from likewise import AssignmentProblem, certify
    from likewise.metrics import constrained_pairs

    model = fitted(similarity="global")
    cost = cdist(X, model.cluster_centers_) ** 2
    problem = AssignmentProblem(cost, constrained_pairs(X, "global", n_clusters=3))
    proof = certify(problem, model.distributions_, model.duals_)
    assert proof.lower_bound == pytest.approx(model.lower_bound_, rel=1e-9)


def test_the_price_of_fairness():
    model = fitted()
    hard = cdist(X, model.cluster_centers_).min(axis=1)
    assert model.price_ == pytest.approx(model.cost_ / np.sqrt((hard**2).sum()))
