"""Polishing: what it finds keeps every bound, is near where it began, and is taken if cheaper."""

import numpy as np
import pytest
from support.oracle import assert_fair
from support.problems import random_groups, random_problem, with_groups

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


def nearly_optimal(merged, rounds=10):
    """An iterate of the method."""
    from likewise.solvers.first_order.run import FirstOrderRun
    from likewise.solvers.first_order.stopping import RelativeGap

    run = FirstOrderRun(merged, RelativeGap(TOL), repair_for(merged))
    state = run.state
    for _ in range(rounds):
        state.admit(merged.scanner.full(state.x.image))
        state.iterate(40)
    return state.x.image


@pytest.mark.parametrize("divergence", ["tv", "hellinger", "kl"])
@pytest.mark.parametrize("is_listed", [True, False])
def test_what_it_finds_keeps_every_bound_and_is_near(divergence, is_listed, monkeypatch):
    monkeypatch.setattr(choose, "LISTED_PAIRS", 10**9 if is_listed else 0)
    problem = crowded(0, divergence=divergence)
    merged = MergedProblem.of(problem)
    x = nearly_optimal(merged, rounds=40 if divergence == "kl" else 10)
    assert len(merged.scanner.full(x).candidates) > 0, "something is to be done"
    found = Polishing(merged).polished(x, slack=0.2 * TOL)
    assert found is not None
    assert_fair(problem, merged.unmerged(found), allowed=1e-11)
    way = [np.vdot(merged.cost, each) for each in (x, found, repair_for(merged).first())]
    assert way[1] - way[0] < 0.3 * (way[2] - way[0]), "it is not near"


def test_groups_keep_their_bounds_too():
    problem = with_groups(
        random_problem(3, n=60, k=3, density=0.4, scale=0.3), random_groups(3, 60, delta=0.3)
    )
    merged = MergedProblem.of(problem)
    found = Polishing(merged).polished(nearly_optimal(merged), slack=0.2 * TOL)
    if found is not None:
        assert_fair(problem, merged.unmerged(found), allowed=1e-11)


def test_it_keeps_to_the_centres_allowed():
    problem = crowded(1)
    allowed = problem.cost <= np.sort(problem.cost, axis=1)[:, [2]]  # not the farthest
    within = AssignmentProblem(problem.cost, problem.pairs, allowed=allowed)
    merged = MergedProblem.of(within)
    found = Polishing(merged).polished(nearly_optimal(merged), slack=0.2 * TOL)
    assert found is not None
    assert found[~allowed].max() == 0
    assert_fair(problem, merged.unmerged(found), allowed=1e-11)


@pytest.mark.parametrize("seed", range(5))
def test_the_cheaper_of_both_is_taken(seed):
    merged = MergedProblem.of(crowded(seed))
    x = nearly_optimal(merged)
    other, polished = repair_for(merged), PolishedRepair(repair_for(merged), merged)
    none = merged.scanner.known.take(slice(0, 0))
    costs = [
        np.vdot(merged.cost, repair.make_fair(x, none, NEGLIGIBLE)) for repair in (other, polished)
    ]
    assert costs[1] <= costs[0]


def test_in_a_crowd_it_is_much_cheaper():
    merged = MergedProblem.of(crowded(0, n=600, d=1))
    x = nearly_optimal(merged, rounds=5)
    cost = np.vdot(merged.cost, x)
    rise = [
        np.vdot(merged.cost, repair.make_fair(x, merged.scanner.known, NEGLIGIBLE)) - cost
        for repair in (repair_for(merged), PolishedRepair(repair_for(merged), merged))
    ]
    assert rise[1] < rise[0] / 2


def test_the_estimate_grows_with_what_is_to_be_done():
    merged = MergedProblem.of(crowded(0))
    repair = PolishedRepair(repair_for(merged), merged)
    far = np.eye(4)[merged.cost.argmin(axis=1)]
    near = nearly_optimal(merged)
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
    x = nearly_optimal(merged)
    repair = PolishedRepair(repair_for(merged), merged)
    for looks in range(0, 60, 7):
        asked = iter(range(10**9))
        with cut_short(lambda asked=asked, looks=looks: next(asked) >= looks):
            fair = repair.make_fair(x, merged.scanner.known, NEGLIGIBLE)
        assert_fair(problem, merged.unmerged(fair), allowed=1e-11)
