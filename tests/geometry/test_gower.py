"""Gower's distance: by its definition, column by column."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise import InvalidArgument
from likewise.geometry.diameter import diameter
from likewise.geometry.distances import Distances
from likewise.geometry.gower import GowerMetric
from likewise.geometry.neighbors import neighbor_radius

CATEGORY = np.array([False, True, False, True])


def rows(seed, gaps, n=30):
    rng = np.random.default_rng(seed)
    X = np.column_stack(
        [rng.normal(size=n), rng.integers(0, 3, n), rng.integers(0, 9, n), rng.integers(0, 2, n)]
    ).astype(float)
    if gaps:
        X[rng.random(X.shape) < 0.2] = np.nan
        X[:, 0] = np.where(np.isnan(X).all(axis=1), 0.0, X[:, 0])
    return X


def by_hand(X, one, other):
    """The mean over the columns that both rows have."""
    shares = []
    for c in range(X.shape[1]):
        a, b = X[one, c], X[other, c]
        if not (np.isnan(a) or np.isnan(b)):
            spread = np.nanmax(X[:, c]) - np.nanmin(X[:, c])
            shares.append(float(a != b) if CATEGORY[c] else abs(a - b) / spread)
    return np.mean(shares) if shares else 1.0


@given(seed=st.integers(0, 1000), gaps=st.booleans())
def test_distances_are_means_over_common_columns(seed, gaps):
    X = rows(seed, gaps)
    metric = GowerMetric.of(X, CATEGORY)
    distances = Distances(X, metric)
    n = len(X)
    expected = np.array([[by_hand(X, i, j) for j in range(n)] for i in range(n)])
    near = dict(rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(distances.rows(0, n), expected, **near)
    i, j = np.triu_indices(n, 1)
    np.testing.assert_allclose(distances.at(i, j), expected[i, j], **near)
    np.testing.assert_allclose(metric(X[0], X[1]), expected[0, 1], **near)
    assert diameter(distances) == pytest.approx(expected.max())
    others = np.sort(expected + np.diag(np.full(n, np.inf)), axis=1)
    np.testing.assert_allclose(neighbor_radius(distances, 4), others[:, 3], **near)


def test_newcomers_with_gaps_where_nobody_had_any():
    X = rows(0, gaps=False)
    distances = Distances(X, GowerMetric.of(X, CATEGORY))
    new = X[:2].copy()
    new[0, 0] = np.nan
    to_first = distances.from_points(new)[0]
    expected = np.mean(
        [X[:, 1] != X[0, 1], np.abs(X[:, 2] - X[0, 2]) / np.ptp(X[:, 2]), X[:, 3] != X[0, 3]],
        axis=0,
    )
    np.testing.assert_allclose(to_first, expected, rtol=1e-12, atol=1e-15)


def test_rows_at_distance_zero_are_one_class():
    X = np.array([[1.0, np.nan], [1.0, 2.0], [1.0, 3.0], [5.0, 2.0]])
    distances = Distances(X, GowerMetric.of(X, np.array([False, True])))
    label = distances.duplicate_classes()
    assert label[0] == label[1] == label[2] != label[3]  # by way of the first
    assert not distances.zero_is_same


def test_plain_numbers_need_no_word_about_categories():
    X = rows(1, gaps=False)
    by_name = Distances(X, "gower").rows(0, len(X))
    shares = np.abs(X[:, None] - X[None]) / np.ptp(X, axis=0)
    np.testing.assert_allclose(by_name, shares.mean(axis=2), rtol=1e-12, atol=1e-15)


def test_what_is_refused():
    X = rows(2, gaps=False)
    X[3] = np.nan
    with pytest.raises(InvalidArgument, match="row 3 has no value"):
        GowerMetric.of(X, CATEGORY)
    X[3] = np.inf
    with pytest.raises(InvalidArgument, match="infinite"):
        GowerMetric.of(X, CATEGORY)


def test_a_column_without_any_value_counts_for_nobody():
    X = rows(0, gaps=False)
    with_empty = np.column_stack([X, np.full(len(X), np.nan)])
    found = GowerMetric.of(with_empty, np.append(CATEGORY, False))
    assert found.ranges[-1] == 0
    plain = GowerMetric.of(X, CATEGORY)
    assert found(with_empty[0], with_empty[1]) == plain(X[0], X[1])


def test_numbers_far_from_zero_keep_their_digits():
    near = np.random.default_rng(0).random((20, 1)) * 1e-6
    far = near + 1e3
    expected = np.abs(far - far.T) / np.ptp(far)
    np.testing.assert_allclose(Distances(far, "gower").rows(0, 20), expected, rtol=1e-12)
