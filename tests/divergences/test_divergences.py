"""Every divergence: its definition, its conventions, and the theory that the solvers rest on."""

import functools
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise import FDivergence, InvalidArgument, TotalVariation
from likewise.divergences.registry import REGISTRY, as_divergence

TV = TotalVariation()
# the definition, sum_c Q_c f(P_c / Q_c), of those that are f-divergences
GENERATORS = {
    "tv": lambda t: 0.5 * np.abs(t - 1),
    "kl": lambda t: t * np.log(t),
    "reverse-kl": lambda t: -np.log(t),
    "jensen-shannon": lambda t: 0.5 * (t * np.log(t) - (1 + t) * np.log((1 + t) / 2)),
    "hellinger": lambda t: 0.5 * (np.sqrt(t) - 1) ** 2,
    "chi2": lambda t: (t - 1) ** 2,
    "triangular": lambda t: (t - 1) ** 2 / (t + 1),
}
CUSTOM = FDivergence(lambda t: (t - 1) ** 2 / (t + 1))
ALL = pytest.mark.parametrize("D", [*REGISTRY.values(), CUSTOM], ids=lambda D: D.name)
F_DIVERGENCES = pytest.mark.parametrize(
    "D", [REGISTRY[name] for name in GENERATORS] + [CUSTOM], ids=lambda D: D.name
)


@st.composite
def two_blocks(draw, smallest=0.0):
    k, rows = draw(st.integers(1, 6)), draw(st.integers(1, 5))
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    sharp = draw(st.sampled_from([0.3, 1.0]))
    P, Q = (rng.dirichlet(np.full(k, sharp), rows) + smallest for _ in range(2))
    return P / P.sum(axis=1, keepdims=True), Q / Q.sum(axis=1, keepdims=True)


@given(two_blocks())
def test_total_variation_is_the_largest_difference_of_any_event(blocks):
    P, Q = blocks
    k = P.shape[1]
    events = (np.arange(2**k)[:, None] >> np.arange(k)) & 1
    np.testing.assert_allclose(TV.values(P, Q), ((P - Q) @ events.T).max(axis=1), atol=1e-12)


@pytest.mark.parametrize("name", GENERATORS)
@given(blocks=two_blocks(smallest=1e-3))
def test_values_follow_the_definition(name, blocks):
    P, Q = blocks
    expected = (Q * GENERATORS[name](P / Q)).sum(axis=1)
    np.testing.assert_allclose(REGISTRY[name].values(P, Q), expected, rtol=1e-9, atol=1e-13)
    if name != "tv":
        np.testing.assert_allclose(own(name).values(P, Q), expected, rtol=1e-7, atol=1e-12)


@functools.cache  # compiled once for all examples
def own(name):
    return FDivergence(GENERATORS[name])


def test_max_ratio_is_the_largest_log_ratio():
    D = REGISTRY["max-ratio"]
    P, Q = (
        np.array([[0.2, 0.8], [0.0, 1.0], [0.0, 1.0]]),
        np.array([[0.4, 0.6], [0, 1], [0.5, 0.5]]),
    )
    np.testing.assert_allclose(D.values(P, Q), [np.log(2), 0, np.inf])


CORNERS = np.array([[1.0, 0.0], [0.0, 1.0], [0.5, 0.5]])
AT_ZERO = {  # D(P || Q) for (corner, other corner), (corner, middle), (middle, corner)
    "tv": (1, 0.5, 0.5),
    "kl": (np.inf, np.log(2), np.inf),
    "reverse-kl": (np.inf, np.inf, np.log(2)),
    "jensen-shannon": (np.log(2), 0.75 * np.log(4 / 3), 0.75 * np.log(4 / 3)),
    "hellinger": (1, 1 - np.sqrt(0.5), 1 - np.sqrt(0.5)),
    "chi2": (np.inf, 1, np.inf),
    "triangular": (2, 2 / 3, 2 / 3),
    "max-ratio": (np.inf, np.inf, np.inf),
}


@pytest.mark.parametrize("name", AT_ZERO)
def test_conventions_at_zero(name):
    D = REGISTRY[name]
    if name == "jensen-shannon":  # KL(e || M) / 2 + KL(M' || M) / 2 by hand
        m = np.array([0.75, 0.25])
        half = 0.5 * (np.log(1 / 0.75) + (0.5 * np.log(0.5 / m)).sum())
        expected = (np.log(2), half, half)
    else:
        expected = AT_ZERO[name]
    P, Q = CORNERS[[0, 0, 2]], CORNERS[[1, 2, 0]]
    np.testing.assert_allclose(D.values(P, Q), expected, rtol=1e-12)
    np.testing.assert_array_equal(D.values(P, P), 0)
    assert D.largest == pytest.approx(D.values(P, Q)[0])


@ALL
@given(blocks=two_blocks())
def test_never_negative_and_zero_for_equals(D, blocks):
    P, Q = blocks
    assert (D.values(P, Q) >= 0).all()
    np.testing.assert_allclose(D.values(P, P), 0, atol=1e-14)
    assert (D.values(P, Q) <= D.largest * (1 + 1e-9)).all()


@ALL
@given(blocks=two_blocks())
def test_symmetric_where_claimed(D, blocks):
    P, Q = blocks
    if D.symmetric:
        np.testing.assert_allclose(D.values(P, Q), D.values(Q, P), rtol=1e-9, atol=1e-13)


@pytest.mark.parametrize("name", ["kl", "reverse-kl", "chi2"])
def test_not_symmetric_where_not_claimed(name):
    P, Q = np.array([[0.2, 0.8]]), np.array([[0.5, 0.5]])
    assert not REGISTRY[name].symmetric
    assert abs(REGISTRY[name].values(P, Q) - REGISTRY[name].values(Q, P)) > 1e-3


@ALL
@given(blocks=two_blocks())
def test_table_holds_the_values(D, blocks):
    P, Q = blocks
    table = D.table(P, Q)
    for r in range(len(P)):
        np.testing.assert_allclose(table[r], D.values(np.tile(P[r], (len(Q), 1)), Q), atol=1e-13)


@F_DIVERGENCES
@given(blocks=two_blocks(), other=st.integers(0, 1000), share=st.floats(0, 1))
def test_jointly_convex(D, blocks, other, share):
    P, Q = blocks
    rng = np.random.default_rng(other)
    R, S = (rng.dirichlet(np.ones(P.shape[1]), len(P)) for _ in range(2))
    mixed = D.values(share * P + (1 - share) * R, share * Q + (1 - share) * S)
    ends = share * D.values(P, Q) + (1 - share) * D.values(R, S) if 0 < share < 1 else np.inf
    assert (mixed <= ends * (1 + 1e-9) + 1e-12).all()


@ALL
@given(blocks=two_blocks(), share=st.floats(0, 1))
def test_mixing_with_a_common_distribution_brings_pairs_together(D, blocks, share):
    P, Q = blocks
    common = np.full(P.shape[1], 1 / P.shape[1])
    mixed = D.values((1 - share) * P + share * common, (1 - share) * Q + share * common)
    assert (mixed <= D.values(P, Q) * (1 + 1e-9) + 1e-12).all()


@ALL
@given(blocks=two_blocks(), seed=st.integers(0, 1000))
def test_merging_centers_never_raises_it(D, blocks, seed):
    """The data-processing step of the paper's lemma, for any merging of centres."""
    P, Q = blocks
    k = P.shape[1]
    merged = np.eye(k)[np.random.default_rng(seed).integers(0, k, k)]
    assert (D.values(P @ merged, Q @ merged) <= D.values(P, Q) * (1 + 1e-9) + 1e-12).all()


@given(blocks=two_blocks())
def test_pinsker_and_its_kin(blocks):
    P, Q = blocks
    tv, of = TV.values(P, Q), {name: D.values(P, Q) for name, D in REGISTRY.items()}
    tiny = 1e-12
    assert (tv <= np.sqrt(of["kl"] / 2) + tiny).all()
    assert (tv <= np.sqrt(of["reverse-kl"] / 2) + tiny).all()
    assert (of["hellinger"] <= tv + tiny).all()
    assert (tv <= np.sqrt(of["hellinger"] * (2 - of["hellinger"])) + tiny).all()
    assert (of["kl"] <= np.log1p(of["chi2"]) + tiny).all()
    assert (2 * tv**2 <= of["triangular"] + tiny).all()
    assert (of["triangular"] <= 2 * tv + tiny).all()
    assert (of["jensen-shannon"] <= np.log(2) * tv + tiny).all()


@ALL
@given(blocks=two_blocks(), seed=st.integers(0, 1000), share=st.floats(0.05, 0.95))
def test_cuts_keep_every_fair_pair_and_not_this_one(D, blocks, seed, share):
    P, Q = blocks
    value = np.minimum(D.values(P, Q), 5.0)
    bound = np.maximum(share * value, 1e-6)
    alpha, beta, limit = D.cuts(P, Q, bound)
    here = (alpha * P + beta * Q).sum(axis=1)
    assert (here > limit - 1e-9)[value > bound].all()
    k = P.shape[1]
    rng = np.random.default_rng(seed)
    for _ in range(20):
        p = rng.dirichlet(np.ones(k), len(P))
        q = p * np.exp(rng.uniform(0, 1) * rng.normal(size=p.shape))
        q /= q.sum(axis=1, keepdims=True)
        fair = D.values(p, q) <= bound
        assert ((alpha * p + beta * q).sum(axis=1) <= limit + 1e-9)[fair].all()


@pytest.mark.parametrize(("low", "bound"), [(0.0, 1e9), (1e-300, 650.0), (0.0, 40.0)])
def test_max_ratio_takes_bounds_that_overflow(low, bound):
    """e^F of a large F is infinite: its cuts are finite all the same, and keep what is fair."""
    P, Q = np.array([[0.5, 0.5], [1 - low, low]]), np.array([[1 - low, low], [0.5, 0.5]])
    with np.errstate(all="raise", under="ignore"):
        alpha, beta, limit = REGISTRY["max-ratio"].cuts(P, Q, np.full(2, bound))
    assert np.isfinite([alpha, beta]).all()
    fair = np.random.default_rng(0).dirichlet(np.ones(2), 50)
    for a, b, most in zip(alpha, beta, limit, strict=True):
        assert ((fair @ a)[:, None] + (fair @ b)[None, :] <= most + 1e-12).all()


def test_cuts_reach_ratios_that_repairs_leave():
    """A pair whose ratio is 3e12 is cut off, by more than rounding."""
    P = np.array([[0.148206538, 0.017937331, 0.0810377716, 0.59381451, 0.159003849]])
    Q = np.array([[4.74268496e-14, 0.0185922829, 0.00870582525, 0.894363129, 0.0783387628]])
    D, bound = REGISTRY["kl"], np.array([3.2])
    assert D.values(P, Q)[0] > bound[0]
    alpha, beta, limit = D.cuts(P, Q, bound)
    assert (alpha * P + beta * Q).sum() > limit[0] + 1e-3


@ALL
@given(blocks=two_blocks(smallest=1e-3), seed=st.integers(0, 1000))
def test_support_function_is_above_every_fair_pair(D, blocks, seed):
    P, Q = blocks
    rng = np.random.default_rng(seed)
    alpha, beta = rng.normal(size=P.shape), rng.normal(size=P.shape)
    support = D.support_function(alpha, beta, D.values(P, Q))
    assert ((alpha * P + beta * Q).sum(axis=1) <= support + 1e-9).all()


@F_DIVERGENCES
@given(blocks=two_blocks(smallest=1e-2), share=st.floats(0.1, 0.9))
def test_support_function_of_a_cut_is_its_bound(D, blocks, share):
    """The certificate loses nothing on the duals that the exact engine finds."""
    P, Q = blocks
    bound = np.maximum(share * D.values(P, Q), 1e-6)
    alpha, beta, limit = D.cuts(P, Q, bound)
    support = D.support_function(3 * alpha, 3 * beta, bound)
    assert (support <= 3 * limit * (1 + 1e-7) + 1e-9).all()


@ALL
def test_support_function_is_attained_without_a_bound(D):
    """Everybody may go to the best centre."""
    alpha, beta = np.random.default_rng(0).normal(size=(2, 50, 4))
    if D.name == "tv":  # whose bound is only attained for beta = -alpha
        beta = -alpha
    free = alpha.max(axis=1) + beta.max(axis=1)
    unbound = D.support_function(alpha, beta, np.full(50, np.inf))
    np.testing.assert_allclose(unbound, free, rtol=1e-12)


@pytest.mark.parametrize("name", [name for name in GENERATORS if name != "tv"])
@pytest.mark.parametrize("seed", range(5))
def test_support_function_is_attained(name, seed):
    """Duals (g'(t), g(t) - t g'(t)) are largest at pairs of ratios t. Such a pair of distributions
    attains the support function for the bound that is its divergence.
    """
    D, rng = REGISTRY[name], np.random.default_rng(seed)
    P, Q = rng.dirichlet(np.ones(4), (2, 30)) * 0.9 + 0.025
    alpha, beta = D.planes(P / Q)
    bound = D.values(P, Q)
    attained = (alpha * P + beta * Q).sum(axis=1)
    np.testing.assert_allclose(attained, bound, rtol=1e-9)
    np.testing.assert_allclose(D.support_function(alpha, beta, bound), attained, rtol=1e-9)


def test_fingerprints_are_the_same_in_every_process():
    code = (
        "from likewise.divergences import REGISTRY, FDivergence\n"
        "own = FDivergence(lambda t: (t - 1) ** 2 / (t + 1))\n"
        "print(*(D.fingerprint() for D in [*REGISTRY.values(), own]), sep='\\n')"
    )
    there = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert there.stdout.splitlines() == [D.fingerprint() for D in [*REGISTRY.values(), CUSTOM]]


def test_fingerprints_tell_divergences_apart():
    by_hand = FDivergence(GENERATORS["kl"], name="kl")
    # the same code and constants, only the name of the function in it differs
    others = [FDivergence(lambda t: np.square(t - 1)), FDivergence(lambda t: np.abs(t - 1))]
    known = [D.fingerprint() for D in (*REGISTRY.values(), CUSTOM, by_hand, *others)]
    assert len(set(known)) == len(known)


def test_names():
    assert as_divergence("tv").name == "tv"
    assert as_divergence(TV) is TV
    assert as_divergence(CUSTOM) is CUSTOM
    for name, D in REGISTRY.items():
        assert as_divergence(name) is D
        assert D.name == name
    with pytest.raises(InvalidArgument, match="hellinger"):
        as_divergence("helinger")
    for wrong in (3, TotalVariation, None):
        with pytest.raises(InvalidArgument, match="neither"):
            as_divergence(wrong)


@pytest.mark.parametrize("name", ["kl", "own kl", "chi2"])
def test_cuts_cut_off_pairs_of_extreme_ratios(name):
    """Q_0 = 5e-14 beside P_0 = 0.15: a plane at a ratio of 1e6 would leave this pair fair."""
    P = np.array([[0.148206538, 0.017937331, 0.0810377716, 0.59381451, 0.159003849]])
    Q = np.array([[4.74268496e-14, 0.0185922829, 0.00870582525, 0.894363129, 0.0783387628]])
    D = FDivergence(lambda t: t * np.log(t)) if name == "own kl" else REGISTRY[name]
    alpha, beta, limit = D.cuts(P, Q, np.array([3.2]))
    assert D.values(P, Q)[0] > 3.2
    assert (alpha * P).sum() + (beta * Q).sum() > limit[0] + 1e-3
