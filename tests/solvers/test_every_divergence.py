"""Both engines under every divergence, against CVXPY and Clarabel."""

import cvxpy as cp
import numpy as np
import pytest
from hypothesis import example, given, reject, settings
from hypothesis import strategies as st
from support import oracle
from support.problems import random_groups, random_problem

from likewise import AssignmentProblem, FDivergence, LikewiseClustering, Pairs, certify, solve
from likewise.divergences.registry import REGISTRY
from likewise.solvers.divergence_ops.choose import ops_for
from likewise.solvers.working_set import CandidatePairs

TOL = 1e-5
CUSTOM = FDivergence(lambda t: (t - 1) ** 2 / (t + 1))
DIVERGENCES = [D for D in REGISTRY.values() if D.name != "tv"] + [CUSTOM]
EVERY = pytest.mark.parametrize("D", DIVERGENCES, ids=lambda D: D.name)
ENGINES = pytest.mark.parametrize("engine", ["exact", "first-order"])


def certified(problem, engine):
    """The certificate of an answer that is fair and near enough to the optimum."""
    answer = solve(problem, engine, tol=TOL)
    oracle.assert_fair(problem, answer.distributions)
    certificate = certify(problem, answer.distributions, answer.duals)
    assert certificate.is_fair
    assert certificate.gap <= TOL
    return certificate


def check(problem, engine):
    certificate = certified(problem, engine)
    try:
        expected = oracle.oracle_objective(problem)
    except cp.SolverError:
        reject()  # Clarabel gives up on some: nothing to compare with
    assert certificate.objective == pytest.approx(expected, rel=1.1 * TOL)
    assert certificate.lower_bound <= expected * (1 + 1e-6)


@ENGINES
@EVERY
@settings(max_examples=6)
@given(
    seed=st.integers(0, 10_000),
    n=st.integers(2, 25),
    k=st.integers(2, 6),
    density=st.sampled_from([0.05, 0.2]),
    scale=st.sampled_from([0.01, 0.3, 2.0]),
)
@example(seed=1, n=22, k=5, density=0.2, scale=0.01)  # bounds of 4e-5: hard for the oracle too
def test_agrees_with_cvxpy(D, engine, seed, n, k, density, scale):
    problem = random_problem(seed, n, k, density, scale)
    check(AssignmentProblem(problem.cost, problem.pairs, D), engine)


@ENGINES
@EVERY
def test_with_groups_weights_and_equals(D, engine):
    base = random_problem(3, n=16, k=3, density=0.15, zero_share=0.1)
    bounds = random_groups(3, 16, weights=np.random.default_rng(3).integers(1, 4, 16).astype(float))
    cost = base.cost * bounds.weights[:, None]
    check(AssignmentProblem(cost, base.pairs.within(bounds.groups), D, bounds), engine)


# Bounds above these are left out for the oracle, whose numbers they spoil: a probability of
# exp(-30), or under chi2 of 1e-4, is all that they ask for.
FREE, FREE_UNDER_CHI2 = 30.0, 1e4


@ENGINES
@pytest.mark.parametrize("D", [*DIVERGENCES, REGISTRY["tv"]], ids=lambda D: D.name)
@pytest.mark.parametrize(
    "seed", [1, 2, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(3, 25))]
)
def test_bounds_of_all_sizes(D, engine, seed):
    """From 1e-6, nearly equal, to 1e9, which means no bound; with weights, and groups every other
    time.
    """
    random = np.random.default_rng(seed)
    n, k = int(random.integers(6, 16)), int(random.integers(2, 5))
    weights = random.integers(1, 5, n).astype(float)
    cost = random.random((n, k)) * weights[:, None]
    i, j = np.nonzero((random.random((n, n)) < 0.3) & ~np.eye(n, dtype=bool))
    bound = 10.0 ** random.uniform(-6, 9, len(i))
    groups = random_groups(seed, n, weights=weights) if seed % 2 else None
    binds = bound < (FREE_UNDER_CHI2 if D.name == "chi2" else FREE)
    for_oracle = AssignmentProblem(cost, Pairs(i[binds], j[binds], bound[binds]), D, groups)
    certificate = certified(AssignmentProblem(cost, Pairs(i, j, bound), D, groups), engine)
    try:
        expected = oracle.oracle_objective(for_oracle)
    except cp.SolverError as gave_up:
        pytest.skip(str(gave_up))  # fair and proven, but nothing to compare with
    # bounds of 1e-6 are near what Clarabel tells apart: its own x is beyond them by a thousandth
    slack = TOL + (1e-4 * k if D.name == "chi2" else 0.0)
    assert certificate.objective == pytest.approx(expected, rel=TOL + slack)
    assert certificate.lower_bound <= expected * (1 + slack)


@EVERY
@pytest.mark.parametrize("max_time", [0.0, 0.05])
def test_stopped_early_is_still_fair(D, max_time):
    base = random_problem(4, n=60, k=4, density=0.2)
    problem = AssignmentProblem(base.cost, base.pairs, D)
    oracle.assert_fair(problem, solve(problem, max_time=max_time).distributions)


@pytest.mark.parametrize("D", ["kl", "max-ratio", CUSTOM], ids=str)
def test_through_the_front_door(D):
    X = np.random.default_rng(5).normal(size=(40, 2))
    model = LikewiseClustering(3, divergence=D, random_state=0, tol=1e-3).fit(X)
    assert model.certificate_.is_fair
    assert model.gap_ <= 1e-3


def test_bound_of_one_outside_the_ball_binds_where_it_can():
    """F2 is 1 outside: no matter to total variation, but Kullback and Leibler's can exceed 1."""
    X = np.r_[np.zeros((10, 1)), np.ones((10, 1))] + np.linspace(0, 0.01, 20)[:, None]
    options = dict(similarity="local", centers=[5, 15], tol=1e-4)
    assert np.ptp(LikewiseClustering(2, **options).fit(X).distributions_[:, 0]) == pytest.approx(1)
    model = LikewiseClustering(2, divergence="kl", **options).fit(X)
    assert model.distributions_.min() > 0.01
    assert model.certificate_.pairs_checked == 20 * 19


def test_ordered_pairs_are_constrained_in_their_order():
    cost = np.array([[0.0, 1.0], [1.0, 0.0]])
    forth = AssignmentProblem(cost, Pairs([0], [1], [0.1]), "kl")
    back = AssignmentProblem(cost, Pairs([1], [0], [0.1]), "reverse-kl")
    x, y = (solve(problem, "exact", tol=1e-6).distributions for problem in (forth, back))
    np.testing.assert_allclose(x, y, atol=1e-3)
    assert REGISTRY["kl"].values(x[:1], x[1:]) <= 0.1 + 1e-9


@EVERY
def test_tiny_bounds_do_not_hide_what_others_need(D):
    """How much mixing brings many pairs within their bounds is what the neediest of them needs.
    Rows 2 and 3 are as good as equal, and their bound is as small as rounding.
    """
    ops = ops_for(D)
    for seed in range(30):
        rng = np.random.default_rng(seed)
        x = rng.dirichlet(np.full(6, 0.3), size=4) + 1e-9
        x[3] = x[2] * (1 + 1e-9 * rng.normal(size=6))
        x /= x.sum(axis=1, keepdims=True)
        bound = np.array([0.05, 1e-17 * rng.random()])
        pairs = CandidatePairs(np.array([0, 2]), np.array([1, 3]), bound, np.array([1, 11]))
        reference = ops.reference(rng.random((4, 6)))
        _, of_both = ops.above(x, pairs, reference)
        _, of_first = ops.above(x, pairs.take(np.array([0])), reference)
        assert of_both >= of_first
        mixed = (1 - of_both) * x + of_both * reference
        assert D.values(mixed[:1], mixed[1:2]) <= bound[0] + 1e-12


@pytest.mark.parametrize("solver", ["exact", "first-order"])
@pytest.mark.parametrize("name", ["max-ratio", "tv", "kl"])
@pytest.mark.parametrize("n", [6, 25])
def test_large_finite_bounds_bind_nothing(name, n, solver):
    """1e9 for "no bound" in a matrix: the same optimum as without these pairs."""
    rng = np.random.default_rng(n)
    cost = rng.random((n, 3))
    i, j = np.nonzero(~np.eye(n, dtype=bool))
    bound = np.where(rng.random(len(i)) < 0.5, 1e9, rng.uniform(0.05, 1.0, len(i)))
    binds = bound < 1e9
    objectives = []
    for pairs in (Pairs(i, j, bound), Pairs(i[binds], j[binds], bound[binds])):
        problem = AssignmentProblem(cost, pairs, name)
        answer = solve(problem, solver, tol=1e-4)
        certificate = certify(problem, answer.distributions, answer.duals)
        assert certificate.is_fair
        assert certificate.gap <= 1e-4
        objectives.append(certificate.objective)
    assert objectives[0] == pytest.approx(objectives[1], rel=2e-4)
