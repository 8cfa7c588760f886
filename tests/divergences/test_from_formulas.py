"""Arrays: the same as the formulas number by number; and how a divergence is added."""

import pickle
from math import inf

import numpy as np
import pytest

from likewise import AssignmentProblem, FDivergence, Pairs, certify, solve
from likewise.divergences import as_divergence, formulas
from likewise.divergences.from_formulas import FormulaDivergence, NamedDivergence
from likewise.divergences.generator import GeneratorDivergence, Limits
from likewise.divergences.named import NAMED
from likewise.solvers.divergence_ops import f_divergence_kernels

EACH = pytest.mark.parametrize("D", [NamedDivergence(name) for name in NAMED], ids=lambda D: D.name)
RNG = np.random.default_rng


def some_distributions(seed, rows, k=4):
    """With zeros, equal rows, and entries that rounding has left slightly negative."""
    P, Q = RNG(seed).dirichlet(np.full(k, 0.5), (2, rows))
    P[: rows // 4, 0] = Q[rows // 8 : rows // 3, 1] = 0.0
    P[rows // 3 : rows // 2] = Q[rows // 3 : rows // 2]
    P[-3:, 2] = Q[-2:, 3] = -1e-17
    return P, Q


@pytest.fixture(scope="module")
def on_the_spot():
    """The named divergences again, their formulas called by address."""
    return {name: FormulaDivergence(formulas, name) for name, formulas in NAMED.items()}


@EACH
def test_arrays_are_loops_over_numbers(D, on_the_spot):
    P, Q = some_distributions(0, 60)
    F, by_address = D.formulas, on_the_spot[D.name]

    def term(p, q):
        return 0.0 if p == q else F.term(p, q)

    one_by_one = np.vectorize(term, otypes="d")(np.maximum(P, 0.0), np.maximum(Q, 0.0))
    a = RNG(1).normal(size=(60, 4)) * 3
    t = np.exp(a)
    planes = np.vectorize(F.plane, otypes="ddd")(t, np.log(t))[:2]
    for each in (D, by_address):
        np.testing.assert_array_equal(each.terms(P, Q), one_by_one)
        np.testing.assert_array_equal(each.conjugate(a), np.vectorize(F.conjugate)(a))
        for compiled_at_once, expected in zip(each.planes(t), planes, strict=True):
            np.testing.assert_allclose(compiled_at_once, expected, rtol=1e-12, atol=1e-15)


@EACH
def test_rows_follow_from_the_terms(D, on_the_spot):
    """The compiled loops give what the general methods give from terms and conjugates."""
    P, Q = some_distributions(2, 60)
    sums = D.terms(P, Q).sum(axis=1)
    near = dict(rtol=1e-12, atol=1e-15)
    bound = RNG(3).uniform(0.01, 0.2, 60)
    alpha, beta = RNG(4).normal(size=(2, 60, 4))
    general = InNumpy(D)
    for each in (D, on_the_spot[D.name]):
        np.testing.assert_allclose(each.values(P, Q), sums, **near)
        np.testing.assert_allclose(np.diag(each.table(P, Q)), sums, **near)
        for ours, theirs in zip(each.cuts(P, Q, bound), general.cuts(P, Q, bound), strict=True):
            np.testing.assert_allclose(ours, theirs, rtol=1e-6, atol=1e-9)
        np.testing.assert_allclose(
            each.support_function(alpha, beta, bound),
            general.support_function(alpha, beta, bound),
            rtol=1e-10,
        )


class InNumpy(GeneratorDivergence):
    """What follows from the terms, the planes and the conjugate of another, without its loops."""

    def __init__(self, D):
        self.terms, self.planes, self.conjugate = D.terms, D.planes, D.conjugate
        self.at_zero, self.at_infinity = D.at_zero, D.at_infinity

    terms = planes = conjugate = None


@EACH
def test_engines_compare_by_the_same_formulas(D):
    """Fails too where numba has kept loops of older formulas: delete ``__pycache__``."""
    x = np.maximum(np.concatenate(some_distributions(5, 40)), 0.0)
    i, j = np.arange(40), np.arange(40, 80)
    value = np.empty(40)
    f_divergence_kernels.values(0, 40, D.generator, x, i, j, value)
    np.testing.assert_allclose(value, D.values(x[i], x[j]), rtol=1e-12, atol=1e-15)


@EACH
def test_what_is_negative_counts_as_zero(D):
    p, q = np.array([-1e-17, 0.3, -1e-17]), np.array([0.3, -1e-17, -1e-18])
    np.testing.assert_array_equal(D.terms(p, q), D.terms(np.maximum(p, 0), np.maximum(q, 0)))
    assert D.terms(p, q)[2] == 0


@EACH
def test_what_is_no_number_stays_none(D):
    P, Q = np.array([[0.5, np.nan], [0.5, 0.5]]), np.array([[1.0, 0.0], [0.0, np.nan]])
    assert np.isnan(D.values(P, Q)).all()
    assert np.isnan(D.table(P, Q)[:, 1]).all()


@EACH
def test_shapes(D):
    P, Q = some_distributions(6, 12)
    expected = np.array([[D.terms(p, q).sum() for q in Q] for p in P])
    near = dict(rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(D.table(P, Q[:5]), expected[:, :5], **near)
    np.testing.assert_allclose(D.values(P[:, None], Q[None]), expected, **near)
    np.testing.assert_allclose(D.values(P, Q[3]), expected[:, 3], **near)
    np.testing.assert_allclose(D.values(P[2], Q[3]), expected[2, 3], **near)
    read_only = P.view()
    read_only.flags.writeable = False
    np.testing.assert_allclose(D.values(np.asfortranarray(P), Q), np.diag(expected), **near)
    np.testing.assert_allclose(D.values(read_only, Q), np.diag(expected), **near)
    assert D.values(P[:0], Q[:0]).shape == (0,)
    assert D.table(P[:0], Q).shape == (0, 12)
    corners = np.eye(3, dtype=int)
    assert (D.values(corners, corners) == 0).all()


@EACH
def test_values(D):
    """They can be sent, kept in sets, and compared."""
    assert pickle.loads(pickle.dumps(D)) == D
    assert len({D, NamedDivergence(D.name)}) == 1
    assert FormulaDivergence(D.formulas, D.name) != D
    assert repr(D) == f"NamedDivergence({D.name!r})"


def test_different_ones_are_not_equal():
    assert NamedDivergence("kl") != NamedDivergence("chi2")
    assert NamedDivergence("kl") != "kl"


def test_loops_are_kept_on_disk():
    """A process that finds them there compiles nothing."""
    for loop in (formulas.fill_values, formulas.fill_table, formulas.fill_largest):
        assert loop._cache.cache_path


class Neyman:
    """``sum_c (P_c - Q_c)^2 / P_c``; g(t) = (t - 1)^2 / t = t - 2 + 1 / t."""

    symmetric = False
    limits = Limits(inf, -inf, 1.0, -2.0)

    @staticmethod
    def term(p, q):
        return np.inf if p <= 0.0 else (p - q) * (p - q) / p

    @staticmethod
    def plane(t, s):
        return 1.0 - 1.0 / (t * t), 2.0 / t - 2.0, 2.0 / (t * t)

    @staticmethod
    def conjugate(a):
        return 2.0 - 2.0 * np.sqrt(1.0 - a) if a <= 1.0 else np.inf


@pytest.mark.parametrize("solver", ["exact", "first-order"])
def test_how_to_add_a_divergence(solver):
    """Formulas like those in ``named`` are solved as they stand, and proven optimal: compiled on
    the spot, with both engines.
    """
    D = as_divergence(FormulaDivergence(Neyman, "neyman"))
    again = pickle.loads(pickle.dumps(D))  # what was compiled stays behind
    rng = RNG(7)
    i, j = rng.integers(0, 12, (2, 30))
    kept = i != j
    pairs = Pairs(i[kept], j[kept], rng.uniform(0.05, 0.5, kept.sum()))
    cost = rng.random((12, 3))
    problem = AssignmentProblem(cost, pairs, D)
    answer = solve(problem, solver, tol=1e-6)
    certificate = certify(AssignmentProblem(cost, pairs, again), answer.distributions, answer.duals)
    assert certificate.is_fair
    assert certificate.gap <= 1e-6
    own = AssignmentProblem(cost, pairs, FDivergence(lambda t: (t - 1) ** 2 / t))
    of_f = solve(own, solver, tol=1e-6)
    assert own.objective(of_f.distributions) == pytest.approx(certificate.objective, rel=3e-6)
