"""``max_refine="auto"``: centres move for nothing, and more of them never cost more than one."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import cdist

from likewise import InvalidArgument, LikewiseClustering
from likewise.centers.refine import moved_centers, one_for_all, with_one_for_all
from likewise.problem.specification import Specification

X = np.random.default_rng(0).normal(size=(40, 2))
RICH = np.concatenate([X, [[0.0, 50.0], [60.0, 0.0], [55.0, 5.0]]])


def cost(k, X=X, **options):
    told = dict(similarity="global", random_state=0) | options
    return LikewiseClustering(k, **told).fit(X).objective_


@settings(max_examples=12)
@given(
    seed=st.integers(0, 10_000),
    k=st.integers(2, 6),
    p=st.sampled_from([1, 2, 3]),
    similarity=st.sampled_from(["global", "local"]),
    outliers=st.integers(0, 3),
)
def test_more_clusters_never_cost_more_than_one(seed, k, p, similarity, outliers):
    random = np.random.default_rng(seed)
    people = random.normal(size=(25, 2))
    people[:outliers] *= 40
    told = dict(X=people, p=p, similarity=similarity)
    one = cost(1, **told)
    assert one == pytest.approx((cdist(people, people) ** p).sum(axis=0).min())
    assert cost(k, **told) <= one * (1 + 1e-9)


def test_strict_bounds_send_everybody_to_the_middle():
    """Two crowds and three people between them. Vanilla centres sit in the crowds; where all are to
    be treated the same, the paper's algorithm then costs more than one cluster.
    """
    between = np.concatenate([np.full(20, -10.0), [-0.1, 0.0, 0.1], np.full(20, 10.0)])[:, None]
    told = dict(X=between, bound_scale=0.0)
    paper, one, ours = cost(2, max_refine=0, **told), cost(1, **told), cost(2, **told)
    assert paper > 2 * one
    assert ours <= one


def test_a_move_keeps_every_bound_and_lowers_the_cost():
    task = Specification(3, similarity="global").task(RICH)
    model = LikewiseClustering(3, similarity="global", max_refine=0, random_state=0).fit(RICH)
    rows, x = model.center_indices_, model.distributions_
    moved = moved_centers(task, rows, x, np.random.RandomState(0))
    problem = task.problem(task.distances.to_rows(moved))
    assert problem.objective(x) < model.objective_
    refined = LikewiseClustering(3, similarity="global", random_state=0).fit(RICH)
    assert refined.objective_ <= problem.objective(x) * (1 + 1e-9)
    assert refined.n_refined_ >= 1
    assert refined.gap_ <= 1e-4


def test_zero_is_the_vanilla_clustering_and_given_centres_stay():
    from likewise.centers.choose import choose_for

    vanilla = choose_for(Specification(3).task(RICH), random_state=0).indices
    model = LikewiseClustering(3, max_refine=0, random_state=0).fit(RICH)
    np.testing.assert_array_equal(model.center_indices_, vanilla)
    given_ones = LikewiseClustering(3, centers=np.array([0, 40, 41])).fit(RICH)
    np.testing.assert_array_equal(given_ones.center_indices_, [0, 40, 41])
    assert given_ones.n_refined_ == 0


@pytest.mark.parametrize("p", [1, 2, 4])
@pytest.mark.parametrize("metric", ["euclidean", "manhattan"])
def test_the_one_centre_that_is_cheapest_for_all(p, metric):
    weights = np.arange(43.0) % 4
    task = Specification(2, p=p, metric=metric).task(RICH, sample_weight=weights)
    row, total = one_for_all(task)
    D = cdist(RICH, RICH, {"euclidean": "euclidean", "manhattan": "cityblock"}[metric])
    totals = weights @ D**p
    assert total == pytest.approx(totals.min())
    assert totals[row] == pytest.approx(totals.min())


def test_it_takes_the_place_of_the_centre_that_serves_least():
    rows, mass = np.array([3, 5, 9]), np.array([2.0, 0.5, 7.0])
    assert with_one_for_all(rows, mass, 1).tolist() == [3, 1, 9]
    assert with_one_for_all(rows, mass, 9).tolist() == [3, 5, 9]


@pytest.mark.parametrize("value", ["often", -1, 0.5, None])
def test_what_is_no_number_of_refinements(value):
    with pytest.raises(InvalidArgument, match="max_refine"):
        LikewiseClustering(2, max_refine=value).fit(X)
