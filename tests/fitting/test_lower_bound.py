"""OPT-IF and OPT-CF: below every fair clustering, and as CVXPY has it."""

import cvxpy as cp
import numpy as np
import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st
from scipy.spatial.distance import cdist
from support import oracle, reference

from likewise import AssignmentProblem, InvalidArgument, LikewiseClustering, Pairs, lower_bound
from likewise.fitting.lower_bound import LowerBound

X = np.random.default_rng(0).normal(size=(14, 2))
SEX = np.array(["a", "b"] * 7)


def bound_by_cvxpy(X, k, p=2, pairs=None, bounds=None, divergence="tv"):
    """The lower-bound program, whole, every pair and every opening in it."""
    D = cdist(X, X)
    if pairs is None:
        i, j = np.nonzero(~np.eye(len(X), dtype=bool))
        pairs = Pairs(i, j, D[i, j] / D.max())
    problem = AssignmentProblem(D**p, pairs, divergence, bounds, n_open=k)
    return oracle.oracle_objective(problem)


@settings(max_examples=12)
@given(
    seed=st.integers(0, 10_000),
    n=st.integers(3, 10),
    k=st.integers(1, 5),
    p=st.sampled_from([1, 2, 3]),
    divergence=st.sampled_from(["tv", "tv", "hellinger", "kl"]),
)
def test_agrees_with_cvxpy(seed, n, k, p, divergence):
    points = np.random.default_rng(seed).normal(size=(n, 2))
    k = min(k, n)
    try:
        expected = bound_by_cvxpy(points, k, p, divergence=divergence)
    except cp.SolverError:
        reject()  # Clarabel gives up on some: nothing to compare with
    told = dict(similarity="global", p=p, divergence=divergence, tol=1e-4)
    found = lower_bound(points, k, **told)
    assert found.objective <= expected * (1 + 1e-7) + 1e-9
    assert found.objective >= expected * (1 - 2e-4) - 1e-9
    assert found.certificate.is_fair


@pytest.mark.parametrize("divergence", ["max-ratio", "chi2"])
def test_any_divergence(divergence):
    found = lower_bound(X, 3, similarity="global", divergence=divergence, tol=1e-4)
    expected = bound_by_cvxpy(X, 3, divergence=divergence)
    assert expected * (1 - 2e-4) <= found.objective <= expected * (1 + 1e-7)


@pytest.mark.parametrize("p", [1, 2, np.inf])
@pytest.mark.parametrize("groups", [False, True])
def test_no_fair_clustering_is_cheaper(p, groups):
    options = dict(p=p, n_neighbors=5)
    fit = {}
    if groups:
        options |= dict(group_tolerance=0.2)
        fit = dict(sensitive_features=SEX)
    bound = lower_bound(X, 3, **options, **fit)
    model = LikewiseClustering(3, random_state=0, **options).fit(X, **fit)
    assert 0 < bound.cost <= model.cost_
    assert model.optimality_ratio(bound) == pytest.approx(model.cost_ / bound.cost)


def test_one_center_for_everybody():
    """k = 1: everybody goes to the medoid, and the relaxation knows."""
    assert lower_bound(X, 1).objective == pytest.approx((cdist(X, X) ** 2).sum(axis=0).min())


def test_as_many_centers_as_points():
    assert lower_bound(X, len(X), tol=1e-6).objective >= 0


def test_equal_points_weights_and_precomputed_distances():
    twice = np.repeat(X, 2, axis=0)
    expected = lower_bound(X, 3, tol=1e-6).objective
    assert lower_bound(twice, 3, tol=1e-6).objective == pytest.approx(2 * expected, rel=1e-5)
    weighed = lower_bound(X, 3, sample_weight=np.full(len(X), 2.0), tol=1e-6).objective
    assert weighed == pytest.approx(2 * expected, rel=1e-5)
    precomputed = lower_bound(cdist(X, X), 3, metric="precomputed", tol=1e-6).objective
    assert precomputed == pytest.approx(expected, rel=1e-5)


def test_stopped_early_still_holds():
    expected = bound_by_cvxpy(X, 3)
    found = lower_bound(X, 3, max_time=0.0)
    assert found.objective <= expected * (1 + 1e-7)


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        (dict(n_clusters=0), "n_clusters"),
        (dict(n_clusters=15), "n_clusters"),
        (dict(p=0.5), "p"),
        (dict(tol=-1.0), "tol"),
        (dict(max_time=-1.0), "max_time"),
        (dict(similarity="sideways"), "similarity"),
        (dict(group_tolerance=0.2), "group_tolerance"),
    ],
)
def test_bad_arguments(arguments, name):
    with pytest.raises(InvalidArgument, match=name):
        lower_bound(X, **{"n_clusters": 3, **arguments})


def test_every_argument_goes_by_its_name():
    """The names of today with their defaults are the defaults."""
    named = dict(
        p=2, metric="euclidean", divergence="tv", similarity="local", n_neighbors=None,
        group_tolerance=None, group_bounds=None, individual=True, missing_sensitive="group",
        sensitive_features=None, sample_weight=None, tol=1e-5, max_time=None, verbose=0,
    )  # fmt: skip
    assert lower_bound(X, n_clusters=3, **named).objective == lower_bound(X, 3).objective


@pytest.mark.parametrize("kind", [TypeError, InvalidArgument])
def test_an_unknown_argument_is_named(kind):
    with pytest.raises(kind, match=r"^divergance: .* Did you mean 'divergence'\?.*'similarity'"):
        lower_bound(X, 3, divergance="tv")
    with pytest.raises(kind, match=r"^centers: there is no such argument"):
        lower_bound(X, 3, centers=[0, 1, 2])


def test_ratio_to_nothing():
    model = LikewiseClustering(2, random_state=0).fit(X)
    nothing = LowerBound(0.0, 2, 0.0, 0.0, None, 0.0)
    assert model.optimality_ratio(nothing) == np.inf


@pytest.mark.slow
@pytest.mark.skipif(not reference.is_there(), reason=f"no reference results at {reference.FOLDER}")
@pytest.mark.parametrize("row", reference.rows(algorithm=("OPT-IF", "OPT-CF")), ids=reference.label)
def test_as_the_authors_got(row):
    groups = {}
    if row["delta"] is not None:
        groups = dict(sensitive_features=reference.groups(row), group_tolerance=row["delta"])
    found = lower_bound(reference.data(row), row["k"], similarity=reference.pairs(row), **groups)
    assert found.objective / row["n"] <= row["mean_cost"] + 1e-9
    assert found.objective / row["n"] == pytest.approx(row["mean_cost"], rel=1e-5)
