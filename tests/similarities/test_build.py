import numpy as np
import pytest
from scipy import sparse
from scipy.spatial.distance import cdist

from likewise import Pairs
from likewise.errors import InvalidArgument
from likewise.geometry.distances import Distances
from likewise.similarities import build as module
from likewise.similarities.build import build_pairs

X = np.random.default_rng(3).normal(size=(30, 2))
D = cdist(X, X)


def table_of(source, n=30):
    """The bounds of a source as a matrix, infinite where there are none."""
    table = np.full((n, n), np.inf)
    for block in source.blocks():
        places = np.arange(block.bound.size)
        i, j = block.pairs_at(places)
        table[i, j] = block.bound.ravel()
    return table


def build(similarity, n_neighbors=None, n_clusters=4):
    return table_of(
        build_pairs(similarity, Distances(X), n_clusters=n_clusters, n_neighbors=n_neighbors)
    )


def off_diagonal(table):
    table = table.copy()
    np.fill_diagonal(table, np.inf)
    return table


def nearest(m):
    order = D + np.diag(np.full(len(D), np.inf))
    return order <= np.sort(order, axis=1)[:, m - 1 : m]


def test_global():
    np.testing.assert_allclose(build("global"), off_diagonal(D / D.max()))


def test_global_among_neighbors():
    expected = np.where(nearest(5), D / D.max(), np.inf)
    np.testing.assert_allclose(build("global", n_neighbors=5), expected)


def test_local():
    radius = np.sort(D, axis=1)[:, 30 // 4, None]
    np.testing.assert_allclose(build("local"), off_diagonal(np.minimum(D / radius, 1)))


def test_local_is_not_symmetric():
    table = build("local")
    assert not np.allclose(table, table.T)


def test_local_among_duplicates():
    rows = np.repeat([[0.0], [1.0]], 5, axis=0)
    source = build_pairs("local", Distances(rows), n_clusters=3)
    table = table_of(source, 10)
    assert (table[:5, :5][~np.eye(5, dtype=bool)] == 0).all()
    assert (table[:5, 5:] == 1).all()


def test_matrix():
    bounds = np.random.default_rng(0).random((30, 30))
    np.testing.assert_array_equal(build(bounds), off_diagonal(bounds))
    np.testing.assert_array_equal(
        build(bounds, n_neighbors=3), np.where(nearest(3), bounds, np.inf)
    )


def test_sparse_matrix_constrains_stored_entries_only():
    bounds = sparse.coo_array(([0.5, 0.0], ([1, 2], [3, 4])), shape=(30, 30))
    table = build(bounds)
    assert table[1, 3] == 0.5
    assert table[2, 4] == 0.0
    assert np.isfinite(table).sum() == 2


def test_pairs():
    assert np.isfinite(build(Pairs([0], [1], [0.2]))).sum() == 1


@pytest.mark.parametrize("table_rows", [4000, 0])
@pytest.mark.parametrize(
    "function",
    [
        lambda a, b: float(np.abs(a - b).sum()),
        lambda A, B: cdist(A, B, "cityblock"),
        lambda Z: cdist(Z, Z, "cityblock"),
    ],
    ids=["two points", "two blocks", "all at once"],
)
def test_callables(function, table_rows, monkeypatch):
    monkeypatch.setattr(module, "TABLE_ROWS", table_rows)
    expected = cdist(X, X, "cityblock")
    np.testing.assert_allclose(build(function), off_diagonal(expected))
    among = build(function, n_neighbors=4)
    np.testing.assert_allclose(among, np.where(nearest(4), expected, np.inf))


@pytest.mark.parametrize(
    ("similarity", "problem"),
    [
        ("globl", "'global'"),
        (np.ones((29, 30)), "shape"),
        (sparse.csr_array((3, 3)), "shape"),
        (-np.ones((30, 30)), "negative"),
        (np.full((30, 30), np.nan), "NaN"),
        (Pairs([0], [30], [0.1]), "row 30"),
        (lambda a, b: -1.0, "negative"),
        (lambda a, b: "no", "failed"),
        (lambda A, B: np.ones((2, 2)), "shape"),
        (object(), "not a similarity"),
    ],
)
def test_bad_similarity(similarity, problem):
    with pytest.raises(InvalidArgument, match=problem):
        build(similarity)
