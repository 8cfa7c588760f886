"""The compiled formulas of the f-divergences, against the plain ones and against geometry."""

import numpy as np
import pytest

from likewise.divergences import formulas as f_formulas
from likewise.divergences import projections as f_projections
from likewise.solvers.divergence_ops.rules import KIND_OF

EACH = pytest.mark.parametrize(("D", "kind"), [(cls(), kind) for cls, kind in KIND_OF.items()])
RNG = np.random.default_rng


@EACH
def test_terms_and_conjugates_are_those_of_the_class(D, kind):
    rng = RNG(0)
    p, q = rng.random(200), rng.random(200)
    p[:40], q[20:60] = 0.0, 0.0
    compiled = [f_formulas.term(kind, a, b) for a, b in zip(p, q, strict=True)]
    np.testing.assert_allclose(compiled, D.terms(p, q), atol=1e-14)
    a = rng.normal(size=200) * 3
    compiled = [f_formulas.conjugate(kind, value) for value in a]
    np.testing.assert_allclose(compiled, D.conjugate(a), rtol=1e-12)


@EACH
def test_ends_are_the_limits(D, kind):
    at_zero, slope_at_zero, at_infinity, beta_at_infinity = f_formulas.at_ends(kind)
    assert at_zero == pytest.approx(D.at_zero)
    assert at_infinity == pytest.approx(D.at_infinity)
    first, _, _ = f_formulas.plane(kind, 1e-12, np.log(1e-12))
    _, second, _ = f_formulas.plane(kind, 1e12, np.log(1e12))
    assert first == pytest.approx(slope_at_zero, rel=1e-6) or np.isinf(slope_at_zero)
    assert second == pytest.approx(beta_at_infinity, rel=1e-6) or np.isinf(beta_at_infinity)


@EACH
@pytest.mark.parametrize("seed", range(10))
def test_projection_is_the_nearest_fair_pair(D, kind, seed):
    """Nearest in a convex set: the way to any other fair pair leads away from where it came."""
    rng = RNG(seed)
    k = int(rng.integers(2, 6))
    p = rng.normal(0.3, 0.5, k) * 10 ** rng.uniform(-1, 0.5)
    q = rng.normal(0.3, 0.5, k) * 10 ** rng.uniform(-1, 0.5)
    bound = 10 ** rng.uniform(-4, 0)
    guess = float(rng.choice([0.0, 0.1]))
    P, Q, move, swerve = np.empty((4, k))
    f_projections.project(kind, p, q, k, bound, guess, rng.normal(size=k), P, Q, move, swerve)
    assert min(P.min(), Q.min()) >= 0
    assert D.terms(P, Q).sum() <= bound * (1 + 1e-5) + 1e-12
    size = np.abs(p - P).max() + np.abs(q - Q).max()
    for _ in range(40):
        other_p, other_q = _fair_pair(rng, D, k, bound, P, Q)
        ahead = (p - P) @ (other_p - P) + (q - Q) @ (other_q - Q)
        assert ahead <= 1e-6 * size


def _fair_pair(rng, D, k, bound, P, Q):
    """Some pair (not of distributions: any that is not negative) within the bound."""
    p = np.maximum(P + rng.normal(size=k) * 0.1, 0.0) if rng.random() < 0.5 else rng.random(k)
    q = np.maximum(Q + rng.normal(size=k) * 0.1, 0.0) if rng.random() < 0.5 else rng.random(k)
    low, high, middle = 0.0, 1.0, 0.5 * (p + q)
    for _ in range(40):
        share = 0.5 * (low + high)
        value = D.terms(middle + share * (p - middle), middle + share * (q - middle)).sum()
        low, high = (share, high) if value <= bound else (low, share)
    return middle + low * (p - middle), middle + low * (q - middle)
