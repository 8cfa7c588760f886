"""Metrics by name: every one that is offered works, on what it is for."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.metrics import pairwise_distances

from likewise import InvalidArgument, LikewiseClustering
from likewise.geometry.distances import Distances
from likewise.geometry.named import OFFERED, YES_OR_NO

NUMBERS = np.random.default_rng(0).normal(size=(30, 2)) ** 2 + 0.1
ANSWERS = np.random.default_rng(0).integers(0, 2, (30, 8)).astype(float)
ANSWERS[:2], ANSWERS[2:4] = 0.0, 1.0  # nothing but no, nothing but yes: formulas divide by zero


def data_for(metric):
    return ANSWERS if metric in YES_OR_NO else NUMBERS


@pytest.mark.parametrize("stored", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize("metric", [name for name in OFFERED if name != "precomputed"])
@pytest.mark.filterwarnings("ignore:n_clusters")  # two numbers correlate wholly or not at all
@pytest.mark.filterwarnings("ignore:stopped at a gap")  # and cost nothing then
def test_what_is_offered_works(metric, stored):
    X = stored(data_for(metric))
    model = LikewiseClustering(3, metric=metric, random_state=0).fit(X)
    assert model.certificate_.is_fair
    assert Distances(X, metric).at(np.array([0]), np.array([0])) == 0


@pytest.mark.parametrize("metric", YES_OR_NO)
def test_yes_and_no_as_scikit_learn_has_it(metric):
    """But for identical rows: they are at distance zero."""
    with np.errstate(invalid="ignore"):
        expected = pairwise_distances(ANSWERS.astype(bool), metric=metric)
    same = (ANSWERS[:, None] == ANSWERS[None]).all(axis=-1)
    expected[same] = 0.0
    assert same.sum() > len(ANSWERS)
    np.testing.assert_allclose(Distances(ANSWERS, metric).rows(0, 30), expected)


@pytest.mark.parametrize("metric", YES_OR_NO)
def test_numbers_are_no_answers(metric):
    for X in (NUMBERS, sparse.csr_array(NUMBERS)):
        with pytest.raises(InvalidArgument, match=f"metric: '{metric}' compares .* 0 and 1"):
            Distances(X, metric)
    model = LikewiseClustering(2, metric=metric, centers=[0, 2]).fit(ANSWERS)
    with pytest.raises(InvalidArgument, match="0 and 1"):
        model.predict_proba(2 * ANSWERS)


@pytest.mark.parametrize(
    ("metric", "X", "problem"),
    [
        ("wminkowski", NUMBERS, "'wminkowski' is not known"),
        ("haversine", ANSWERS, "latitude and longitude, but X has 8 columns"),
        ("mahalanobis", np.c_[NUMBERS, NUMBERS.sum(axis=1)], "follows from others"),
    ],
)
def test_what_is_refused(metric, X, problem):
    with pytest.raises(InvalidArgument, match=problem) as refused:
        Distances(X, metric)
    assert "wminkowski" not in refused.value.remedy
