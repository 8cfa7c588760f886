import numpy as np
import pytest
from scipy import sparse
from scipy.spatial.distance import cdist
from sklearn.metrics import pairwise_distances

from likewise.errors import InvalidArgument
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


def test_largest():
    assert Distances(X).largest() == cdist(X, X).max()


def test_neighbors_include_all_ties():
    line = np.arange(6.0)[:, None]
    i, j, d = Distances(line).neighbors(1)
    assert sorted(zip(i.tolist(), j.tolist(), strict=True)) == sorted(
        (a, b) for a in range(6) for b in range(6) if abs(a - b) == 1
    )
    assert (d == 1).all()


def test_neighbors_never_include_the_point_itself():
    same = np.zeros((5, 2))
    i, j, _ = Distances(same).neighbors(2)
    assert len(i) == 20
    assert (i != j).all()


def test_neighbor_radius():
    table = np.sort(cdist(X, X), axis=1)
    np.testing.assert_allclose(Distances(X).neighbor_radius(4), table[:, 4])


def test_sparse_equals_dense():
    thin = sparse.random_array((30, 8), density=0.2, rng=1, format="csr")
    dense = thin.toarray()
    np.testing.assert_allclose(Distances(thin).rows(3, 9), Distances(dense).rows(3, 9))
    assert Distances(thin).largest() == pytest.approx(Distances(dense).largest())


def test_twins():
    rows = np.array([[1.0], [2.0], [1.0], [3.0], [2.0]])
    for source in (Distances(rows), Distances(cdist(rows, rows), "precomputed")):
        assert source.twins().tolist() == [0, 1, 0, 2, 1]


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
    _, j, d = Distances(table, "precomputed").neighbors(3)
    np.testing.assert_array_equal(np.sort(d), np.sort(Distances(X).neighbors(3)[2]))
    assert len(j) == 120


def test_unknown_metric_names_the_nearest():
    with pytest.raises(InvalidArgument, match="'euclidean'"):
        Distances(X, "euclidian")


def test_overflowing_distances_are_an_error():
    with pytest.raises(InvalidArgument, match="infinite"):
        Distances(X * 1e200).largest()


@pytest.mark.parametrize("n_neighbors", [1, 6, 12, 39])
def test_neighbors_by_tree_are_those_by_brute_force(n_neighbors, monkeypatch):
    """Over several blocks of rows."""
    found = np.lexsort(Distances(X).neighbors(n_neighbors)[1::-1])
    by_tree = [column[found] for column in Distances(X).neighbors(n_neighbors)]
    monkeypatch.setattr(module, "TREE_DIMENSIONS", 0)
    by_force = Distances(X).neighbors(n_neighbors)
    np.testing.assert_array_equal(by_tree[0], by_force[0])
    np.testing.assert_array_equal(by_tree[1], by_force[1])
    np.testing.assert_allclose(by_tree[2], by_force[2], rtol=1e-12)
