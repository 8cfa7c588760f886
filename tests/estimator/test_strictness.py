"""``bound_scale``: all bounds times one number, wherever bounds are used."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from support import oracle

from likewise import AssignmentProblem, InvalidArgument, LikewiseClustering, Pairs, lower_bound
from likewise.frontier import frontier
from likewise.metrics import constrained_pairs, violations

X = np.random.default_rng(0).normal(size=(30, 2))
ROWS = np.array([3, 11, 20])


def bounds(similarity):
    """As they are defined."""
    D = cdist(X, X)
    if similarity == "global":
        return D / D.max()
    return np.minimum(D / np.sort(D, axis=1)[:, 10:11], 1)


def fitted(similarity, scale, **options):
    model = LikewiseClustering(
        3, centers=ROWS, similarity=similarity, bound_scale=scale, random_state=0, **options
    )
    return model.fit(X)


@pytest.mark.parametrize("similarity", ["global", "local"])
@pytest.mark.parametrize("scale", [0.4, 1.0, 2.5])
def test_the_optimum_under_scaled_bounds(similarity, scale):
    model = fitted(similarity, scale)
    i, j = np.nonzero(~np.eye(len(X), dtype=bool))
    cost = cdist(X, X[ROWS]) ** 2
    problem = AssignmentProblem(cost, Pairs(i, j, scale * bounds(similarity)[i, j]))
    oracle.assert_fair(problem, model.distributions_)
    assert model.objective_ == pytest.approx(oracle.oracle_objective(problem), rel=1e-6)


@pytest.mark.parametrize("similarity", ["global", "local"])
def test_it_is_what_the_frontier_shows(similarity):
    (point,) = frontier(X, 3, [2.0], centers=ROWS, similarity=similarity, tol=1e-8)
    assert fitted(similarity, 2.0).objective_ == pytest.approx(point.objective, rel=1e-6)


def test_users_own_bounds_are_scaled_too():
    own, named = fitted(0.7 * bounds("local"), 2.0), fitted("local", 1.4)
    assert own.objective_ == pytest.approx(named.objective_, rel=1e-6)


def test_zero_is_the_same_for_everybody():
    x = fitted("local", 0.0).distributions_
    np.testing.assert_allclose(x, x[:1].repeat(len(x), axis=0), atol=1e-12)


@pytest.mark.parametrize("scale", [0.4, 3.0])
def test_later_people_are_within_scaled_bounds(scale):
    model = fitted("global", scale)
    new = np.random.default_rng(1).normal(size=(8, 2))
    chances, factors = model.predict_proba(new, return_relaxation=True)
    bound = scale * cdist(new, X) / cdist(X, X).max()
    apart = 0.5 * np.abs(chances[:, None] - model.distributions_[None]).sum(axis=2)
    assert (apart <= bound * factors[:, None] + 1e-9).all()
    strict, _ = fitted("global", 1.0).predict_proba(new, return_relaxation=True)
    assert np.abs(chances - strict).max() > 1e-3  # the scale did play a part


def test_judged_by_the_same_number():
    model = fitted("local", 2.0)
    for scale, expected in [(2.0, 0), (1.0, 1)]:
        pairs = constrained_pairs(X, "local", n_clusters=3, bound_scale=scale)
        assert min(violations(model.distributions_, pairs).count, 1) == expected


def test_the_certificate_says_it():
    assert "those of the similarity times 2.5" in str(fitted("global", 2.5).certificate_)
    assert "times" not in str(fitted("global", 1.0).certificate_)


def test_larger_bounds_lower_the_bound_on_every_fair_clustering():
    strict, lenient = (lower_bound(X[:12], 2, bound_scale=scale) for scale in (0.5, 2.0))
    assert lenient.objective < strict.objective


@pytest.mark.parametrize("scale", [-1, np.inf, np.nan, "2", True])
def test_what_is_no_scale(scale):
    with pytest.raises(InvalidArgument, match="bound_scale"):
        fitted("local", scale)
