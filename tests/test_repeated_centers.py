"""More clusters than distinct points: a warning, repeated centres, an answer as good as ever."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from scipy.spatial.distance import cdist
from sklearn.exceptions import ConvergenceWarning
from support import oracle

from likewise import AssignmentProblem, LikewiseClustering, Pairs, lower_bound
from likewise.baselines import group_fair, hard_clustering, soft_clustering
from likewise.fitting import checkpoint as checkpoints
from likewise.frontier import frontier
from likewise.groups.bounds import bounds_from
from likewise.groups.membership import Groups

PLACES = np.random.default_rng(0).normal(size=(4, 2))
X = PLACES[np.arange(16) % 4]
SEX = np.random.default_rng(1).integers(0, 2, 16)
WEIGHTS = np.where(np.arange(16) % 4 == 2, 0.0, 1.0 + np.arange(16) % 3)  # one place has none
USUAL = {"similarity": "global", "random_state": 0}
SAID = "8 centres were asked for, but X has only 4 distinct points"


def fit(X=X, *, sex=None, weights=None, k=8, **options):
    model = LikewiseClustering(k, **(USUAL | options))
    with pytest.warns(ConvergenceWarning, match=SAID) as caught:
        model.fit(X, sensitive_features=sex, sample_weight=weights)
    assert len(caught) == 1
    assert caught[0].filename == __file__
    return model


def check(model, objective=None, rel=1e-4):
    """Whole, fair, proven, with a centre at every place."""
    assert model.certificate_.is_fair
    assert model.gap_ <= model.tol
    assert model.distributions_.shape == (16, 8)
    assert len(set(model.center_indices_.tolist())) == 8
    assert set(model.center_indices_ % 4) == {0, 1, 2, 3}
    if objective is not None:
        assert model.objective_ == pytest.approx(objective, rel=rel)


def without_repetitions(*, sex=None, weights=None, **options):
    """What it costs with one centre at each place."""
    model = LikewiseClustering(4, centers=PLACES, **(USUAL | options))
    return model.fit(X, sensitive_features=sex, sample_weight=weights).objective_


@pytest.mark.parametrize("solver", ["exact", "first-order"])
@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["ones", "weights"])
@pytest.mark.parametrize("p", [1, 2, 3])
def test_it_costs_what_cvxpy_says(p, weights, solver):
    model = fit(p=p, solver=solver, weights=weights)
    D = cdist(X, X)
    i, j = np.nonzero(~np.eye(16, dtype=bool))
    cost = (np.ones(16) if weights is None else weights)[:, None] * D[:, model.center_indices_] ** p
    problem = AssignmentProblem(cost, Pairs(i, j, D[i, j] / D.max()))
    oracle.assert_fair(problem, model.distributions_)
    check(model, oracle.oracle_objective(problem))
    np.testing.assert_array_equal(model.cluster_centers_, X[model.center_indices_])


@pytest.mark.parametrize("solver", ["exact", "first-order"])
def test_groups_cost_what_cvxpy_says(solver):
    model = fit(sex=SEX, group_tolerance=0.3, individual="all", solver=solver)
    D = cdist(X, X)
    i, j = np.nonzero(~np.eye(16, dtype=bool))
    bounds = bounds_from(Groups.from_features(SEX, 16), np.ones(16), 0.3, None)
    cost = D[:, model.center_indices_] ** 2
    problem = AssignmentProblem(cost, Pairs(i, j, D[i, j] / D.max()), "tv", bounds)
    oracle.assert_fair(problem, model.distributions_)
    check(model, oracle.oracle_objective(problem))


@pytest.mark.parametrize(
    "options",
    [
        dict(p=np.inf),
        dict(p=np.inf, similarity="local"),
        dict(similarity="local"),
        dict(divergence="kl"),
        dict(divergence="hellinger", p=1),
        dict(divergence="max-ratio", tol=1e-3),
        dict(n_neighbors=3),
        dict(metric="manhattan", p=1),
        dict(metric="cosine"),
        dict(max_refine=3),
        dict(max_refine=3, p=1, metric="cosine"),
        dict(sex=SEX, group_tolerance=0.3),
        dict(sex=SEX, group_tolerance=0.3, p=np.inf),
        dict(sex=SEX, group_tolerance=0.3, max_refine=2),
        dict(weights=WEIGHTS, p=np.inf),
        dict(weights=WEIGHTS, max_refine=3),
    ],
    ids=str,
)
def test_a_centre_that_is_there_twice_changes_no_cost(options):
    model = fit(**options)
    check(model, without_repetitions(**options), rel=3 * model.tol)
    if model.certificate_.radius is not None:
        assert model.certificate_.radius.is_minimal


def test_whatever_the_rows_come_in():
    expected = without_repetitions()
    check(fit(sparse.csr_array(X)), expected)
    check(fit(pd.DataFrame(X, columns=["a", "b"])), expected)
    check(fit(cdist(X, X), metric="precomputed"), expected)
    check(fit(cdist(X, X), metric="precomputed", p=np.inf))


def test_one_place_for_all():
    for p in (1, 2, np.inf):
        with pytest.warns(ConvergenceWarning, match="only 1 distinct point: "):
            model = LikewiseClustering(3, p=p, max_refine=2).fit(np.ones((5, 2)))
        assert model.certificate_.is_fair
        assert (model.objective_, model.gap_, model.cost_) == (0, 0, 0)


def test_people_who_come_later():
    for options in (dict(), dict(p=np.inf), dict(divergence="kl")):
        model = fit(**options)
        np.testing.assert_array_equal(model.predict_proba(X), model.distributions_)
        np.testing.assert_array_equal(model.predict(X), model.labels_)
        new = PLACES.mean(axis=0, keepdims=True)
        x, factors = model.predict_proba(new, return_relaxation=True)
        assert x.sum() == pytest.approx(1)
        if options == {}:  # within its bound of everybody, or beyond by the factor that is said
            reach = cdist(new, X)[0] / cdist(X, X).max()
            apart = 0.5 * np.abs(x - model.distributions_).sum(axis=1)
            assert (apart <= factors[0] * reach + 1e-9).all()


def test_the_same_rows_can_be_given_and_then_nothing_is_said(recwarn):
    model = fit()
    again = LikewiseClustering(8, centers=model.center_indices_, **USUAL).fit(X)
    assert again.objective_ == pytest.approx(model.objective_)
    assert again.guarantee_ is None
    assert model.guarantee_ == pytest.approx(3**0.5 * 3)
    assert not recwarn.list


def test_it_is_said_again_where_a_lost_fit_goes_on(tmp_path, monkeypatch):
    path = tmp_path / "state.npz"
    write = checkpoints.Checkpoint.write

    class Lost(Exception):
        pass

    def be_lost(self, digest, arrays):
        write(self, digest, arrays)
        raise Lost

    monkeypatch.setattr(checkpoints.Checkpoint, "is_due", True)
    monkeypatch.setattr(checkpoints.Checkpoint, "write", be_lost)
    with pytest.warns(ConvergenceWarning, match=SAID), pytest.raises(Lost):
        LikewiseClustering(8, checkpoint=path, **USUAL).fit(X)
    monkeypatch.setattr(checkpoints.Checkpoint, "write", write)
    check(fit(checkpoint=path), without_repetitions())


@pytest.mark.parametrize("p", [1, 2, np.inf])
def test_bounds_and_baselines(p):
    bound = lower_bound(X, 8, p=p, similarity="global", tol=1e-6)
    assert bound.cost <= fit(p=p).cost_ * (1 + 1e-9)
    if np.isfinite(p):  # every point is a centre in both
        assert bound.objective == pytest.approx(without_repetitions(p=p), rel=1e-4)
        with pytest.warns(ConvergenceWarning, match=SAID):
            points = frontier(X, 8, (0.5, 1.0, np.inf), p=p, similarity="global")
        assert points[1].objective == pytest.approx(without_repetitions(p=p), rel=2e-3)
        assert points[-1].objective == 0
    with pytest.warns(ConvergenceWarning, match=SAID):
        hard = hard_clustering(X, 8, p=p)
    assert hard.cost == 0
    with pytest.warns(ConvergenceWarning, match=SAID):
        soft = soft_clustering(X, 8, 1.0, p=p)
    assert soft.distributions.sum(axis=1) == pytest.approx(1)
    with pytest.warns(ConvergenceWarning, match=SAID):
        balanced = group_fair(X, 8, SEX, p=p)
    assert balanced.bounds.excess(balanced.distributions).max() <= 1e-9
    assert balanced.rounded().shape == (16,)
