import pickle

import numpy as np
import pytest
from scipy import sparse
from scipy.spatial.distance import cdist
from sklearn.metrics import pairwise_distances

from likewise.errors import InvalidArgument
from likewise.fitting.checkpoint import digest_of
from likewise.geometry import distances as module
from likewise.geometry.distances import Distances

RNG = np.random.default_rng(0)
X = RNG.normal(size=(40, 3))


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    monkeypatch.setattr(module, "BLOCK_CELLS", 7 * 40)


@pytest.mark.parametrize(
    "metric", ["euclidean", "l1", "chebyshev", "cosine", "seuclidean", "mahalanobis", "canberra"]
)
def test_blocks_are_the_whole_table(metric):
    expected = pairwise_distances(X, metric=metric)
    blocks = [block for _, _, block in Distances(X, metric).blocks()]
    assert len(blocks) > 1
    np.testing.assert_allclose(np.concatenate(blocks), expected, rtol=1e-9, atol=1e-7)


def test_callable_metric():
    ours = Distances(X, lambda a, b: abs(a - b).sum()).rows(0, 5)
    np.testing.assert_allclose(ours, cdist(X[:5], X, "cityblock"))


def test_identical_rows_are_at_distance_zero():
    twice = np.concatenate([X, X]) * 1e6
    assert (Distances(twice).rows(0, 40)[np.arange(40), np.arange(40, 80)] == 0).all()


def test_single_pairs():
    i, j = RNG.integers(0, 40, 100), RNG.integers(0, 40, 100)
    np.testing.assert_allclose(Distances(X).at(i, j), cdist(X, X)[i, j])
    assert len(Distances(X).at(i[:0], j[:0])) == 0


def test_sparse_equals_dense():
    thin = sparse.random_array((30, 8), density=0.2, rng=1, format="csr")
    dense = thin.toarray()
    np.testing.assert_allclose(Distances(thin).rows(3, 9), Distances(dense).rows(3, 9))
    i, j = np.array([3, 4, 3]), np.array([9, 9, 3])
    np.testing.assert_allclose(Distances(thin).at(i, j), Distances(dense).at(i, j))


def test_duplicate_classes():
    rows = np.array([[1.0], [2.0], [1.0], [3.0], [2.0]])
    for source in (Distances(rows), Distances(cdist(rows, rows), "precomputed")):
        assert source.duplicate_classes().tolist() == [0, 1, 0, 2, 1]
        assert source.distinct_rows().tolist() == [0, 1, 3]


@pytest.mark.parametrize("stored", [np.asarray, sparse.csr_array])
def test_rows_in_the_same_direction_are_at_distance_zero(stored):
    """Under cosine; rounding would leave 1e-16 between them, and a bound that nobody can keep."""
    directions = np.random.default_rng(0).normal(size=(6, 5))
    X = np.vstack([directions, 3.7 * directions, 1e-5 * directions])
    distances = Distances(stored(X), "cosine")
    table = distances.rows(0, len(X))
    same = np.arange(18)[:, None] % 6 == np.arange(18)[None, :] % 6
    assert (table[same] == 0).all()
    assert table[~same].min() > 1e-3
    assert distances.at(np.array([0, 1]), np.array([6, 8]))[0] == 0


@pytest.mark.parametrize("stored", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize("spread", [1e-1, 1e-3, 1e-5, 1e-7])
def test_cosines_of_nearly_parallel_rows(stored, spread):
    """To nine digits, against numbers of more digits: 1 - cos has none left at 1e-16."""
    X = 1.0 + spread * np.random.default_rng(0).normal(size=(20, 4))
    long = X.astype(np.longdouble)
    unit = long / np.sqrt((long * long).sum(axis=1, keepdims=True))
    expected = 0.5 * ((unit[:, None] - unit[None]) ** 2).sum(axis=-1)
    found = Distances(stored(X), "cosine").rows(0, 20)
    np.testing.assert_allclose(found, expected.astype(float), rtol=2e-8 if spread < 1e-6 else 1e-9)


@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
def test_duplicate_classes_of_sparse_rows(metric):
    """By their entries, as those of dense rows: rounding can keep them apart by the metric."""
    dense = np.random.default_rng(0).normal(size=(5, 40))[[0, 1, 0, 2, 3, 1, 4, 4]]
    dense[0, :20] = dense[2, :20] = 0.0
    stored = sparse.csr_array(dense)
    twice = sparse.csr_array((np.r_[1.0, 0.0], np.array([3, 7]), np.array([0, 1, 2])), (2, 40))
    assert stored.nnz < dense.size
    expected = [0, 1, 0, 2, 3, 1, 4, 4]
    assert Distances(stored, metric).duplicate_classes().tolist() == expected
    assert Distances(dense, metric).duplicate_classes().tolist() == expected
    with_zero = sparse.vstack([twice, sparse.csr_array((1, 40))], format="csr")
    assert Distances(with_zero).duplicate_classes().tolist() == [0, 1, 1]


@pytest.mark.parametrize(
    ("matrix", "problem"),
    [
        (np.ones((2, 3)), "square"),
        (-1.0 + np.eye(3), "negative"),
        (np.ones((3, 3)), "diagonal"),
        (np.triu(np.ones((3, 3)), 1), "symmetric"),
    ],
)
def test_bad_precomputed(matrix, problem):
    with pytest.raises(InvalidArgument, match=problem):
        Distances(matrix, "precomputed")


def test_precomputed_distances_are_left_alone():
    table = cdist(X, X)
    table.setflags(write=False)
    source = Distances(table, "precomputed")
    source.rows(0, 5)[:] = 7.0
    np.testing.assert_array_equal(source.rows(0, 5), table[:5])
    np.testing.assert_array_equal(source.to_rows(np.array([3, 1])), table[:, [3, 1]])


@pytest.mark.parametrize("metric", ["euclidean", "seuclidean", "mahalanobis"])
def test_some_rows_keep_the_parameters_of_all(metric):
    rows = np.array([3, 8, 21, 22])
    of_all = Distances(X, metric).rows(0, 40)[np.ix_(rows, rows)]
    np.testing.assert_allclose(Distances(X, metric).among(rows).rows(0, 4), of_all, atol=1e-12)


def test_some_rows_of_precomputed_distances():
    table, rows = cdist(X, X), np.array([3, 8, 21])
    some = Distances(table, "precomputed").among(rows)
    np.testing.assert_array_equal(some.rows(0, 3), table[np.ix_(rows, rows)])


def test_some_rows_forget_the_duplicates_of_all():
    source = Distances(np.array([[1.0], [2.0], [1.0], [3.0]]))
    assert source.duplicate_classes().tolist() == [0, 1, 0, 2]
    assert source.among(np.array([1, 2, 3])).duplicate_classes().tolist() == [0, 1, 2]


def test_to_and_from_points():
    points = RNG.normal(size=(4, 3))
    np.testing.assert_array_equal(Distances(X).to_points(points), cdist(X, points))
    np.testing.assert_array_equal(Distances(X).from_points(points), cdist(points, X))
    np.testing.assert_array_equal(Distances(X).to_rows(np.array([7, 2])), cdist(X, X[[7, 2]]))


def test_distances_travel_without_an_executor():
    again = pickle.loads(pickle.dumps(Distances(X, "l1")))
    np.testing.assert_array_equal(again.rows(0, 5), Distances(X, "l1").rows(0, 5))


def test_unknown_metric_names_the_nearest():
    with pytest.raises(InvalidArgument, match="'euclidean'"):
        Distances(X, "euclidian")


def test_fingerprints_tell_rows_and_metrics_apart():
    rows = np.eye(4)
    sources = [
        Distances(rows),
        Distances(2 * rows),
        Distances(rows, "manhattan"),
        Distances(sparse.csr_array(rows)),
        Distances(sparse.csr_array(rows[::-1])),
    ]
    digests = [digest_of(source.fingerprint()) for source in sources]
    assert len(set(digests)) == len(sources)
    assert digests[0] == digest_of(Distances(rows.copy()).fingerprint())
