"""A model from another version says so when it is read."""

import pickle
import warnings

import numpy as np
import pytest

from likewise import LikewiseClustering
from likewise.io import pickled


@pytest.fixture(scope="module")
def model():
    X = np.random.default_rng(0).normal(size=(20, 2))
    return LikewiseClustering(2, similarity="local", random_state=0).fit(X)


def test_the_same_version_says_nothing(model):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.distributions_, model.distributions_)
    assert vars(again).keys() == vars(model).keys()


def test_another_version_is_named(model, monkeypatch):
    monkeypatch.setattr(pickled, "__version__", "0.0.7")
    content = pickle.dumps(model)
    monkeypatch.undo()
    with pytest.warns(pickled.VersionWarning, match=r"written by likewise 0\.0\.7, this is .* Fit"):
        pickle.loads(content)


def test_models_from_before_versions_were_kept(model):
    state = model.__getstate__()
    del state["_likewise_version"]
    with pytest.warns(pickled.VersionWarning, match="0.1.0 or older"):
        LikewiseClustering().__setstate__(state)
