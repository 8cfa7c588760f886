"""Each rule in all of its forms, against its formula in numpy."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from likewise.errors import InvalidArgument
from likewise.geometry.distances import Distances
from likewise.similarities.build import rule_for_others
from likewise.similarities.rules import (
    CallableRule,
    GlobalRule,
    LocalRule,
    ScaledRule,
    TableRule,
)

RNG = np.random.default_rng(5)
X = RNG.normal(size=(24, 2))
X[7] = X[3]
NEW = np.vstack([RNG.normal(size=(5, 2)), X[:1]])  # the last is a row
D, AWAY = cdist(X, X), cdist(NEW, X)
N_INSIDE = 6
RADIUS = np.sort(D, axis=1)[:, N_INSIDE]
OWN_RADIUS = np.sort(AWAY, axis=1)[:, N_INSIDE - 1]
TABLE = RNG.random((24, 24))
TABLE[3, 7] = np.inf


def of_two_points(a, b):
    return 2.0 * np.abs(a - b).sum() + max(a[0], 0.0)


def of_two_blocks(A, B):
    return 2.0 * cdist(A, B, "cityblock") + np.maximum(A[:, :1], 0.0)


def local(distances, radius):
    return np.minimum(distances / radius, 1.0)


RULES = {
    "global": (GlobalRule(D.max()), D / D.max()),
    "local": (LocalRule(RADIUS, N_INSIDE), local(D, RADIUS[:, None])),
    "table": (TableRule(TABLE), TABLE),
    "two points": (CallableRule.of(of_two_points, X), of_two_blocks(X, X)),
    "two blocks": (CallableRule.of(of_two_blocks, X), of_two_blocks(X, X)),
    "scaled": (ScaledRule(LocalRule(RADIUS, N_INSIDE), 0.3), 0.3 * local(D, RADIUS[:, None])),
}
BETWEEN = {
    "global": (AWAY / D.max(), AWAY / D.max()),
    "local": (local(AWAY, OWN_RADIUS[:, None]), local(AWAY, RADIUS[None, :])),
    "two points": (of_two_blocks(NEW, X), of_two_blocks(X, NEW).T),
    "two blocks": (of_two_blocks(NEW, X), of_two_blocks(X, NEW).T),
    "scaled": (0.3 * local(AWAY, OWN_RADIUS[:, None]), 0.3 * local(AWAY, RADIUS[None, :])),
}
EACH = pytest.mark.parametrize("name", RULES)


@EACH
def test_blocks_are_rows_of_the_formula(name):
    rule, expected = RULES[name]
    for start, stop in ((0, 24), (5, 11)):
        block = rule.block(start, D[start:stop].copy())
        np.testing.assert_allclose(block, expected[start:stop], rtol=1e-13)


@EACH
def test_blocks_may_be_written_on(name):
    rule, expected = RULES[name]
    distances = D.copy()
    rule.block(0, distances)[:] = -1.0
    np.testing.assert_array_equal(distances, D)
    np.testing.assert_allclose(rule.block(0, D), expected, rtol=1e-13)


@EACH
def test_single_pairs_agree_with_blocks_to_the_last_bit(name):
    rule, _ = RULES[name]
    i, j = RNG.integers(0, 24, 60), RNG.integers(0, 24, 60)
    np.testing.assert_array_equal(rule.at(i, j, D[i, j]), rule.block(0, D.copy())[i, j])


@EACH
def test_some_rows_keep_the_bounds_they_have_among_all(name):
    rule, expected = RULES[name]
    rows = np.array([20, 3, 7, 11])
    both = np.ix_(rows, rows)
    some = rule.of_rows(rows)
    np.testing.assert_allclose(some.block(0, D[both]), expected[both], rtol=1e-13)
    i, j = np.array([0, 2, 3]), np.array([1, 1, 0])
    np.testing.assert_allclose(
        some.at(i, j, D[rows[i], rows[j]]), expected[rows[i], rows[j]], rtol=1e-13
    )


@pytest.mark.parametrize("name", BETWEEN)
def test_points_that_are_not_rows(name):
    rule, _ = RULES[name]
    found = rule.between(NEW, AWAY)
    np.testing.assert_allclose(found.there, BETWEEN[name][0], rtol=1e-13)
    np.testing.assert_allclose(found.back, BETWEEN[name][1], rtol=1e-13)


@pytest.mark.parametrize("name", BETWEEN)
def test_both_orders_may_be_written_on(name):
    found = RULES[name][0].between(NEW, AWAY)
    found.there[:] = -1.0
    np.testing.assert_allclose(found.back, BETWEEN[name][1], rtol=1e-13)


@pytest.mark.parametrize("name", ["global", "two points", "two blocks"])
def test_a_row_as_a_new_point_is_bound_as_it_is_as_a_row(name):
    rule, expected = RULES[name]
    found = rule.between(X[:4], D[:4])
    np.testing.assert_allclose(found.there, expected[:4], rtol=1e-13)
    np.testing.assert_allclose(found.back, expected[:, :4].T, rtol=1e-13)


@pytest.mark.parametrize("rule", [TableRule(TABLE), ScaledRule(TableRule(TABLE), 2.0)])
def test_tables_say_nothing_of_other_points(rule):
    with pytest.raises(InvalidArgument, match=r"similarity.*'global', 'local' or a function"):
        rule.between(NEW, AWAY)


@pytest.mark.parametrize("name", ["global", "local"])
def test_radii_give_the_smaller_bound_of_both_orders(name):
    rule, expected = RULES[name]
    radii = rule.radii(24)
    assert radii.shape == (24,)
    larger = np.maximum(radii[:, None], radii[None, :])
    smaller = np.minimum(expected, expected.T)
    np.testing.assert_allclose(np.minimum(D / larger, 1.0), np.minimum(smaller, 1.0), rtol=1e-13)


@pytest.mark.parametrize("name", ["table", "two points", "two blocks"])
def test_other_bounds_have_no_radii(name):
    assert RULES[name][0].radii(24) is None


@EACH
@pytest.mark.parametrize("factor", [0.5, 3.0])
def test_scaled(name, factor):
    rule, expected = RULES[name]
    scaled = rule.scaled(factor)
    np.testing.assert_allclose(scaled.block(0, D.copy()), factor * expected, rtol=1e-13)
    i, j = np.array([0, 3, 9]), np.array([4, 7, 1])
    np.testing.assert_allclose(scaled.at(i, j, D[i, j]), factor * expected[i, j], rtol=1e-13)
    if name in BETWEEN:
        there, back = scaled.between(NEW, AWAY)
        np.testing.assert_allclose(there, factor * BETWEEN[name][0], rtol=1e-13)
        np.testing.assert_allclose(back, factor * BETWEEN[name][1], rtol=1e-13)


@pytest.mark.parametrize("name", ["global", "local"])
@pytest.mark.parametrize("factor", [0.0, np.inf])
def test_zero_times_infinity_is_zero(name, factor):
    rule, expected = RULES[name]
    found = rule.scaled(factor).block(0, D.copy())
    np.testing.assert_array_equal(found, np.where(expected == 0, 0.0, factor))


def test_scaled_twice():
    rule, expected = RULES["local"]
    found = rule.scaled(0.5).scaled(3.0).block(0, D.copy())
    np.testing.assert_allclose(found, 1.5 * expected, rtol=1e-13)


def test_global_scaled_keeps_its_form():
    """So that scans of every pair stay the compiled ones."""
    radii = GlobalRule(4.0).scaled(2.0).radii(3)
    np.testing.assert_array_equal(radii, [2.0, 2.0, 2.0])


def test_where_all_points_coincide():
    nothing = np.zeros((3, 3))
    for rule in (GlobalRule(0.0), LocalRule(np.zeros(3), 1)):
        assert (rule.block(0, nothing) == 0).all()
        assert (rule.between(np.ones((3, 1)), nothing).back == 0).all()
    far = LocalRule(np.zeros(3), 2).between(np.ones((1, 1)), np.array([[0.0, 0.0, 2.0]]))
    assert far.there.tolist() == far.back.tolist() == [[0.0, 0.0, 1.0]]


def test_rules_for_others():
    source = Distances(X)
    assert rule_for_others("global", source, 4) == GlobalRule(D.max())
    found = rule_for_others("local", source, 4)
    assert isinstance(found, LocalRule)
    assert found.n_inside == 24 // 4
    np.testing.assert_allclose(found.radius, RADIUS)
    assert rule_for_others(of_two_points, source, 4).of_two_points
    for similarity in (TABLE, lambda Z: TABLE, object()):
        with pytest.raises(InvalidArgument, match="says nothing about points"):
            rule_for_others(similarity, source, 4)


@pytest.mark.parametrize(
    ("function", "of_two_points", "problem"),
    [
        (lambda a, b: -1.0, True, "negative"),
        (lambda a, b: float("nan"), True, "NaN"),
        (lambda a, b: {}[0], True, "failed"),
        (lambda A, B: np.ones((2, 3)), False, "shape"),
        (lambda A, B: -np.ones((len(A), len(B))), False, "negative"),
        (lambda A, B: {}[0], False, "failed"),
    ],
)
def test_bad_functions(function, of_two_points, problem):
    rule, one, two = CallableRule(function, X, of_two_points), np.array([0]), np.array([1])
    for ask in (
        lambda: rule.block(0, D),
        lambda: rule.at(one, two, D[one, two]),
        lambda: rule.between(NEW, AWAY),
    ):
        with pytest.raises(InvalidArgument, match=problem):
            ask()


@pytest.mark.parametrize("factor", [1.0, 1.7, 4.0])
@pytest.mark.parametrize("name", ["global", "local"])
def test_radii_of_larger_bounds(name, factor):
    """Below 1 the smaller bound of a pair is its distance over the larger radius."""
    rule = RULES[name][0].scaled(factor)
    radii = rule.radii(len(D))
    table = rule.block(0, D)
    smaller = np.minimum(table, table.T)
    np.testing.assert_allclose(
        np.minimum(smaller, 1), np.minimum(D / np.maximum(radii[:, None], radii), 1), atol=1e-12
    )


@pytest.mark.parametrize("name", ["global", "local", "scaled"])
@pytest.mark.parametrize("factor", [0.5, 1.0, 3.0])
def test_bounds_are_quotients_of_radii_up_to_the_largest(name, factor):
    """Smaller local bounds too: far apart they are all the same, whatever the distance."""
    rule = RULES[name][0].scaled(factor)
    radii = rule.radii(len(D))
    with np.errstate(divide="ignore", invalid="ignore"):
        quotients = np.where(D > 0, D / radii[:, None], 0.0)
    expected = np.minimum(quotients, rule.largest_bound)
    np.testing.assert_allclose(rule.block(0, D.copy()), expected, rtol=1e-12)


def test_bounds_that_are_all_the_same_have_no_radii():
    for factor in (0.0, np.inf):
        assert RULES["local"][0].scaled(factor).radii(len(D)) is None
