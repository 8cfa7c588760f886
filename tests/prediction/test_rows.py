"""Mixed columns in a whole fit, and for people who come later."""

import pickle

import numpy as np
import pandas as pd
import pytest
from scipy.spatial.distance import cdist

from likewise import LikewiseClustering

N = 40


@pytest.fixture
def people():
    rng = np.random.default_rng(0)
    table = pd.DataFrame(
        {
            "age": rng.integers(18, 70, N).astype(float),
            "job": rng.choice(["nurse", "clerk", "cook"], N),
            "member": rng.random(N) < 0.5,
        }
    )
    table.loc[3, "age"] = np.nan
    table.loc[7, "job"] = None
    return table


@pytest.mark.parametrize("divergence", ["tv", "kl"])
def test_gower_is_fair_to_mixed_columns(people, divergence, tmp_path):
    model = LikewiseClustering(
        3, metric="gower", divergence=divergence, similarity="global", tol=1e-3, random_state=0
    ).fit(people)
    assert model.certificate_.is_fair
    assert model.feature_names_in_.tolist() == ["age", "job", "member"]
    i, j = np.triu_indices(N, 1)
    age = people.age.to_numpy()
    parts = [np.abs(age[i] - age[j]) / (np.nanmax(age) - np.nanmin(age))]
    parts += [np.where(_lack(people[c], i, j), np.nan, _differ(people[c], i, j)) for c in COLUMNS]
    distance = np.nanmean(parts, axis=0)
    bound = distance / distance.max()
    if divergence == "tv":
        x = model.distributions_
        assert (0.5 * np.abs(x[i] - x[j]).sum(axis=1) <= bound + 1e-9).all()
    chances = model.predict_proba(people.iloc[:6])
    np.testing.assert_allclose(chances, model.distributions_[:6], atol=1e-9)
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.predict(people), model.predict(people))
    model.save(tmp_path / "model")
    kept = LikewiseClustering.load(tmp_path / "model")
    np.testing.assert_array_equal(kept.predict_proba(people[:5]), model.predict_proba(people[:5]))
    assert model.transform(people).shape == (N, 3)
    newcomer = people.iloc[:1].assign(job="pilot")
    assert model.predict_proba(newcomer).sum() == pytest.approx(1.0)


COLUMNS = ("job", "member")


def _lack(column, i, j):
    missing = column.isna().to_numpy()
    return missing[i] | missing[j]


def _differ(column, i, j):
    values = column.astype(str).to_numpy()
    return (values[i] != values[j]).astype(float)


def test_other_metrics_want_numbers_as_before(people):
    with pytest.raises(ValueError, match=r"could not convert|NaN"):
        LikewiseClustering(3, metric="manhattan").fit(people)


@pytest.mark.parametrize("metric", ["manhattan", "chebyshev", "cosine", "precomputed"])
def test_metrics_agree_with_the_table_of_their_distances(metric):
    """The same bounds, whether distances are computed or given."""
    X = np.random.default_rng(1).normal(size=(N, 3))
    names = {"manhattan": "cityblock", "precomputed": "euclidean"}
    table = cdist(X, X, names.get(metric, metric))
    np.fill_diagonal(table, 0.0)
    rows = table if metric == "precomputed" else X
    kept = dict(similarity="global", centers=np.array([0, 1, 2]), max_refine=0)
    one = LikewiseClustering(3, metric=metric, **kept).fit(rows)
    other = LikewiseClustering(3, metric="precomputed", **kept).fit(np.maximum(table, table.T))
    assert one.objective_ == pytest.approx(other.objective_, rel=1e-9)
    assert one.certificate_.is_fair
