"""The linear program that grows by cuts, against scipy's on the same rows."""

import numpy as np
import pytest
from scipy.optimize import linprog
from support.problems import random_groups

from likewise.solvers.cutting_planes.program import CutLP, Cuts
from likewise.solvers.group_constraints import GroupRows
from likewise.solvers.presolve import Merging

N, K = 12, 4


def random_cuts(seed, count=60, n=N, k=K):
    """Planes alpha.x_a - alpha.x_b <= bound: x the same for everybody keeps all of them."""
    rng = np.random.default_rng(seed)
    a = rng.integers(0, n, count)
    b = (a + rng.integers(1, n, count)) % n
    alpha = rng.choice([0.0, 1.0, 0.5], size=(count, k))
    return Cuts(np.arange(count), a, b, alpha, -alpha, 0.2 * rng.random(count))


def random_cost(seed, n=N, k=K):
    return np.random.default_rng(seed).exponential(size=(n, k))


def unmerged(n=N):
    return Merging(np.arange(n), n)


def allowed_centers(seed):
    """Centre 0 is open to all, so that there is an answer; the others to some."""
    allowed = np.random.default_rng(seed).random((N, K)) < 0.6
    allowed[:, 0] = True
    return allowed


CASES = {
    "cuts alone": dict(),
    "groups": dict(bounds=random_groups(1, N, delta=0.5)),
    "openings": dict(n_open=2),
    "allowed centres": dict(allowed=allowed_centers(2)),
    "groups and openings": dict(bounds=random_groups(3, N, values=(2,), delta=0.4), n_open=2),
}
EACH = pytest.mark.parametrize("name", CASES)


def program(cost, bounds=None, n_open=None, allowed=None):
    return CutLP(cost, GroupRows(bounds, unmerged(len(cost))), n_open, allowed)


def linprog_optimum(cost, cuts, bounds=None, n_open=None, allowed=None):
    """The same program, every row written out: x first, then how far each centre is open."""
    n, k = cost.shape
    size = n * k + k
    rows, limits = [], []

    def at_most(x_part, limit, y_part=None):
        rows.append(np.r_[x_part.ravel(), np.zeros(k) if y_part is None else y_part])
        limits.append(limit)

    for p in range(len(cuts)):
        part = np.zeros((n, k))
        part[cuts.a[p]] += cuts.alpha[p]
        part[cuts.b[p]] += cuts.beta[p]
        at_most(part, cuts.bound[p])
    if bounds is not None:
        member = bounds.groups.member.toarray()
        for r in range(member.shape[1]):
            for c in range(k):
                part = np.zeros((n, k))
                part[:, c] = bounds.weights * (member[:, r] - bounds.upper[r])
                at_most(part, 0.0)
                part[:, c] = bounds.weights * (bounds.lower[r] - member[:, r])
                at_most(part, 0.0)
    if n_open is not None:
        for c in range(k):
            for j in range(n):
                part = np.zeros((n, k))
                part[j, c] = 1.0
                at_most(part, 0.0, -np.eye(k)[c])
        at_most(np.zeros((n, k)), n_open, np.ones(k))
    most = np.ones((n, k)) if allowed is None else allowed.astype(float)
    answer = linprog(
        np.r_[cost.ravel(), np.zeros(k)],
        A_ub=np.array(rows).reshape(-1, size),
        b_ub=limits,
        A_eq=np.hstack([np.kron(np.eye(n), np.ones((1, k))), np.zeros((n, k))]),
        b_eq=np.ones(n),
        bounds=np.column_stack([np.zeros(size), np.r_[most.ravel(), np.ones(k)]]),
    )
    assert answer.success
    return answer.fun


@EACH
def test_its_optimum_is_that_of_scipy(name):
    cost, cuts = random_cost(0), random_cuts(0)
    lp = program(cost, **CASES[name])
    lp.add(cuts)
    x = lp.solve(np.inf)
    expected = linprog_optimum(cost, cuts, **CASES[name])
    np.testing.assert_allclose(lp.objective, expected, rtol=1e-8)
    np.testing.assert_allclose(np.vdot(cost, x), expected, rtol=1e-8)
    np.testing.assert_allclose(x.sum(axis=1), 1.0, rtol=1e-9)
    assert (_values(x, cuts) <= cuts.bound + 1e-9).all()


@EACH
def test_it_grows_by_cuts(name):
    """Cuts in two portions, the second from the last basis."""
    cost, cuts = random_cost(1), random_cuts(1)
    first = np.arange(len(cuts)) % 2 == 0
    lp = program(cost, **CASES[name])
    lp.add(cuts.take(first))
    lp.solve(np.inf)
    before = lp.objective
    lp.add(cuts.take(~first))
    lp.solve(np.inf)
    assert lp.objective >= before - 1e-9
    np.testing.assert_allclose(lp.objective, linprog_optimum(cost, cuts, **CASES[name]), rtol=1e-8)
    assert lp.solves == 2


@EACH
def test_its_multipliers_prove_the_optimum(name):
    """None is negative; the least cost with what they add, less what they cost, is the optimum."""
    cost, cuts = random_cost(2), random_cuts(2)
    lp = program(cost, **CASES[name])
    lp.add(cuts)
    lp.solve(np.inf)
    paid, of_groups, of_openings = (
        lp.multipliers(),
        lp.group_multipliers(),
        lp.opening_multipliers(),
    )
    assert min(paid.min(), of_groups.min(initial=0.0), of_openings.min(initial=0.0)) >= 0
    assert paid.max() > 0  # some cut binds: else this would prove nothing
    shifted = cost.copy()
    np.add.at(shifted, cuts.a, paid[:, None] * cuts.alpha)
    np.add.at(shifted, cuts.b, paid[:, None] * cuts.beta)
    lp.groups.add_cost_shift(of_groups, shifted)
    bound = -paid @ cuts.bound
    if of_openings.size:
        shifted += of_openings
        bound -= np.sort(of_openings.sum(axis=0))[-CASES[name]["n_open"] :].sum()
    allowed = CASES[name].get("allowed", np.ones_like(cost, dtype=bool))
    bound += np.where(allowed, shifted, np.inf).min(axis=1).sum()
    np.testing.assert_allclose(bound, lp.objective, rtol=1e-7)


@pytest.mark.parametrize("name", [name for name in CASES if CASES[name]])
def test_every_case_matters(name):
    """What a case adds to the cuts costs something: else the tests above would miss it."""
    for seed in range(3):
        cost, cuts = random_cost(seed), random_cuts(seed)
        assert linprog_optimum(cost, cuts, **CASES[name]) > linprog_optimum(cost, cuts) + 1e-3


@EACH
def test_other_costs_go_on_from_the_last_answer(name):
    """To the optimum of the new costs; where the last answer is as good as any, no pivot is due."""
    cost, other, cuts = random_cost(5), random_cost(6), random_cuts(5)
    lp = program(cost, **CASES[name])
    lp.add(cuts)
    last = lp.solve(np.inf)
    lp.change_costs(2.0 * cost)
    before = lp.pivots
    np.testing.assert_array_equal(lp.solve(np.inf), last)
    assert lp.pivots == before
    lp.change_costs(other)
    lp.solve(np.inf)
    np.testing.assert_allclose(lp.objective, linprog_optimum(other, cuts, **CASES[name]), rtol=1e-8)


def test_centers_that_are_not_allowed_are_not_used():
    allowed = allowed_centers(2)
    lp = program(random_cost(0), allowed=allowed)
    lp.add(random_cuts(0))
    assert lp.solve(np.inf)[~allowed].max() == 0.0


def test_idle_cuts_can_go():
    cost, cuts = random_cost(3), random_cuts(3, count=200)
    lp = program(cost)
    lp.add(cuts)
    x = lp.solve(np.inf)
    before = lp.objective
    gone = lp.drop_idle()
    assert 0 < gone < len(cuts)
    assert len(lp.cuts) == len(cuts) - gone
    tight = _values(x, cuts) > cuts.bound - 1e-9
    assert set(np.flatnonzero(tight)) <= set(lp.cuts.pair)
    np.testing.assert_allclose(np.vdot(cost, lp.solve(np.inf)), before, rtol=1e-9)
    assert len(lp.multipliers()) == len(lp.cuts)


def _values(x, cuts):
    return (cuts.alpha * x[cuts.a] + cuts.beta * x[cuts.b]).sum(axis=1)


def test_scaled_cuts_are_the_same_planes():
    cuts = random_cuts(4)
    huge = Cuts(cuts.pair, cuts.a, cuts.b, 1e6 * cuts.alpha, 1e6 * cuts.beta, 1e6 * cuts.bound)
    scaled = huge.scaled()
    assert np.abs(np.hstack([scaled.alpha, scaled.beta])).max() == 1.0
    x = np.random.default_rng(4).dirichlet(np.full(K, 0.3), size=(20, N))
    for each in x:
        kept = _values(each, huge) <= huge.bound
        np.testing.assert_array_equal(_values(each, scaled) <= scaled.bound, kept)
        assert kept.any()
        assert not kept.all()


def test_distinct_cuts_leave_out_repetitions_only():
    cuts = random_cuts(5)
    rng = np.random.default_rng(5)
    twice = Cuts.join([cuts, cuts.take(rng.permutation(len(cuts))[:20])])
    distinct = twice.distinct()
    assert len(distinct) == len(cuts)
    np.testing.assert_array_equal(np.sort(distinct.pair), cuts.pair)
    by_pair = distinct.take(np.argsort(distinct.pair))
    np.testing.assert_array_equal(by_pair.alpha, cuts.alpha)
    np.testing.assert_array_equal(by_pair.bound, cuts.bound)
    # two planes of one pair are two cuts
    other = Cuts(cuts.pair, cuts.a, cuts.b, cuts.alpha + 1.0, cuts.beta - 1.0, cuts.bound)
    assert len(Cuts.join([cuts, other]).distinct()) == 2 * len(cuts)


def test_without_time_there_is_no_answer():
    n, k = 300, 6
    lp = program(random_cost(6, n, k))
    lp.add(random_cuts(6, 3_000, n, k))
    assert lp.solve(0.0) is None
    assert lp.solve(np.inf) is not None  # and it can go on later
