"""Divergences that come apart: products of factors against the terms themselves."""

import numpy as np
import pytest

from likewise.divergences.named import NAMED
from likewise.divergences.registry import as_divergence
from likewise.divergences.shortcuts.factors import INFINITE, NO_FACTORS, factors_of, surely_within
from likewise.divergences.total_variation import HalfDifferences

APART = {name: F for name, F in NAMED.items() if hasattr(F, "apart")}
EACH = pytest.mark.parametrize("name", APART)


def some_rows(rng, n=40, k=5):
    """Distributions, some with zeros and some with next to nothing on a centre."""
    x = rng.dirichlet(np.ones(k), n)
    x[: n // 4, 0] = 0.0
    x[n // 4 : n // 2, 1] = 1e-200
    return x / x.sum(axis=1, keepdims=True)


def by_factors(name, x):
    """(n, n) what products of factors say D is."""
    factors = factors_of(APART[name], np.ascontiguousarray(x.T)).as_rows()
    alone = factors.alone_left[:, None] + factors.alone_right[None, :]
    return alone + factors.left @ factors.right.T


def test_those_that_do():
    assert set(APART) == {"kl", "reverse-kl", "hellinger", "chi2"}


@EACH
def test_products_are_the_divergences(name):
    x = some_rows(np.random.default_rng(0))
    exact, found = as_divergence(name).table(x, x), by_factors(name, x)
    usual = exact < 1e6
    assert usual.mean() > 0.3
    np.testing.assert_allclose(found[usual], exact[usual], rtol=1e-12, atol=1e-12)
    assert (found[~usual] > 1e5).all(), "nothing that is far off, or infinite, looks near"


@EACH
@pytest.mark.parametrize("bound", [0.0, 1e-12, 1e-6, 1e-3, 0.3, 2.0, 50.0, 1e8, 1e12, np.inf])
def test_what_is_sure_is_within(name, bound):
    rng = np.random.default_rng(1)
    x = some_rows(rng, n=60)
    x[50:] = x[40:50] + 1e-8 * rng.random((10, x.shape[1]))  # very near to others
    exact, found = as_divergence(name).table(x, x), by_factors(name, x)
    sure = np.array([[surely_within(value, bound) for value in row] for row in found])
    assert (exact[sure] <= bound).all()
    if 1e-3 <= bound <= 1e8:
        assert sure.sum() >= 0.9 * (exact < 0.9 * bound).sum(), "most are let go"


@EACH
@pytest.mark.parametrize("tiny", [1e-17, 1e-155, 1e-170, 1e-300, 5e-324])
def test_next_to_nothing_opposite_a_zero_is_infinitely_far(name, tiny):
    x = np.array([[tiny, 1.0], [0.0, 1.0]])
    exact, found = as_divergence(name).table(x, x), by_factors(name, x)
    for a, b in ((0, 1), (1, 0)):
        if np.isinf(exact[a, b]):
            assert not surely_within(found[a, b], 1e6)


@EACH
def test_what_is_no_distribution_is_never_sure(name):
    x = np.array([[0.5, 0.5], [-0.1, 1.1]])
    found = by_factors(name, x)
    assert not any(surely_within(found[1, j], 1e3) for j in range(2))
    assert found[1, 0] >= 0.1 * INFINITE


@pytest.mark.parametrize("generator", [HalfDifferences(), NAMED["triangular"]])
def test_nothing_where_it_does_not_come_apart(generator):
    assert factors_of(generator, np.full((2, 3), 0.5)) is NO_FACTORS
