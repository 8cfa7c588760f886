"""What follows from the centres that people may use, against all 0-1 tables of a small problem."""

from itertools import product

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from likewise import AssignmentProblem, Pairs
from likewise.geometry.distances import Distances
from likewise.problem.supports import closed, distances_that_count, supports_suffice
from likewise.similarities.build import TableRule
from likewise.similarities.pairs import EveryPair

FREE = np.inf


def problem_of(bound, k, divergence="tv", listed=True):
    """A problem of len(bound) points with these bounds, as a list of pairs or as a table."""
    n = len(bound)
    if listed:
        i, j = np.nonzero(~np.eye(n, dtype=bool))
        pairs = Pairs(i, j, bound[i, j])
    else:
        pairs = EveryPair(Distances(np.arange(float(n))[:, None]), TableRule(bound))
    return AssignmentProblem(np.ones((n, k)), pairs, divergence)


def chain(n, value):
    """Only neighbours on a line are bound to each other."""
    near = np.abs(np.subtract.outer(np.arange(n), np.arange(n))) == 1
    return np.where(near, value, FREE)


@pytest.mark.parametrize("listed", [True, False])
def test_those_bound_to_each_other_need_a_centre_in_common(listed):
    """Total variation: every table of three points and two centres, checked by hand."""
    problem = problem_of(chain(3, 0.5), 2, listed=listed)
    for cells in product([False, True], repeat=6):
        allowed = np.array(cells).reshape(3, 2)
        everybody = allowed.any(axis=1).all()
        meets = (allowed[:-1] & allowed[1:]).any(axis=1).all()
        assert supports_suffice(allowed, problem) == (everybody and meets)


@pytest.mark.parametrize("listed", [True, False])
def test_a_bound_at_the_largest_value_asks_for_nothing(listed):
    disjoint = np.eye(2, dtype=bool)
    assert supports_suffice(disjoint, problem_of(chain(2, 1.0), 2, listed=listed))
    assert not supports_suffice(disjoint, problem_of(chain(2, 1 - 1e-9), 2, listed=listed))


@pytest.mark.parametrize("listed", [True, False])
@pytest.mark.parametrize("divergence", ["kl", "reverse-kl", "max-ratio"])
def test_infinite_divergences_pass_closed_centres_on(divergence, listed):
    """Bound both ways, all of a chain have the support that is allowed to all of them."""
    problem = problem_of(chain(4, 0.5), 3, divergence, listed)
    allowed = np.ones((4, 3), dtype=bool)
    allowed[0, 1] = allowed[3, 2] = False
    left = closed(allowed, problem)
    np.testing.assert_array_equal(left, np.tile([True, False, False], (4, 1)))
    assert allowed.sum() == 10  # what came in is left as it was
    assert supports_suffice(allowed, problem)
    allowed[1, 0] = False
    assert not supports_suffice(allowed, problem)


@pytest.mark.parametrize("listed", [True, False])
@pytest.mark.parametrize(("divergence", "closes"), [("kl", 0), ("reverse-kl", 1)])
def test_one_way_bounds_pass_it_on_one_way(divergence, closes, listed):
    """D(x_0 || x_1) alone is bounded: KL needs the first's centres within the second's."""
    bound = np.array([[FREE, 0.5], [FREE, FREE]])
    problem = problem_of(bound, 2, divergence, listed)
    allowed = np.ones((2, 2), dtype=bool)
    allowed[1 - closes, 1] = False
    assert not closed(allowed, problem)[closes, 1]
    allowed = np.ones((2, 2), dtype=bool)
    allowed[closes, 1] = False
    assert closed(allowed, problem)[1 - closes, 1]


def test_divergences_that_stay_finite_close_nothing():
    allowed = np.random.default_rng(0).random((5, 3)) < 0.6
    for divergence in ("tv", "hellinger", "jensen-shannon"):
        problem = problem_of(np.full((5, 5), 0.1), 3, divergence)
        np.testing.assert_array_equal(closed(allowed, problem), allowed)


def test_points_that_cost_nothing_are_within_any_radius():
    X = np.random.default_rng(1).normal(size=(6, 2))
    distances = cdist(X, X[:2])
    weights = np.array([1.0, 0, 1, 1, 0, 1])
    problem = AssignmentProblem(weights[:, None] * distances, Pairs([], [], []))
    reach = distances_that_count(problem, distances)
    np.testing.assert_array_equal(reach[weights > 0], distances[weights > 0])
    assert (reach[weights == 0] == 0).all()
