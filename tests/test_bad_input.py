"""Bad input gets an error that names the argument, the problem and the remedy."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning

from likewise import AssignmentProblem, InvalidArgument, LikewiseClustering, Pairs, solve

X = np.random.default_rng(0).normal(size=(20, 2))


def fit(X=X, sample_weight=None, sensitive_features=None, **parameters):
    parameters.setdefault("n_clusters", 2)
    model = LikewiseClustering(**parameters)
    return model.fit(X, sample_weight=sample_weight, sensitive_features=sensitive_features)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        (dict(n_clusters=0), "n_clusters: 0 is too small. Use a whole number of at least 1"),
        (dict(n_clusters=2.5), "n_clusters: 2.5 is not a whole number"),
        (dict(n_clusters=True), "n_clusters"),
        (dict(n_clusters=21), "n_clusters: 21 centres were asked for, but X has only n_samples=20"),
        (dict(p=0.5), "p: 0.5 is too small"),
        (dict(p=float("nan")), "p: nan"),
        (dict(p="2"), "p: '2' is not a number"),
        (dict(p=2000), "cost: .* lower p"),
        (dict(metric="euclid"), "metric: 'euclid' is not known. Did you mean 'euclidean'"),
        (dict(divergence="total"), "divergence"),
        (dict(similarity="locale"), "similarity: .* Did you mean 'local'"),
        (dict(similarity=np.ones((3, 3))), "similarity: the matrix has shape"),
        (dict(n_neighbors=0), "n_neighbors: 0"),
        (dict(centers="random"), "centers: 'random' is not known"),
        (dict(solver="fast"), "solver: 'fast' is not known"),
        (dict(tol=-1), "tol: -1"),
        (dict(max_time=-1), "max_time: -1"),
        (dict(max_time="long"), "max_time"),
        (dict(X=np.zeros((0, 2))), "0 sample"),
        (dict(X=np.zeros((1, 2))), "minimum of 2"),
        (dict(X=np.zeros((5, 0))), "0 feature"),
        (dict(X=np.zeros(5)), "1D array"),
        (dict(X=[["a"], ["b"]]), "could not convert"),
        (dict(sample_weight=np.zeros(20)), "sample_weight: .*at least one non-zero"),
        (dict(sample_weight=-np.ones(20)), "sample_weight: some weights are negative"),
        (dict(sample_weight=np.ones(19)), "sample_weight"),
        (dict(sample_weight=np.full(20, np.nan)), "NaN"),
    ],
)
def test_message(parameters, message):
    with pytest.raises(ValueError, match=message):
        fit(**parameters)


@given(
    place=st.integers(0, 39),
    value=st.sampled_from([np.nan, np.inf, -np.inf]),
    columns=st.integers(1, 4),
)
def test_nan_and_infinity_anywhere(place, value, columns):
    rows = np.random.default_rng(0).normal(size=(10, columns))
    rows.flat[place % rows.size] = value
    with pytest.raises(ValueError, match=r"X contains (NaN|infinity)"):
        fit(rows)


@given(st.lists(st.floats(allow_nan=True, allow_infinity=True), min_size=20, max_size=20))
def test_weights_work_or_are_refused(weights):
    array = np.array(weights)
    good = np.isfinite(array).all() and (array >= 0).all() and array.any()
    assume(not good or array[array > 0].max() / array[array > 0].min() < 1e12)
    assume(not good or 1e-100 < array.max() < 1e100)
    if good:
        assert fit(sample_weight=array).certificate_.is_fair
    else:
        with pytest.raises(ValueError, match=r"weight"):
            fit(sample_weight=array)


@given(
    rows=st.lists(st.sampled_from([0.0, 1.0, 2.0, 5.0]), min_size=2, max_size=12),
    k=st.integers(1, 6),
)
def test_too_few_distinct_points(rows, k):
    data, distinct = np.array(rows)[:, None], len(set(rows))
    if k > len(data):
        with pytest.raises(InvalidArgument, match=r"n_clusters: .* n_samples"):
            fit(data, n_clusters=k)
    elif k > distinct:
        with pytest.warns(ConvergenceWarning, match=f"X has only {distinct} distinct"):
            assert fit(data, n_clusters=k).certificate_.is_fair
    else:
        assert fit(data, n_clusters=k).certificate_.is_fair


@given(st.lists(st.floats(), min_size=1, max_size=5))
def test_bounds_work_or_are_refused(bounds):
    i = np.arange(len(bounds))
    if all(bound >= 0 for bound in bounds):
        assert fit(similarity=Pairs(i, i + 1, bounds)).certificate_.is_fair
    else:
        with pytest.raises(InvalidArgument, match="bound"):
            Pairs(i, i + 1, bounds)


@pytest.mark.parametrize(
    ("cost", "pairs", "problem"),
    [
        (np.ones(3), Pairs([], [], []), "shape"),
        (np.ones((0, 3)), Pairs([], [], []), "shape"),
        (np.array([[np.inf, 1.0]]), Pairs([], [], []), "infinite"),
        (np.ones((2, 2)), Pairs([0], [2], [0.1]), "row 2"),
    ],
)
def test_bad_problem(cost, pairs, problem):
    with pytest.raises(InvalidArgument, match=problem):
        AssignmentProblem(cost, pairs)


def test_unknown_solver_names_the_nearest():
    with pytest.raises(InvalidArgument, match="Did you mean 'exact'"):
        solve(AssignmentProblem(np.ones((2, 2)), Pairs([], [], [])), "exakt")
