"""The formulas of the named divergences, number by number: against scipy, against the definition,
and against what convexity asks of them.
"""

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.special import kl_div, rel_entr

from likewise.divergences import formulas
from likewise.divergences.named import NAMED
from likewise.divergences.shortcuts.majorants import majorant_of, majorant_term

EACH = pytest.mark.parametrize("F", NAMED.values(), ids=NAMED)
NAME_OF = {type(F): name for name, F in NAMED.items()}
RATIOS = np.geomspace(1e-4, 1e4, 41)
# q g(p / q) from the definition, in functions of scipy's where there are any
DEFINITIONS = {
    "kl": kl_div,
    "reverse-kl": lambda p, q: kl_div(q, p),
    "jensen-shannon": lambda p, q: 0.5 * (rel_entr(p, (p + q) / 2) + rel_entr(q, (p + q) / 2)),
    "hellinger": lambda p, q: 0.5 * (np.sqrt(p) - np.sqrt(q)) ** 2,
    "chi2": lambda p, q: (p - q) ** 2 / q if q > 0 else np.inf,
    "triangular": lambda p, q: (p - q) ** 2 / (p + q),
}


def generator(F, t):
    """g(t) = 1 g(t / 1)."""
    return 0.0 if t == 1 else F.term(t, 1.0)


def test_every_named_divergence_has_a_definition_here():
    assert set(DEFINITIONS) == set(NAMED)


@EACH
def test_terms_follow_the_definition(F):
    rng = np.random.default_rng(0)
    numbers = [0.0, 1e-300, 1e-12, 0.3, 1.0, 25.0, *rng.random(10)]
    for p in numbers:
        for q in numbers:
            if p != q:
                expected = DEFINITIONS[NAME_OF[type(F)]](p, q)
                assert F.term(p, q) == pytest.approx(expected, rel=1e-9, abs=1e-14), (p, q)


@EACH
def test_terms_at_zero_are_the_limits(F):
    for a in (0.2, 1.0, 3.0):
        assert F.term(0.0, a) == pytest.approx(a * F.limits.value_at_zero)
        assert F.term(a, 0.0) == pytest.approx(a * F.limits.slope_at_infinity)


@EACH
def test_terms_of_the_smallest_numbers(F):
    """Nothing is divided by zero, and no distance comes out of nothing."""
    tiny = 5e-324
    assert F.term(tiny, 2 * tiny) == pytest.approx(0.0, abs=1e-300)
    only_p, only_q = F.term(tiny, 0.0), F.term(0.0, tiny)
    assert only_p == pytest.approx(tiny * F.limits.slope_at_infinity, abs=1e-300)
    assert only_q == pytest.approx(tiny * F.limits.value_at_zero, abs=1e-300)


@EACH
def test_symmetric_as_claimed(F):
    same = [F.term(t, 1.0) == pytest.approx(F.term(1.0, t), rel=1e-9) for t in (0.2, 3.0)]
    assert all(same) == any(same) == F.symmetric


@EACH
def test_planes_support_the_generator(F):
    """alpha t + beta <= g(t) everywhere, and equal where the plane is taken."""
    g = np.array([generator(F, t) for t in RATIOS])
    for t in RATIOS:
        alpha, beta, _ = F.plane(t, np.log(t))
        here = generator(F, t)
        size = 1e-12 * (1 + here + abs(alpha) * t + abs(beta))
        assert alpha * t + beta == pytest.approx(here, abs=size)
        assert (alpha * RATIOS + beta <= g + 1e-12 * (1 + g + np.abs(alpha) * RATIOS)).all()


@EACH
def test_planes_turn_as_curvature_says(F):
    """d alpha / ds = t g''(t), and d beta / ds = -t times that, by central differences."""
    h = 1e-5
    for s in np.linspace(-5, 5, 21):
        t = np.exp(s)
        above, below = (F.plane(np.exp(x), x) for x in (s + h, s - h))
        curvature = F.plane(t, s)[2]
        assert curvature > 0
        rounding = 1e-10 * (1 + t * curvature)
        by_alpha, by_beta = ((above[i] - below[i]) / (2 * h) for i in (0, 1))
        assert by_alpha == pytest.approx(curvature, rel=1e-6, abs=rounding)
        assert by_beta == pytest.approx(-t * curvature, rel=1e-6, abs=rounding)


@EACH
def test_planes_end_at_the_limits(F):
    value_at_zero, slope_at_zero, slope_at_infinity, offset_at_infinity = F.limits
    small, large = F.plane(1e-14, np.log(1e-14)), F.plane(1e14, np.log(1e14))
    for found, limit in (
        (small[0], slope_at_zero),
        (small[1], value_at_zero),
        (large[0], slope_at_infinity),
        (large[1], offset_at_infinity),
    ):
        if np.isinf(limit):
            assert found * np.sign(limit) > 5
        else:
            assert found == pytest.approx(limit, abs=1e-6)


@EACH
def test_conjugates_are_the_largest_difference(F):
    steepest = F.limits.slope_at_infinity
    for a in (-20.0, -3.5, -2.0, -1.0, -0.1, 0.0, 0.05, 0.2, 0.3, 0.45, 0.9, 2.0):
        if a >= 0.999 * steepest:
            continue
        found = minimize_scalar(
            lambda s, a=a: generator(F, np.exp(s)) - a * np.exp(s),
            bounds=(-30, 30), method="bounded", options={"xatol": 1e-10},
        )  # fmt: skip
        expected = max(-found.fun, -F.limits.value_at_zero)
        assert F.conjugate(a) == pytest.approx(expected, rel=1e-6, abs=1e-9)


@EACH
def test_conjugates_are_infinite_beyond_the_steepest_slope(F):
    steepest = F.limits.slope_at_infinity
    if np.isfinite(steepest):
        assert F.conjugate(steepest + 1e-9) == np.inf
        assert F.conjugate(steepest + 100.0) == np.inf
    assert F.conjugate(-1e300) >= -F.limits.value_at_zero


@EACH
def test_loops_call_the_formulas_of_their_type(F):
    t = np.array([0.3, 2.0, 40.0, 0.0])
    q = np.array([0.7, 0.7, 0.7, 0.0])
    out, alpha, beta = np.empty(4), np.empty(3), np.empty(3)
    formulas.fill_terms(F, t, q, out)
    assert out.tolist() == [*(F.term(each, 0.7) for each in t[:3]), 0.0]
    formulas.fill_planes(F, t[:3], alpha, beta)
    np.testing.assert_allclose(alpha, [F.plane(each, np.log(each))[0] for each in t[:3]])
    np.testing.assert_allclose(beta, [F.plane(each, np.log(each))[1] for each in t[:3]])
    formulas.fill_conjugates(F, -t, out)
    assert out.tolist() == [F.conjugate(-each) for each in t]


@EACH
def test_majorants_are_never_less(F):
    """Whatever the ratio, and as tight as the limits allow."""
    t = np.r_[np.geomspace(1e-15, 1e15, 2001), 1 + np.array([-1e-3, 1e-3, 1e-2])]
    g = np.array([generator(F, each) for each in t])
    above = np.array([majorant_term(F.majorant, each, 1.0) for each in t])
    assert (g <= above * (1 + 1e-9)).all()
    found = majorant_of(
        lambda t: np.array([generator(F, each) for each in t]), F.limits[0], F.limits[2]
    )
    assert found.size == pytest.approx(F.majorant.size, rel=0.02)
    assert found[1:] == F.majorant[1:]


def test_no_majorant_where_none_keeps_up():
    """|t - 1|^1.5 is above every quadratic near 1, t^3 - 3 t + 2 far from it."""
    for g, at_zero in ((lambda t: np.abs(t - 1) ** 1.5, 1.0), (lambda t: t**3 - 3 * t + 2, 2.0)):
        assert majorant_of(g, at_zero, np.inf).size == np.inf
