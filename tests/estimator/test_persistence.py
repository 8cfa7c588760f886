"""A model in a file: the same model again, and nothing but a model."""

import json
import zipfile
from datetime import date

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from likewise import FDivergence, InvalidArgument, LikewiseClustering, Pairs, TotalVariation
from likewise.io import archive

X = np.random.default_rng(0).normal(size=(40, 3))
NEW = np.random.default_rng(1).normal(size=(7, 3))
SEX = np.array(["f", "m"])[np.arange(40) % 2]


def saved(path, sensitive_features=None, sample_weight=None, rows=X, **options):
    model = LikewiseClustering(3, random_state=0, **options)
    model.fit(rows, sensitive_features=sensitive_features, sample_weight=sample_weight)
    model.save(path / "model")
    return model, LikewiseClustering.load(path / "model")


def assert_same(model, again):
    """Parameters and attributes, to the bit."""
    for name, value in model.get_params().items():
        if name not in ("divergence", "similarity"):  # by name, or pairs, which are compared below
            np.testing.assert_equal(getattr(again, name), value)
    attributes = {name for name in vars(model) if name.endswith("_") and name[0] != "_"}
    assert attributes == {name for name in vars(again) if name.endswith("_") and name[0] != "_"}
    for name in attributes:
        found, expected = getattr(again, name), getattr(model, name)
        if name == "duals_":
            found, expected = vars(found), vars(expected)
        np.testing.assert_equal(found, expected)
    assert str(again.certificate_) == str(model.certificate_)


def assert_same_chances(found, expected):
    """Distributions and factors of relaxation, to the bit."""
    for each, other in zip(found, expected, strict=True):
        np.testing.assert_array_equal(each, other)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"similarity": "local"},
        {"similarity": "local", "bound_scale": 0.5},
        {"similarity": "global", "bound_scale": 2.0},
        {"similarity": "local", "bound_scale": 0.0},
        {"n_neighbors": 6, "p": 1, "metric": "seuclidean"},
        {"p": np.inf},
        {"divergence": "kl", "tol": 1e-2},
        {"divergence": TotalVariation(), "centers": np.array([1, 5, 9])},
    ],
    ids=str,
)
def test_the_same_model_and_the_same_predictions(tmp_path, options):
    model, again = saved(tmp_path, **options)
    assert_same(model, again)
    told = dict(return_relaxation=True)
    assert_same_chances(again.predict_proba(NEW, **told), model.predict_proba(NEW, **told))


def test_groups_weights_and_names(tmp_path):
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    weights = np.arange(40.0) % 3
    model, again = saved(tmp_path, SEX, weights, frame, group_tolerance=0.3)
    assert_same(model, again)
    assert again.group_bounds_.keys() == model.group_bounds_.keys()
    new = pd.DataFrame(NEW, columns=["a", "b", "c"])
    told = dict(sensitive_features=SEX[:7], return_relaxation=True)
    assert_same_chances(again.predict_proba(new, **told), model.predict_proba(new, **told))
    with pytest.raises(ValueError, match="feature names"):
        again.predict_proba(new[["c", "b", "a"]], **told)


def test_sparse_rows_and_listed_pairs(tmp_path):
    pairs = Pairs([0, 1], [1, 2], [0.1, 0.2])
    model, again = saved(tmp_path, rows=sparse.csr_array(X), similarity=pairs)
    assert_same(model, again)
    np.testing.assert_array_equal(again.similarity.bound, pairs.bound)


def test_it_can_be_fitted_again(tmp_path):
    model, again = saved(tmp_path, similarity="local", engine="local")
    np.testing.assert_array_equal(again.fit(X).distributions_, model.distributions_)


def test_groups_may_be_dates(tmp_path):
    born = np.array([date(1990, 1, 1), date(2000, 2, 29)], dtype=object)[np.arange(40) % 2]
    model, again = saved(tmp_path, list(born), group_tolerance=0.5)
    assert again.group_bounds_ == model.group_bounds_


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("similarity", lambda a, b: 1.0),
        ("metric", lambda a, b: float(np.abs(a - b).max())),
        ("divergence", FDivergence(lambda t: (t - 1) ** 2)),
        ("random_state", np.random.RandomState(0)),
    ],
)
def test_functions_are_no_data(tmp_path, name, value):
    model = LikewiseClustering(2, **{name: value}).fit(X[:10])
    with pytest.raises(InvalidArgument, match=rf"{name}: .* is not plain data"):
        model.save(tmp_path / "model")
    assert not (tmp_path / "model").exists()


def test_the_same_model_is_the_same_file(tmp_path):
    _, again = saved(tmp_path)
    again.save(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == (tmp_path / "model").read_bytes()


def test_whatever_byte_is_damaged_no_other_model_is_read(tmp_path):
    """Bytes of a zip archive that say nothing of the content (dates) change nothing."""
    model, _ = saved(tmp_path)
    whole, refused, tried = (tmp_path / "model").read_bytes(), 0, 0
    for place in range(11, len(whole), len(whole) // 60):
        content = bytearray(whole)
        content[place] ^= 0xFF
        (tmp_path / "model").write_bytes(content)
        tried += 1
        try:
            again = LikewiseClustering.load(tmp_path / "model")
        except InvalidArgument:
            refused += 1
        else:
            assert_same(model, again)
    assert refused > 0.7 * tried


@pytest.mark.parametrize("member", ["content.json", "arrays/0.npy"])
def test_damaged_content_is_refused(tmp_path, member):
    saved(tmp_path)
    with zipfile.ZipFile(tmp_path / "model") as file:
        written = file.read(member)
    whole = (tmp_path / "model").read_bytes()
    changed = bytearray(written)
    changed[len(changed) // 2] ^= 0x01
    (tmp_path / "model").write_bytes(whole.replace(written, bytes(changed)))
    with pytest.raises(InvalidArgument, match="damaged"):
        LikewiseClustering.load(tmp_path / "model")


def test_what_was_changed_by_hand_is_refused(tmp_path):
    """A whole zip archive, every checksum of its own right, but for ours."""
    saved(tmp_path)
    with zipfile.ZipFile(tmp_path / "model") as file:
        members = {name: file.read(name) for name in file.namelist()}
    head = json.loads(members["content.json"])
    for key, value, problem in [
        ("likewise", "9.9", "damaged"),
        ("kind", "cat", "holds a cat"),
        ("version", archive.VERSION + 1, "was written by likewise"),
    ]:
        with zipfile.ZipFile(tmp_path / "other", "w") as file:
            for name, content in members.items():
                changed = json.dumps(head | {key: value}) if name == "content.json" else content
                file.writestr(name, changed)
        with pytest.raises(InvalidArgument, match=problem):
            LikewiseClustering.load(tmp_path / "other")


def test_not_there_and_not_fitted(tmp_path):
    from sklearn.exceptions import NotFittedError

    with pytest.raises(FileNotFoundError, match="nowhere"):
        LikewiseClustering.load(tmp_path / "nowhere")
    with pytest.raises(NotFittedError):
        LikewiseClustering().save(tmp_path / "model")
