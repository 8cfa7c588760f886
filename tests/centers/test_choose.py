from itertools import combinations

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning

from likewise import LikewiseClustering
from likewise.centers import choose as module
from likewise.centers.choose import choose_centers, farthest_first, warn_of_repeated
from likewise.errors import InvalidArgument
from likewise.geometry.distances import Distances

X = np.random.default_rng(0).normal(size=(60, 2))


def choose(centers="auto", X=X, k=4, p=2, metric="euclidean", weights=None, seed=0):
    weights = np.ones(len(X)) if weights is None else weights
    return choose_centers(
        centers, Distances(X, metric), n_clusters=k, p=p, weights=weights, random_state=seed
    )


@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "cosine"])
@pytest.mark.parametrize("p", [1, 1.5, 2, 3])
def test_centers_are_distinct_rows_and_repeatable(p, metric):
    found = choose(p=p, metric=metric)
    assert len(np.unique(found.indices)) == 4
    np.testing.assert_array_equal(found.points, X[found.indices])
    assert found.distances.shape == (60, 4)
    np.testing.assert_array_equal(found.indices, choose(p=p, metric=metric).indices)


def test_kmeans_is_snapped_to_rows():
    means = KMeans(4, n_init=10, random_state=0).fit(X).cluster_centers_
    nearest = cdist(means, X).argmin(axis=1)
    assert sorted(choose().indices) == sorted(nearest)


def test_means_with_the_same_nearest_row_stay_apart():
    rows = np.array([[0.0], [0.0], [1.0], [1.0], [10.0]])
    assert len(np.unique(rows[choose(X=rows, k=3).indices])) == 3


@pytest.mark.parametrize("p", [1, 1.5, 3])
def test_no_swap_lowers_the_cost(p):
    cost = cdist(X, X) ** p
    found = choose(p=p).indices
    best = cost[:, found].min(axis=1).sum()
    for place in range(4):
        for other in range(60):
            swapped = found.copy()
            swapped[place] = other
            assert cost[:, swapped].min(axis=1).sum() >= best * (1 - 1e-9)


@pytest.mark.parametrize("p", [1, 3])
def test_search_on_a_sample_of_many_rows(p, monkeypatch):
    monkeypatch.setattr(module, "SEARCH_ROWS", 20)
    assert len(np.unique(choose(p=p).indices)) == 4


def test_weights_matter():
    rows = np.arange(10.0)[:, None]
    weights = np.r_[np.zeros(9), 1.0]
    for p in (1, 2):
        assert choose(X=rows, k=1, p=p, weights=weights).indices == [9]


def test_given_rows():
    found = choose(np.array([3, 1, 4, 5]))
    assert found.indices.tolist() == [3, 1, 4, 5]


def test_the_same_centers_for_some_of_the_rows():
    centers = choose_centers(
        np.array([7, 3]), Distances(X), n_clusters=2, p=2, weights=np.ones(len(X))
    )
    some = centers.seen_from(np.array([5, 7]))
    np.testing.assert_array_equal(some.distances, cdist(X[[5, 7]], X[[7, 3]]))
    np.testing.assert_array_equal(some.points, X[[7, 3]])
    assert some.indices.tolist() == [-1, -1]  # they are no rows of these


def test_given_points():
    points = np.concatenate([X[[7]], X[[8]] + 1e-3, X[[9]], [[5.0, 5.0]]])
    found = choose(points)
    assert found.indices.tolist() == [7, -1, 9, -1]
    np.testing.assert_allclose(found.distances, cdist(X, points))


def test_precomputed_distances():
    found = choose(X=cdist(X, X), metric="precomputed", p=1)
    assert found.points is None
    assert sorted(found.indices) == sorted(choose(p=1).indices)


@pytest.mark.parametrize(
    ("centers", "problem"),
    [
        ("best", "not known"),
        (np.array([1, 2, 3]), "3 row numbers"),
        (np.array([1, 2, 3, 3]), "repeated"),
        (np.array([1, 2, 3, 60]), "do not exist"),
        (np.ones((4, 3)), "shape"),
        (np.array([0.5, 1, 2, 3]), "shape"),
        (np.full((4, 2), np.nan), "NaN"),
        (np.array([["a", "b"]] * 4), "type"),
    ],
)
def test_bad_centers(centers, problem):
    with pytest.raises(InvalidArgument, match=problem):
        choose(centers)


@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "cosine"])
@pytest.mark.parametrize("p", [1, 2, 3, np.inf])
def test_more_centers_than_distinct_points(p, metric):
    """Each point is a centre, other rows at the same places are the rest, nothing is drawn."""
    places = np.array([[0.1, 1.0], [1.0, 0.3]])
    rows = np.repeat(places, 5, axis=0)
    weights = np.repeat([1.0, 0.0], 5)  # points without weight are points as well
    found = choose(X=rows, k=7, p=p, metric=metric, weights=weights, seed=None)
    assert len(set(found.indices.tolist())) == 7
    np.testing.assert_array_equal(np.unique(found.points, axis=0), places)
    assert found.proven_ratio == 1
    with pytest.warns(ConvergenceWarning, match="7 centres .* only 2 distinct points.* at most 2"):
        warn_of_repeated("auto", found)


def test_given_centers_may_be_at_the_same_place():
    warn_of_repeated(np.array([0, 1]), choose(np.array([0, 1]), X=np.ones((4, 2)), k=2))


@pytest.mark.parametrize("p", [1, 2, np.inf])
def test_rows_that_no_distance_tells_apart(p):
    """Different rows, all at distance zero: by rounding, or because the metric says so."""
    for X, metric in ((np.arange(6.0)[:, None] * 1e-200, "euclidean"), (RAY, "cosine")):
        found = choose(X=X, k=3, p=p, metric=metric)
        assert len(set(found.indices.tolist())) == 3
        with pytest.warns(ConvergenceWarning, match="only 1 distinct point: some"):
            warn_of_repeated("auto", found)


RAY = np.outer([1.0, 2.0, 4.0, 8.0], [1.0, 0.0])


@pytest.mark.parametrize(("p", "guarantee"), [(1, 7.0), (2, None), (3, None), (np.inf, 4.0)])
def test_guarantee_where_one_is_proven(p, guarantee):
    X = np.random.default_rng(0).normal(size=(20, 2))
    assert LikewiseClustering(3, p=p, random_state=0, tol=1e-2).fit(X).guarantee_ == guarantee


def test_given_centers_have_no_guarantee():
    X = np.random.default_rng(0).normal(size=(20, 2))
    assert LikewiseClustering(2, p=1, centers=np.array([0, 1])).fit(X).guarantee_ is None


def test_farthest_first_is_within_twice_the_best_radius():
    X = np.random.default_rng(1).normal(size=(10, 2))
    D = cdist(X, X)
    best = min(D[:, list(rows)].min(axis=1).max() for rows in combinations(range(10), 3))
    assert D[:, farthest_first(Distances(X), 3)].min(axis=1).max() <= 2 * best
