"""A divergence of one's own: what is refused, and what is found out about it."""

import functools
import math
import pickle

import numpy as np
import pytest
from scipy.special import xlogy

from likewise import AssignmentProblem, FDivergence, InvalidArgument, Pairs, certify, solve
from likewise.divergences import REGISTRY


@pytest.mark.parametrize(
    ("f", "message"),
    [
        (lambda t: t - 2, r"f\(1\) = -1"),
        (lambda t: -((t - 1) ** 2), "not convex"),
        (lambda t: np.sin(t - 1), "not convex"),
        (lambda t: np.log(t - 0.5) - np.log(0.5), "not finite"),
        (lambda t: 1 / 0, "failed"),
        (7, "not a function"),
    ],
)
def test_bad_generators(f, message):
    with pytest.raises(InvalidArgument, match=message), np.errstate(all="ignore"):
        FDivergence(f)


def test_wrong_derivative():
    with pytest.raises(InvalidArgument, match="f_prime is not its derivative"):
        FDivergence(lambda t: (t - 1) ** 2, lambda t: 5 * (t - 1) ** 3)


def test_a_function_of_single_numbers_will_do():
    D = FDivergence(lambda t: t * math.log(t), name="plain KL")
    P, Q = np.array([[0.2, 0.8]]), np.array([[0.5, 0.5]])
    np.testing.assert_allclose(D.values(P, Q), REGISTRY["kl"].values(P, Q))
    assert D.at_infinity == np.inf
    assert not D.symmetric


def of_scipy(t):
    return xlogy(t, t)


@pytest.mark.parametrize(
    ("f", "why"),
    [
        (of_scipy, "xlogy"),
        (functools.partial(lambda a, t: a * (t - 1) ** 2, 2.0), "partial"),
        (lambda t: np.abs(t - 1) / 2, "corner at t = 1|corner at t = 0.99"),
    ],
)
def test_what_cannot_be_compiled_stays_in_python_and_says_why(f, why):
    D = FDivergence(f, name="mine")
    with pytest.warns(UserWarning, match=rf"'mine' stays in Python \(.*({why})"):
        assert D.generator is None
    P, Q = np.random.default_rng(0).dirichlet(np.ones(3), (2, 5))
    by_hand = [(q * np.array([f(each) for each in p / q])).sum() for p, q in zip(P, Q, strict=True)]
    np.testing.assert_allclose(D.values(P, Q), by_hand, rtol=1e-9)
    problem = AssignmentProblem(
        np.random.default_rng(1).random((6, 3)), Pairs([0, 1, 2], [1, 2, 3], [0.1, 0.2, 0.1]), D
    )
    answer = solve(problem, tol=1e-3)
    assert answer.solver == "exact"
    assert certify(problem, answer.distributions, answer.duals).is_fair


@pytest.mark.parametrize("given_slope", [False, True])
@pytest.mark.parametrize("name", ["kl", "reverse-kl", "chi2", "triangular", "hellinger"])
def test_compiled_on_the_spot_it_is_the_named_one(name, given_slope):
    """Terms, planes and conjugates of a bare f against the formulas."""
    f, f_prime = OF_NAME[name]
    own, named = FDivergence(f, f_prime if given_slope else None), REGISTRY[name]
    assert own.generator is not None
    P, Q = np.random.default_rng(2).dirichlet(np.full(4, 0.5), (2, 40))
    np.testing.assert_allclose(own.values(P, Q), named.values(P, Q), rtol=1e-10)
    t = np.geomspace(1e-3, 1e3, 31)
    for ours, theirs in zip(own.planes(t), named.planes(t), strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-8, atol=1e-8)
    a = np.linspace(-4, min(0.9 * named.at_infinity, 3.0), 40)
    np.testing.assert_allclose(own.conjugate(a), named.conjugate(a), rtol=1e-8, atol=1e-9)


OF_NAME = {
    "kl": (lambda t: t * np.log(t), lambda t: np.log(t) + 1),
    "reverse-kl": (lambda t: -np.log(t), lambda t: -1 / t),
    "chi2": (lambda t: (t - 1) ** 2, lambda t: 2 * (t - 1)),
    "triangular": (
        lambda t: (t - 1) ** 2 / (t + 1),
        lambda t: (t - 1) * (t + 3) / (t + 1) ** 2,
    ),
    "hellinger": (lambda t: (np.sqrt(t) - 1) ** 2 / 2, lambda t: 0.5 * (1 - 1 / np.sqrt(t))),
}


def test_what_was_compiled_stays_behind():
    D = FDivergence(_own)
    assert D.generator is not None
    again = pickle.loads(pickle.dumps(D))
    P, Q = np.random.default_rng(3).dirichlet(np.ones(3), (2, 5))
    np.testing.assert_array_equal(again.values(P, Q), D.values(P, Q))


def _own(t):
    return (t - 1) ** 2 / (t + 1)
