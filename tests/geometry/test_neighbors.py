"""Neighbours, against all distances sorted; by tree, by block and in parts."""

import numpy as np
import pytest
from scipy import sparse
from scipy.spatial.distance import cdist
from support.executors import InParts

from likewise.compute.executor import LOCAL
from likewise.errors import InvalidArgument
from likewise.geometry import distances as blocks_module
from likewise.geometry import kernels
from likewise.geometry import neighbors as module
from likewise.geometry.distances import Distances
from likewise.geometry.neighbors import is_within, kth_smallest, neighbor_radius, neighbors

X = np.random.default_rng(0).normal(size=(40, 3))
EXECUTORS = pytest.mark.parametrize("executor", [LOCAL, InParts(3), InParts(11)])


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    monkeypatch.setattr(blocks_module, "BLOCK_CELLS", 7 * 40)
    monkeypatch.setattr(module, "TREE_CELLS", 7 * 40)


def in_order(found):
    order = np.lexsort((found.j, found.i))
    return [column[order] for column in found]


def others(metric):
    table = cdist(X, X, metric)
    np.fill_diagonal(table, np.inf)
    return table


def test_ties_are_all_included():
    line = np.arange(6.0)[:, None]
    i, j, d = neighbors(Distances(line), 1)
    assert sorted(zip(i.tolist(), j.tolist(), strict=True)) == sorted(
        (a, b) for a in range(6) for b in range(6) if abs(a - b) == 1
    )
    assert (d == 1).all()


@pytest.mark.parametrize("dimensions", [16, 0], ids=["tree", "blocks"])
def test_ties_but_for_the_last_bits(dimensions, monkeypatch):
    monkeypatch.setattr(module, "TREE_DIMENSIONS", dimensions)
    a_hair_more = np.nextafter(1.0, 2.0)
    points = np.array([[0.0], [1.0], [-a_hair_more], [5.0]])
    i, j, _ = neighbors(Distances(points), 1)
    assert set(j[i == 0].tolist()) == {1, 2}


def test_a_point_is_no_neighbor_of_itself():
    same = np.zeros((5, 2))
    i, j, _ = neighbors(Distances(same), 2)
    assert len(i) == 20
    assert (i != j).all()


@EXECUTORS
@pytest.mark.parametrize(("metric", "name"), [("euclidean", "euclidean"), ("l1", "cityblock")])
def test_neighbors_are_the_nearest_rows(metric, name, executor):
    table = others(name)
    near = table <= np.sort(table, axis=1)[:, 4:5]
    found = in_order(neighbors(Distances(X, metric), 5, executor))
    np.testing.assert_array_equal(found[0], np.nonzero(near)[0])
    np.testing.assert_array_equal(found[1], np.nonzero(near)[1])
    np.testing.assert_allclose(found[2], table[near], rtol=1e-12)


@EXECUTORS
@pytest.mark.parametrize(("metric", "name"), [("euclidean", "euclidean"), ("l1", "cityblock")])
def test_neighbor_radius(metric, name, executor):
    radius = neighbor_radius(Distances(X, metric), 4, executor)
    np.testing.assert_allclose(radius, np.sort(others(name), axis=1)[:, 3], rtol=1e-14)
    np.testing.assert_array_equal(radius, neighbor_radius(Distances(X, metric), 4))


@pytest.mark.parametrize("n_neighbors", [1, 6, 12, 39])
def test_neighbors_by_tree_are_those_by_block(n_neighbors, monkeypatch):
    """Over several blocks of rows."""
    by_tree = in_order(neighbors(Distances(X), n_neighbors))
    monkeypatch.setattr(module, "TREE_DIMENSIONS", 0)
    by_block = neighbors(Distances(X), n_neighbors)
    np.testing.assert_array_equal(by_tree[0], by_block.i)
    np.testing.assert_array_equal(by_tree[1], by_block.j)
    np.testing.assert_allclose(by_tree[2], by_block.distance, rtol=1e-12)


def test_sparse_and_precomputed_equal_dense():
    dense = in_order(neighbors(Distances(X), 6))
    table = cdist(X, X)
    table.setflags(write=False)
    for source in (Distances(sparse.csr_array(X)), Distances(table, "precomputed")):
        found = in_order(neighbors(source, 6))
        np.testing.assert_array_equal(found[:2], dense[:2])
        np.testing.assert_allclose(found[2], dense[2], rtol=1e-12)


def test_overflowing_distances_are_an_error():
    for ask in (neighbors, neighbor_radius):
        with pytest.raises(InvalidArgument, match="infinite"):
            ask(Distances(X * 1e200), 3)


def test_kth_smallest_counts_from_one():
    table = np.array([[3.0, 1.0, 2.0], [5.0, 5.0, 4.0]])
    assert kth_smallest(table, 1).tolist() == [1.0, 4.0]
    assert kth_smallest(table, 2).tolist() == [2.0, 5.0]
    assert table.tolist() == [[3.0, 1.0, 2.0], [5.0, 5.0, 4.0]]


def test_within_a_radius():
    distances = np.array([1.0, np.nextafter(1.0, 2.0), 1.0 + 1e-9])
    assert is_within(distances, np.array(1.0)).tolist() == [True, True, False]


@pytest.mark.parametrize("guess", [0.0, 1e-320, 1e-3, 0.5, 7.0, 1e300, np.inf])
def test_the_mth_smallest_is_the_same_with_any_guess(guess):
    random = np.random.default_rng(0)
    for values in (random.random(40), np.zeros(40), np.r_[random.random(20), np.full(20, np.inf)]):
        values[:5] = values[5:10]  # ties
        room = np.empty(40), np.empty(kernels.BINS, dtype=np.int64)
        found = [kernels.mth_smallest(values, m, guess, *room) for m in range(1, 41)]
        np.testing.assert_array_equal(found, np.sort(values))


@pytest.mark.parametrize("n_neighbors", [1, 3, 20])
def test_ties_that_go_on_are_all_found(n_neighbors):
    random = np.random.default_rng(0)
    grid = random.integers(0, 4, size=(300, 3)).astype(float)  # many equal rows and distances
    alone = np.array([[50.0, 50.0, 50.0]])
    distances = Distances(np.vstack([grid, alone]))
    found = neighbors(distances, n_neighbors)
    table = distances.rows(0, distances.n_points)
    np.fill_diagonal(table, np.inf)
    radius = np.sort(table, axis=1)[:, n_neighbors - 1]
    i, j = np.nonzero(table <= radius[:, None] * (1 + 1e-12))
    assert set(zip(found.i, found.j, strict=True)) == set(zip(i, j, strict=True))
    assert len(found.i) == len(i)
    np.testing.assert_allclose(found.distance, table[found.i, found.j], rtol=1e-12)
