"""Polishing: what it finds is nearly fair and near where it began; the cheaper repair is taken."""

import numpy as np
import pytest
from support.oracle import assert_fair
from support.problems import iterate_of, random_groups, random_problem, with_groups

from likewise import AssignmentProblem
from likewise.compute.cancellation import cut_short
from likewise.geometry.distances import Distances
from likewise.similarities.build import build_pairs
from likewise.solvers.first_order.polishing import PolishedRepair, Polishing
from likewise.solvers.merged_problem import MergedProblem
from likewise.solvers.repair.choose import repair_for
from likewise.solvers.separation import choose

TOL = 1e-2
NEGLIGIBLE = 0.05 * TOL


def crowded(seed, n=150, k=4, divergence="tv", d=3):
    """Points in a crowd, every pair, local similarity: where sweeps disturb each other."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(n, d))
    distances = Distances(X)
    cost = distances.to_rows(np.arange(k)) ** 2
    return AssignmentProblem(cost, build_pairs("local", distances, n_clusters=k), divergence)


def excess(merged, x):
    """How far the worst pair is above its bound, and how many are."""
    pairs = merged.scanner.full(x).candidates
    above = merged.ops.values(x, pairs) - pairs.bound
    return above.max(initial=0.0), len(pairs)


@pytest.mark.parametrize("divergence", ["tv", "hellinger", "kl"])
@pytest.mark.parametrize("is_listed", [True, False])
def test_what_it_finds_is_fairer_and_near(divergence, is_listed, monkeypatch):
    monkeypatch.setattr(choose, "LISTED_PAIRS", 10**9 if is_listed else 0)
    merged = MergedProblem.of(crowded(0, divergence=divergence))
    state = iterate_of(merged, rounds=40 if divergence == "kl" else 10)
    x = state.x.image.copy()
    before, some = excess(merged, x)
    assert some > 0, "something is to be done"
    found = Polishing(merged, state).polished(x, slack=0.2 * TOL)
    assert np.abs(found.x.sum(axis=1) - 1).max() < 1e-12
    assert found.x.min() >= 0
    worst, _ = excess(merged, found.x)
    assert found.is_fair == (worst == 0)
    assert worst < 0.1 * before
    way = [np.vdot(merged.cost, each) for each in (x, found.x, repair_for(merged).first())]
    assert way[1] - way[0] < 0.1 * (way[2] - way[0]), "it is not near"
    assert (state.x.image == x).all(), "the iterate itself goes on from where it was"


def test_groups_keep_their_bounds_too():
    problem = with_groups(
        random_problem(3, n=60, k=3, density=0.4, scale=0.3), random_groups(3, 60, delta=0.3)
    )
    merged = MergedProblem.of(problem)
    state = iterate_of(merged, rounds=10)
    found = Polishing(merged, state).polished(state.x.image, slack=0.2 * TOL)
    assert found.is_fair
    assert_fair(problem, merged.unmerged(found.x), allowed=1e-11)


def test_it_keeps_to_the_centres_allowed():
    problem = crowded(1)
    allowed = problem.cost <= np.sort(problem.cost, axis=1)[:, [2]]  # not the farthest
    within = AssignmentProblem(problem.cost, problem.pairs, allowed=allowed)
    merged = MergedProblem.of(within)
    state = iterate_of(merged, rounds=10)
    found = Polishing(merged, state).polished(state.x.image, slack=0.2 * TOL)
    assert found.x[~allowed].max() == 0


@pytest.mark.parametrize("seed", range(5))
def test_the_cheaper_of_both_is_taken(seed):
    merged = MergedProblem.of(crowded(seed))
    state = iterate_of(merged, rounds=10)
    x = state.x.image
    other, polished = repair_for(merged), PolishedRepair(repair_for(merged), merged, state)
    none = merged.scanner.known.take(slice(0, 0))
    costs = [
        np.vdot(merged.cost, repair.make_fair(x, none, NEGLIGIBLE)) for repair in (other, polished)
    ]
    assert costs[1] <= costs[0]


def test_in_crowds_it_is_much_cheaper():
    """Never dearer, and all of them together for a tenth."""
    rises = np.array([rises_in_a_crowd(seed) for seed in range(6)])
    assert (rises[:, 1] <= rises[:, 0]).all()
    assert rises[:, 1].sum() < rises[:, 0].sum() / 10


def rises_in_a_crowd(seed):
    """By how much the cost of an iterate rises: by the plain repair, and by polishing."""
    merged = MergedProblem.of(crowded(seed, n=600, d=1))
    state = iterate_of(merged, rounds=5)
    x = state.x.image
    cost = np.vdot(merged.cost, x)
    return [
        np.vdot(merged.cost, repair.make_fair(x, merged.scanner.known, NEGLIGIBLE)) - cost
        for repair in (repair_for(merged), PolishedRepair(repair_for(merged), merged, state))
    ]


def test_the_estimate_grows_with_what_is_to_be_done():
    merged = MergedProblem.of(crowded(0))
    state = iterate_of(merged, rounds=10)
    repair = PolishedRepair(repair_for(merged), merged, state)
    far = np.eye(4)[merged.cost.argmin(axis=1)]
    near = state.x.image
    rises = [
        repair.estimate(x, merged.scanner.full(x)) - np.vdot(merged.cost, x) for x in (near, far)
    ]
    assert 0 < rises[0] < rises[1]
    fair = repair.first()
    assert repair.estimate(fair, merged.scanner.full(fair)) == pytest.approx(
        np.vdot(merged.cost, fair)
    )


def test_cut_short_what_the_other_repair_has_found_stands():
    problem = crowded(0)
    merged = MergedProblem.of(problem)
    state = iterate_of(merged, rounds=10)
    x = state.x.image
    repair = PolishedRepair(repair_for(merged), merged, state)
    for looks in range(0, 60, 7):
        asked = iter(range(10**9))
        with cut_short(lambda asked=asked, looks=looks: next(asked) >= looks):
            fair = repair.make_fair(x, merged.scanner.known, NEGLIGIBLE)
        assert_fair(problem, merged.unmerged(fair), allowed=1e-11)


@pytest.mark.parametrize("divergence", ["tv", "kl"])
def test_bounds_are_tightened_by_what_may_be_lost(divergence):
    """Mixing the best answer with as much of the cheapest centre keeps the tightened bounds: that
    costs a fifth of the tolerance at most, and no less can be said.
    """
    merged = MergedProblem.of(crowded(0, divergence=divergence))
    state = iterate_of(merged, rounds=10)
    repair = PolishedRepair(repair_for(merged), merged, state)
    x = state.x.image
    cost = float(np.vdot(merged.cost, x))
    for tol in (1e-2, 1e-4):
        slack = repair._slack(x, 0.05 * tol)
        mixed = (1 - slack) * x + slack * repair.first()
        assert np.vdot(merged.cost, mixed) == pytest.approx((1 + 0.2 * tol) * cost)
    assert repair._slack(repair.first(), NEGLIGIBLE) <= 0.1, "nothing to lose, and still not all"
