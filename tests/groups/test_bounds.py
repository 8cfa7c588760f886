"""Bounds on groups: what they mean, and when they cannot be kept."""

import numpy as np
import pytest

from likewise import AssignmentProblem, InvalidArgument, Pairs
from likewise.groups.bounds import bounds_from
from likewise.groups.membership import Groups

SEX = ["f"] * 3 + ["m"] * 7
RACE = list("aabbbaabbb")
ONE = Groups.from_features(SEX, 10)
TWO = Groups.from_features({"sex": SEX, "race": RACE}, 10)
ONES = np.ones(10)


def test_tolerance_is_the_papers():
    bounds = bounds_from(ONE, ONES, 0.2, None)
    np.testing.assert_allclose(bounds.lower, [0.3 * 0.8, 0.7 * 0.8])
    np.testing.assert_allclose(bounds.upper, [0.3 / 0.8, 0.7 / 0.8])


def test_weights_count():
    weights = np.r_[np.full(3, 7.0), np.full(7, 3.0)]
    np.testing.assert_allclose(bounds_from(ONE, weights, 0.0, None).lower, [0.5, 0.5])


@pytest.mark.parametrize(
    ("groups", "explicit"),
    [
        (ONE, {"f": (0.1, 0.5)}),
        (ONE, {("sensitive_feature_0", "f"): (0.1, 0.5)}),
        (ONE, {"sensitive_feature_0": {"f": (0.1, 0.5)}}),
        (TWO, {("sex", "f"): [0.1, 0.5]}),
        (TWO, {"sex": {"f": (0.1, 0.5)}}),
    ],
)
def test_explicit_bounds_in_any_form(groups, explicit):
    bounds = bounds_from(groups, ONES, None, explicit)
    assert (bounds.lower[0], bounds.upper[0]) == (0.1, 0.5)
    assert (bounds.lower[1], bounds.upper[1]) == (0.0, 1.0)
    with_tolerance = bounds_from(groups, ONES, 0.2, explicit)
    assert (with_tolerance.lower[0], with_tolerance.upper[0]) == (0.1, 0.5)
    assert with_tolerance.lower[1] == pytest.approx(0.7 * 0.8)


def test_nothing_asked_nothing_bounded():
    assert bounds_from(ONE, ONES, None, None) is None


@pytest.mark.parametrize(
    ("tolerance", "explicit", "message"),
    [
        (1.0, None, r"group_tolerance: 1.0 is not a number in \[0, 1\)"),
        (-0.1, None, "group_tolerance"),
        (float("nan"), None, "group_tolerance"),
        ("0.2", None, "group_tolerance"),
        (True, None, "group_tolerance"),
        (None, {"x": (0, 1)}, "no group .*'x'"),
        (None, {("age", "f"): (0, 1)}, r"no group .*\('age', 'f'\).* groups are"),
        (None, {"f": (0.5, 0.1)}, r"'f' has the bounds \(0.5, 0.1\)"),
        (None, {"f": (-0.5, 0.1)}, "lower bound of at least 0"),
        (None, {"f": (0.1, float("nan"))}, "bounds"),
        (None, {"f": 0.3}, "not a pair of bounds"),
        (None, {"f": (1, 2, 3)}, "not a pair of bounds"),
        (None, [("f", (0, 1))], "list is not a dict"),
    ],
)
def test_bad_bounds(tolerance, explicit, message):
    with pytest.raises(InvalidArgument, match=message):
        bounds_from(ONE, ONES, tolerance, explicit)


@pytest.mark.parametrize(
    ("explicit", "message"),
    [
        ({"f": (0.4, 0.6)}, "'f' makes up 0.3 of the data, but its lower bound is 0.4"),
        ({"m": (0.1, 0.6)}, "'m' makes up 0.7 of the data, but its upper bound is 0.6"),
    ],
)
def test_what_no_clustering_can_keep(explicit, message):
    bounds = bounds_from(ONE, ONES, None, explicit)  # can be measured against
    with pytest.raises(InvalidArgument, match=message):
        AssignmentProblem(np.ones((10, 2)), Pairs([], [], []), "tv", bounds)


def test_missing_is_none_by_any_name():
    groups = Groups.from_features(["a", None], 2)
    for key in (None, np.nan, ("sensitive_feature_0", np.nan)):
        assert bounds_from(groups, np.ones(2), None, {key: (0.1, 0.9)}).lower[1] == 0.1


def test_share_at_its_bound_is_feasible():
    third = Groups.from_features([0, 1, 2], 3)
    bounds_from(third, np.ones(3), 0.0, None).check_feasible()
    bounds_from(third, np.ones(3), None, {0: (1 / 3, 1 / 3)}).check_feasible()


def test_excess_is_counted_in_shares_of_everybody():
    bounds = bounds_from(ONE, ONES, 0.0, None)
    everyone_alike = np.tile([0.25, 0.75], (10, 1))
    assert bounds.excess(everyone_alike).max() == pytest.approx(0.0, abs=1e-15)
    apart = np.eye(2)[[0] * 3 + [1] * 7]
    np.testing.assert_allclose(bounds.excess(apart), [[0.21, 0.21], [0.21, 0.21]])
