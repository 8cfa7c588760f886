"""Checks of single arguments: what passes, what does not, and what is said."""

from numbers import Integral, Real

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise import InvalidArgument
from likewise._validation import (
    as_distributions,
    check_costs,
    check_limits,
    check_number,
    check_weights,
    weights_of,
)
from likewise.errors import check_keywords, unknown_name


@pytest.mark.parametrize("value", [1, 3, np.int64(2), 10**400])
def test_whole_numbers(value):
    check_number("n", value, Integral, 1)
    check_number("n", value, Real, 1)


@pytest.mark.parametrize("value", [1.0, np.inf, np.float32(2.5)])
def test_numbers(value):
    check_number("p", value, Real, 1)
    with pytest.raises(InvalidArgument, match="is not a whole number"):
        check_number("p", value, Integral, 1)


@pytest.mark.parametrize("value", [True, np.True_, "2", None, [1], 1j])
def test_no_numbers(value):
    for kind in (Integral, Real):
        with pytest.raises(InvalidArgument, match=r"^n: .* is not a"):
            check_number("n", value, kind, 0)


@pytest.mark.parametrize("value", [0, -1, 0.999, float("nan"), -np.inf])
def test_too_small(value):
    with pytest.raises(InvalidArgument, match=r"^p: .* is too small. Use a number of at least 1"):
        check_number("p", value, Real, 1)


def test_limits():
    check_limits(0, None)
    check_limits(1e-3, 0.0)
    for tol, max_time, name in [(-1, None, "tol"), (None, None, "tol"), (0, -1, "max_time")]:
        with pytest.raises(InvalidArgument, match=name):
            check_limits(tol, max_time)


def test_costs_must_add_up():
    cost = np.array([[1.0, 2.0]])
    assert check_costs(cost) is cost
    for bad in (np.inf, np.nan, 1.7e308):
        with pytest.raises(InvalidArgument, match="lower p"):
            check_costs(np.full((2, 2), bad))


def test_weights_of_a_fit_and_of_a_metric():
    X = np.zeros((3, 1))
    for given_weights in (None, [1, 0, 2]):
        np.testing.assert_array_equal(check_weights(given_weights, X), weights_of(given_weights, 3))
    np.testing.assert_array_equal(weights_of([0, 0, 0], 3), np.zeros(3))
    for bad in ([0, 0, 0], [1, 2], [1, -1, 1], [1, np.nan, 1]):
        with pytest.raises(InvalidArgument, match="sample_weight"):
            check_weights(bad, X)
    for bad in ([1, 2], [1, -1, 1], [1, np.nan, 1]):
        with pytest.raises(InvalidArgument, match="sample_weight"):
            weights_of(bad, 3)


@given(st.lists(st.integers(0, 4), min_size=1, max_size=9))
def test_labels_are_distributions(labels):
    table = as_distributions(labels)
    np.testing.assert_array_equal(table.argmax(axis=1), labels)
    np.testing.assert_array_equal(table.sum(axis=1), 1.0)
    assert as_distributions(labels, 7).shape == (len(labels), 7)


@pytest.mark.parametrize(
    ("bad", "n_clusters", "problem"),
    [
        ([0, -1], None, "noise"),
        ([0, 3], 3, "label 3 in a clustering of 3"),
        ([0.5, 0.5], None, "shape"),
        ([["a", "b"]], None, "type"),
        ([[0.5, 0.4]], None, "sum to 1"),
        ([[1.5, -0.5]], None, "negative"),
        ([[np.nan, 1.0]], None, "not a number"),
    ],
)
def test_no_distributions(bad, n_clusters, problem):
    with pytest.raises(InvalidArgument, match=problem):
        as_distributions(bad, n_clusters)


def test_names_that_are_not_known():
    assert "Did you mean 'local'" in str(unknown_name("similarity", "locale", ["global", "local"]))
    assert "Use one of 'a', 'b'" in str(unknown_name("x", "zzz", ["a", "b"]))
    check_keywords(["p"], ["p", "metric"])
    with pytest.raises(InvalidArgument, match="metrik: there is no such argument"):
        check_keywords(["p", "metrik"], ["p", "metric"])
