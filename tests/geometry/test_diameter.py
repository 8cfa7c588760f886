"""The largest distance, against all distances."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from scipy.spatial.distance import cdist
from support.executors import InParts

from likewise.compute.executor import LOCAL
from likewise.errors import InvalidArgument
from likewise.geometry import distances as blocks_module
from likewise.geometry.diameter import diameter
from likewise.geometry.distances import Distances


@given(
    st.integers(0, 10_000),
    st.integers(1, 60),
    st.integers(1, 5),
    st.sampled_from([LOCAL, InParts(3)]),
)
def test_largest_of_all(seed, n, d, executor):
    X = np.random.default_rng(seed).normal(size=(n, d)).round(1)
    largest = diameter(Distances(X), executor)
    assert largest == pytest.approx(cdist(X, X).max(), rel=1e-15)
    assert largest == diameter(Distances(X))


@pytest.mark.parametrize("executor", [LOCAL, InParts(4)])
@pytest.mark.parametrize("metric", ["cityblock", "chebyshev", "cosine"])
def test_other_metrics_by_block(metric, executor, monkeypatch):
    monkeypatch.setattr(blocks_module, "BLOCK_CELLS", 7 * 40)
    X = np.random.default_rng(1).normal(size=(40, 3))
    expected = cdist(X, X, metric).max()
    assert diameter(Distances(X, metric), executor) == pytest.approx(expected, rel=1e-12)


def test_points_on_a_circle_are_all_candidates():
    """Nobody is nearer to the middle than anybody else: every pair must be looked at."""
    angle = np.linspace(0, 2 * np.pi, 101)
    X = np.column_stack([np.cos(angle), np.sin(angle)])
    assert diameter(Distances(X)) == pytest.approx(cdist(X, X).max(), rel=1e-15)


def test_identical_points():
    assert diameter(Distances(np.ones((5, 2)))) == 0.0


def test_sparse_equals_dense():
    thin = sparse.random_array((30, 8), density=0.2, rng=1, format="csr")
    expected = diameter(Distances(thin.toarray()))
    assert diameter(Distances(thin)) == pytest.approx(expected, rel=1e-14)


def test_overflowing_distances_are_an_error():
    X = np.random.default_rng(0).normal(size=(40, 3))
    with pytest.raises(InvalidArgument, match="infinite"):
        diameter(Distances(X * 1e200))
