"""Better centres: the cost never rises, and no swap that was ruled out would have helped."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from likewise import FDivergence, InvalidArgument, LikewiseClustering
from likewise.centers.refine import (
    OF_OTHERS,
    OF_TOTAL_VARIATION,
    moved_centers,
    other_starts,
    promising_swaps,
)
from likewise.problem.assignment import Assignment
from likewise.problem.specification import Specification


@settings(max_examples=6)
@given(
    seed=st.integers(0, 10_000),
    n=st.integers(4, 20),
    k=st.integers(1, 4),
    p=st.sampled_from([1, 1.5, 2]),
    divergence=st.sampled_from(["tv", "hellinger"]),
)
def test_cost_never_rises(seed, n, k, p, divergence):
    X = np.random.default_rng(seed).normal(size=(n, 2))
    options = dict(p=p, divergence=divergence, random_state=0, tol=1e-5)
    costs = [
        LikewiseClustering(k, max_refine=steps, **options).fit(X).objective_ for steps in (0, 1, 9)
    ]
    assert max(costs[1:]) <= costs[0] * (1 + 1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_two_centers_end_where_no_swap_helps(seed):
    """Against every choice of two centres."""
    X = np.random.default_rng(seed).normal(size=(16, 2))
    model = LikewiseClustering(2, max_refine=50, random_state=0).fit(X)
    every = {
        rows: LikewiseClustering(2, centers=np.array(rows)).fit(X).objective_
        for rows in combinations(range(16), 2)
    }
    mine = tuple(sorted(model.center_indices_.tolist()))
    assert model.objective_ == pytest.approx(every[mine], rel=1e-6)
    neighbors = [cost for rows, cost in every.items() if set(rows) & set(mine)]
    assert model.objective_ <= min(neighbors) * (1 + 1e-6)


def test_with_groups_and_weights():
    rng = np.random.default_rng(1)
    X, sex = rng.normal(size=(20, 2)), rng.integers(0, 2, 20)
    options = dict(group_tolerance=0.2, random_state=0)
    data = dict(sensitive_features=sex, sample_weight=rng.integers(0, 3, 20))
    plain = LikewiseClustering(3, **options).fit(X, **data)
    refined = LikewiseClustering(3, max_refine=3, **options).fit(X, **data)
    assert refined.certificate_.is_fair
    assert refined.objective_ <= plain.objective_
    assert plain.n_refined_ == 0


def test_given_centers_stay():
    X = np.random.default_rng(2).normal(size=(20, 2))
    model = LikewiseClustering(2, centers=np.array([0, 1]), max_refine=10).fit(X)
    assert model.center_indices_.tolist() == [0, 1]
    assert model.n_refined_ == 0


def test_centers_stay_apart():
    X = np.repeat(np.random.default_rng(3).normal(size=(5, 2)), 3, axis=0)
    model = LikewiseClustering(5, max_refine=10, random_state=0).fit(X)
    assert len(np.unique(model.cluster_centers_, axis=0)) == 5


@pytest.mark.filterwarnings("ignore:stopped at a gap")
def test_stops_in_time():
    X = np.random.default_rng(4).normal(size=(60, 2))
    model = LikewiseClustering(4, max_refine=1000, max_time=0.0, random_state=0).fit(X)
    assert model.certificate_.is_fair
    assert model.n_refined_ == 0


def test_a_centre_moves_to_the_cheapest_row_for_its_mass():
    X = np.array([[0.0], [1.0], [2.0], [10.0]])
    task = Specification(1, p=1).task(X)
    random = np.random.RandomState(0)
    everything = np.ones((4, 1))
    moved = moved_centers(task, np.array([3]), everything, random)
    assert moved.tolist() in ([1], [2])  # the medians
    assert moved_centers(task, moved, everything, random) is None


def test_swaps_that_cannot_help_are_ruled_out():
    X = np.array([[0.0], [0.1], [10.0], [10.1]])
    task = Specification(2, individual=False).task(X)
    rows = np.array([0, 2])
    problem = task.problem(task.distances.to_rows(rows))
    x = np.eye(2)[[0, 0, 1, 1]]
    best = problem.objective(x)
    assert list(promising_swaps(task, rows, problem, Assignment.of(x), best)) == []


@pytest.mark.parametrize(
    ("divergence", "effort"), [("tv", OF_TOTAL_VARIATION), ("kl", OF_OTHERS), ("own", OF_OTHERS)]
)
def test_less_is_tried_where_solving_takes_longer(divergence, effort):
    X = np.random.default_rng(0).normal(size=(40, 2))
    if divergence == "own":
        divergence = FDivergence(lambda t: (t - 1) ** 2 / (t + 1))
    task = Specification(n_clusters=8, divergence=divergence).task(X, None, None)
    starts = list(other_starts(task, 8, np.random.RandomState(0)))
    assert len(starts) == effort.starts
    problem = task.problem(task.distances.to_rows(starts[0]))
    nothing_known = Assignment.of(np.full((40, 8), 1 / 8))
    swaps = list(promising_swaps(task, starts[0], problem, nothing_known, np.inf))
    assert len(swaps) == effort.swaps


def test_rows_at_one_place_have_nothing_to_swap():
    """No other place: scikit-learn's distances to none of the rows would be an error."""
    X = np.tile([1.0, 2.0], (5, 1))
    model = LikewiseClustering(1, metric="cosine", max_refine=2, p=1, random_state=0).fit(X)
    assert model.objective_ == pytest.approx(0, abs=1e-14)


def test_bad_argument():
    with pytest.raises(InvalidArgument, match="max_refine"):
        LikewiseClustering(2, max_refine=-1).fit(np.zeros((4, 1)))
