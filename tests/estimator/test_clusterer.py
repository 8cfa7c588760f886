import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from scipy.spatial.distance import cdist
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks
from support import oracle

from likewise import AssignmentProblem, LikewiseClustering, Pairs
from likewise.compute.budget import Budget

X = np.random.default_rng(0).normal(size=(60, 3))


# Some of the checks fit four distinct points with eight clusters, or ask about people whom nobody
# could treat within all of their bounds: both are said, as they should be.
@pytest.mark.filterwarnings(
    "ignore:.* only 4 distinct points:sklearn.exceptions.ConvergenceWarning"
)
@pytest.mark.filterwarnings("ignore:.* rows cannot be within:likewise.errors.RelaxationWarning")
@parametrize_with_checks([LikewiseClustering()])
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def fit(X=X, n_clusters=3, random_state=0, sample_weight=None, **parameters):
    model = LikewiseClustering(n_clusters, random_state=random_state, **parameters)
    return model.fit(X, sample_weight=sample_weight)


def brute_force(X, model, bound, weights=None):
    """The optimum by CVXPY for the centres of the model and a full matrix of bounds."""
    cost = cdist(X, model.cluster_centers_) ** model.p
    if weights is not None:
        cost *= weights[:, None]
    i, j = np.nonzero(~np.eye(len(X), dtype=bool) & np.isfinite(bound))
    problem = AssignmentProblem(cost, Pairs(i, j, bound[i, j]))
    oracle.assert_fair(problem, model.distributions_)
    return oracle.oracle_objective(problem)


@pytest.mark.parametrize("p", [1, 1.5, 2, 4])
def test_global_is_optimal_for_any_p(p):
    model = fit(X[:25], p=p, similarity="global")
    D = cdist(X[:25], X[:25])
    assert model.objective_ == pytest.approx(brute_force(X[:25], model, D / D.max()), rel=1e-6)
    assert model.cost_ == pytest.approx(model.objective_ ** (1 / p))


def test_local_is_optimal():
    few = X[:24]
    model = fit(few, similarity="local")
    D = cdist(few, few)
    bound = np.minimum(D / np.sort(D, axis=1)[:, 8:9], 1)
    assert model.objective_ == pytest.approx(brute_force(few, model, bound), rel=1e-6)


def test_weights_are_optimal_and_zero_weight_is_still_treated_fairly():
    few, weights = X[:20], np.arange(20.0) % 4
    model = fit(few, sample_weight=weights, similarity="global")
    D = cdist(few, few)
    expected = brute_force(few, model, D / D.max(), weights)
    assert model.objective_ == pytest.approx(expected, rel=1e-6)


def test_whole_number_weights_are_repeated_rows():
    few, times = X[:15], np.array([1, 2, 3] * 5)
    rows = [3, 7, 11]
    told = dict(centers=few[rows], similarity="global")  # "local" counts rows, not weights
    weighted = fit(few, sample_weight=times, **told)
    repeated = fit(np.repeat(few, times, axis=0), **told)
    assert weighted.objective_ == pytest.approx(repeated.objective_, rel=1e-7)


def test_duplicates_are_treated_the_same():
    twice = np.concatenate([X, X])
    model = fit(twice)
    np.testing.assert_array_equal(model.distributions_[:60], model.distributions_[60:])


@pytest.mark.parametrize("similarity", ["global", "local"])
def test_many_duplicates(similarity):
    rows = np.repeat(X[:6], 10, axis=0)
    model = fit(rows, similarity=similarity)
    assert model.certificate_.is_fair
    assert model.gap_ <= 1e-8


def test_scale_of_the_data_changes_nothing():
    rows = [0, 1, 2]
    small, large = fit(X * 1e-6, centers=X[rows] * 1e-6), fit(X * 1e6, centers=X[rows] * 1e6)
    np.testing.assert_allclose(small.objective_ * 1e24, large.objective_, rtol=1e-7)


def test_precomputed_is_the_same_as_its_metric():
    from_rows = fit(metric="manhattan", p=1)
    from_table = fit(cdist(X, X, "cityblock"), metric="precomputed", p=1)
    assert from_table.objective_ == pytest.approx(from_rows.objective_)
    assert not hasattr(from_table, "cluster_centers_")
    assert set(from_table.center_indices_) == set(from_rows.center_indices_)


def test_frames_and_sparse_matrices():
    expected = fit()
    names = ["a", "b", "c"]
    for frame in (pd.DataFrame(X, columns=names), pl.DataFrame(X, schema=names)):
        model = fit(frame)
        assert model.feature_names_in_.tolist() == names
        assert model.objective_ == pytest.approx(expected.objective_)
    assert fit(sparse.csr_array(X)).objective_ == pytest.approx(expected.objective_)


def test_in_a_pipeline():
    pipeline = make_pipeline(StandardScaler(), LikewiseClustering(3, random_state=0))
    labels = pipeline.fit_predict(X)
    assert labels.shape == (60,)
    expected = fit(StandardScaler().fit_transform(X))
    np.testing.assert_array_equal(labels, expected.labels_)


def test_labels_are_the_most_likely_centers():
    model = fit()
    chosen = model.distributions_[np.arange(60), model.labels_]
    np.testing.assert_allclose(chosen, model.distributions_.max(axis=1))


def test_attributes_agree():
    model = fit()
    np.testing.assert_array_equal(X[model.center_indices_], model.cluster_centers_)
    assert model.lower_bound_ <= model.objective_
    assert model.gap_ == model.certificate_.gap
    assert model.solver_ == "exact"
    assert model.n_iter_ > 0


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({}, "everybody with everybody"),
        ({"n_neighbors": 3}, "each person with the 3 nearest others, ties included"),
        ({"individual": "within-groups"}, "everybody with those who share a protected value"),
    ],
)
def test_the_certificate_says_who_was_compared_with_whom(parameters, words):
    sex = ["f", "m"] * 6 if "individual" in parameters else None
    model = LikewiseClustering(n_clusters=2, random_state=0, **parameters)
    model.fit(X[:12], sensitive_features=sex)
    assert f"\ncompared:    {words}\n" in str(model.certificate_)
    assert model.certificate_.as_dict()["compared"] == words


def test_constant_column_changes_nothing():
    wider = np.column_stack([X, np.full(60, 7.0)])
    assert fit(wider).objective_ == pytest.approx(fit().objective_)


def test_one_cluster():
    assert fit(n_clusters=1).distributions_.tolist() == [[1.0]] * 60


def test_as_many_clusters_as_points():
    model = fit(X[:5], n_clusters=5)
    assert model.certificate_.is_fair


def test_parameters_are_left_as_given():
    bounds = np.ones((60, 60))
    model = LikewiseClustering(3, similarity=bounds, centers=np.array([0, 1, 2]))
    model.fit(X)
    assert model.similarity is bounds
    assert clone(model).get_params()["n_clusters"] == 3


def test_too_little_memory_says_how_much_and_what_to_do(monkeypatch):
    from likewise.compute import memory

    monkeypatch.setattr(memory, "available", lambda: 500 * 2**20)
    rows = np.random.default_rng(0).normal(size=(20_000, 2))
    with pytest.raises(MemoryError, match=r"need about .* GB.*Lower n_neighbors from 300 to"):
        fit(rows, n_neighbors=300)
    with pytest.raises(MemoryError, match="sample"):
        fit(np.zeros((2_000_000, 1)))


def test_time_limit_warns_and_stays_fair():
    rows = np.random.default_rng(5).normal(size=(300, 4))
    with pytest.warns(ConvergenceWarning, match="gap"):
        model = fit(rows, n_clusters=6, max_time=0.0)
    assert model.certificate_.is_fair


def test_after_an_interrupt_no_larger_limit_is_advised(monkeypatch):
    """What ended it was the user, not a limit."""

    class Interrupted(Budget):
        def __init__(self, *limits):
            super().__init__(*limits)
            self.interrupt()

    monkeypatch.setattr("likewise.estimator.clusterer.Budget", Interrupted)
    rows = np.random.default_rng(5).normal(size=(300, 4))
    with pytest.warns(ConvergenceWarning, match="Let it run longer") as said:
        fit(rows, n_clusters=6)
    assert "max_time" not in str(said[0].message)


@pytest.mark.parametrize("similarity", ["global", "local"])
@pytest.mark.parametrize("metric", ["euclidean", "manhattan"])
def test_pairs_that_are_not_listed_give_the_same_answer(monkeypatch, metric, similarity):
    """The path for many pairs, where they are computed at each scan instead of kept."""
    from likewise.geometry import distances

    repeated = np.concatenate([X, X[:20]])
    # with the same centres: where they are moved to may hang by the last digits of an answer
    told = {"similarity": similarity, "metric": metric, "max_refine": 0}
    expected = fit(repeated, **told)
    monkeypatch.setattr("likewise.solvers.separation.choose.LISTED_PAIRS", 0)
    monkeypatch.setattr(distances, "BLOCK_CELLS", 500)
    for solver in ("exact", "first-order"):
        model = fit(repeated, solver=solver, tol=1e-6, **told)
        assert model.objective_ == pytest.approx(expected.objective_, rel=1e-6)
        assert model.certificate_.is_fair
