import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise import InvalidArgument, TotalVariation
from likewise.divergences import as_divergence

TV = TotalVariation()


@st.composite
def two_blocks(draw):
    k, rows = draw(st.integers(1, 6)), draw(st.integers(1, 5))
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    sharp = draw(st.sampled_from([0.05, 1.0]))
    return rng.dirichlet(np.full(k, sharp), rows), rng.dirichlet(np.full(k, sharp), rows)


@given(two_blocks())
def test_value_is_the_largest_difference_of_any_event(blocks):
    P, Q = blocks
    k = P.shape[1]
    events = (np.arange(2**k)[:, None] >> np.arange(k)) & 1
    np.testing.assert_allclose(TV.values(P, Q), ((P - Q) @ events.T).max(axis=1), atol=1e-12)


@given(two_blocks())
def test_table_holds_the_values(blocks):
    P, Q = blocks
    np.testing.assert_allclose(np.diagonal(TV.table(P, Q)), TV.values(P, Q), atol=1e-12)


@given(two_blocks(), st.integers(0, 1000))
def test_cuts_are_tight_here_and_below_everywhere(blocks, seed):
    P, Q = blocks
    alpha, beta = TV.cuts(P, Q)
    here = (alpha * P + beta * Q).sum(axis=1)
    np.testing.assert_allclose(here, TV.values(P, Q), atol=1e-12)
    rng = np.random.default_rng(seed)
    p, q = rng.dirichlet(np.ones(P.shape[1]), len(P)), rng.dirichlet(np.ones(P.shape[1]), len(P))
    assert ((alpha * p + beta * q).sum(axis=1) <= TV.values(p, q) + 1e-12).all()


@given(two_blocks(), st.integers(0, 1000))
def test_price_covers_every_pair_within_the_bound(blocks, seed):
    P, Q = blocks
    rng = np.random.default_rng(seed)
    alpha, beta = rng.normal(size=P.shape), rng.normal(size=P.shape)
    price = TV.price(alpha, beta, TV.values(P, Q))
    assert ((alpha * P + beta * Q).sum(axis=1) <= price + 1e-12).all()


@given(two_blocks())
def test_mixing_shrinks_in_proportion(blocks):
    P, Q = blocks
    common = np.full(P.shape[1], 1 / P.shape[1])
    mixed = TV.values(0.7 * P + 0.3 * common, 0.7 * Q + 0.3 * common)
    assert (mixed <= 0.7 * TV.values(P, Q) + 1e-12).all()


def test_names():
    assert as_divergence("tv").name == "tv"
    assert as_divergence(TV) is TV
    with pytest.raises(NotImplementedError, match="kl"):
        as_divergence("kl")
    with pytest.raises(InvalidArgument, match="hellinger"):
        as_divergence("helinger")
    with pytest.raises(InvalidArgument, match="neither"):
        as_divergence(3)
