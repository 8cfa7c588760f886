"""Compiled from the distances on: the same answers as the path that is for every metric."""

import numpy as np
import pytest

from likewise import LikewiseClustering
from likewise.prediction.out_of_sample import OutOfSampleExtension

K = 3


def people(n, seed):
    random = np.random.default_rng(seed)
    return random.normal(size=(n, 2)) + 3 * random.integers(0, K, size=(n, 1))


def both_ways(model, new, groups=None):
    """(compiled from the distances on, block by block as for any metric)."""
    quickly = model.predict_proba(new, sensitive_features=groups, return_relaxation=True)
    extension = model._extension
    assert extension._quickly is not None
    slowly = OutOfSampleExtension(extension.people)
    slowly.__dict__["_quickly"] = None
    model._extension = slowly
    return quickly, model.predict_proba(new, sensitive_features=groups, return_relaxation=True)


@pytest.mark.parametrize("similarity", ["global", "local"])
@pytest.mark.parametrize(
    "options", [{}, {"n_neighbors": 9}, {"bound_scale": 0.4}, {"bound_scale": 2.5}]
)
def test_the_same_as_for_any_metric(similarity, options):
    model = LikewiseClustering(K, similarity=similarity, random_state=0, tol=1e-2, **options)
    model.fit(people(75, 0))  # two boxes, and a third that is not full
    quickly, slowly = both_ways(model, people(40, 1) * 1.3)
    np.testing.assert_allclose(quickly[1], slowly[1], rtol=1e-9)
    np.testing.assert_allclose(quickly[0], slowly[0], atol=1e-7)


def test_only_those_who_share_a_group_are_compared():
    X, new = people(70, 2), people(30, 3)
    groups, later = np.arange(70) % 3, np.arange(30) % 4  # nobody of group 3 was fitted
    model = LikewiseClustering(K, individual="within-groups", random_state=0, tol=1e-2)
    model.fit(X, sensitive_features=groups)
    with pytest.warns(UserWarning, match="nobody had"):
        quickly, slowly = both_ways(model, new, later)
    np.testing.assert_allclose(quickly[0], slowly[0], atol=1e-7)
    np.testing.assert_array_equal(quickly[0][later == 3].max(axis=1), 1.0)


def test_rows_that_were_fitted_get_their_own_back_to_the_bit():
    X = people(100, 4)
    X[50] = X[7]
    model = LikewiseClustering(K, similarity="local", random_state=0).fit(X)
    np.testing.assert_array_equal(model.predict_proba(X[::-1]), model.distributions_[::-1])


def test_rows_too_far_away_to_be_squared_are_refused_as_ever():
    model = LikewiseClustering(2, random_state=0).fit(people(20, 5))
    with pytest.raises(ValueError, match="infinite"):
        model.predict_proba(np.full((1, 2), 1e200))
