"""Projections onto fair pairs, against geometry."""

import numpy as np
import pytest

from likewise import FDivergence
from likewise.divergences.from_formulas import NamedDivergence
from likewise.divergences.named import NAMED
from likewise.divergences.projections import Workspace, project

OWN = FDivergence(lambda t: (t - 1) ** 2 / (t + 1), name="own")
EACH = pytest.mark.parametrize("D", [*map(NamedDivergence, NAMED), OWN], ids=lambda D: D.name)
RNG = np.random.default_rng


@EACH
@pytest.mark.parametrize("seed", range(10))
def test_projection_is_the_nearest_fair_pair(D, seed):
    """Nearest in a convex set: the way to any other fair pair leads away from where it came."""
    rng = RNG(seed)
    k = int(rng.integers(2, 6))
    p = rng.normal(0.3, 0.5, k) * 10 ** rng.uniform(-1, 0.5)
    q = rng.normal(0.3, 0.5, k) * 10 ** rng.uniform(-1, 0.5)
    bound = 10 ** rng.uniform(-4, 0)
    guess = float(rng.choice([0.0, 0.1]))
    P, Q, steps, shifts = np.empty((4, k))
    project(D.generator, p, q, bound, guess, Workspace(rng.normal(size=k), P, Q, steps, shifts))
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


@EACH
def test_fair_pairs_stay_where_they_are(D):
    p, q = RNG(0).dirichlet(np.ones(4), 2)
    bound = float(D.values(p[None], q[None])[0]) * 1.01
    work = Workspace(*np.empty((5, 4)))
    assert project(D.generator, p, q, bound, 0.0, work) == 0.0
    np.testing.assert_array_equal(work.P, p)
    np.testing.assert_array_equal(work.Q, q)


@EACH
@pytest.mark.parametrize("seed", range(5))
def test_projection_from_its_own_end_is_the_same(D, seed):
    """The multiplier and the ratios where one ended are the guess of the next."""
    rng = RNG(seed)
    p, q = rng.normal(0.3, 0.4, (2, 5))
    first, second = (Workspace(rng.normal(size=5), *np.empty((4, 5))) for _ in range(2))
    multiplier = project(D.generator, p, q, 0.01, 0.0, first)
    second.logs[:] = first.logs
    again = project(D.generator, p, q, 0.01, multiplier, second)
    assert again == pytest.approx(multiplier, rel=1e-6)
    np.testing.assert_allclose(second.P, first.P, atol=1e-7)
    np.testing.assert_allclose(second.Q, first.Q, atol=1e-7)
