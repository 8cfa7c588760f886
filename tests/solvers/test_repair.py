"""From nearly fair to exactly fair: whatever a repair begins with, what it returns is fair, by a
check that knows nothing of the solvers, and no more expensive than it needs to be.

* mixing with a common distribution: costs no more than mixing the start as it is;
* mixing with an anchor: keeps to the centres allowed, costs no more than the anchor;
* sweeps only: fair and within the centres allowed, or the last answer that was.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.oracle import assert_fair
from support.problems import CASES, random_groups, random_problem, with_groups

from likewise import AssignmentProblem, FDivergence, Pairs
from likewise.divergences.registry import REGISTRY
from likewise.geometry.distances import Distances
from likewise.similarities.build import build_pairs
from likewise.solvers.divergence_ops.choose import ops_for
from likewise.solvers.group_constraints import GroupRows
from likewise.solvers.repair.anchored import AnchoredRepair
from likewise.solvers.repair.base import as_distributions, mix, within
from likewise.solvers.repair.groups import GroupRepair
from likewise.solvers.repair.mixing import MixingRepair
from likewise.solvers.repair.openings import within_limit
from likewise.solvers.repair.sweeping import SweepingRepair
from likewise.solvers.separation import choose
from likewise.solvers.working_set import CandidatePairs

EXACT = 1e-11  # rounding of divergences, and what the repairs themselves call kept
ROUNDING = 1 + 1e-9  # of costs
DIVERGENCES = [*REGISTRY.values(), FDivergence(lambda t: (t - 1) ** 2 / (t + 1))]
NONE = CandidatePairs.none()
SOME = settings(max_examples=4)


def starts(cost, reference, seed):
    """Distributions to begin with, by name."""
    rng = np.random.default_rng(seed)
    n, k = cost.shape
    one_far_off = np.tile(reference, (n, 1))
    one_far_off[seed % n] = np.eye(k)[cost[seed % n].argmin()]
    return {
        "random": rng.dirichlet(np.ones(k), n),
        "corners": np.eye(k)[rng.integers(0, k, n)],
        "cheapest": np.eye(k)[cost.argmin(axis=1)],
        "nearly fair": as_distributions(reference + 0.01 * rng.random((n, k))),
        "one far off": one_far_off,
        "not distributions": rng.normal(1, 1, (n, k)) + 1.5 * np.eye(k)[rng.integers(0, k, n)],
    }


START = pytest.mark.parametrize("start", list(starts(np.ones((2, 2)), np.ones(2) / 2, 0)))


class Setting:
    """A problem in terms of merged points, and its repairs."""

    def __init__(self, problem, allowed=None):
        self.problem = problem
        self.ops = ops_for(problem.divergence)
        self.scanner = choose.make_scanner(problem, self.ops)
        merging = self.scanner.merging
        self.label = merging.label
        self.cost = np.zeros((merging.n_merged, problem.n_centers))
        np.add.at(self.cost, self.label, problem.cost)
        self.groups = GroupRepair(GroupRows(problem.groups, merging), self.cost)
        self.allowed = merging.common(allowed)
        self.parts = (self.cost, self.scanner, self.ops, self.groups)

    def start(self, name, seed=0):
        return starts(self.cost, self.scanner.reference, seed)[name]

    def mixing(self):
        return MixingRepair(*self.parts, self.problem.n_open)

    def anchored(self):
        return AnchoredRepair(*self.parts, self.allowed)

    def sweeping(self):
        return SweepingRepair(*self.parts, self.allowed)

    def cost_of(self, x):
        return float(np.vdot(self.cost, x))

    def plainly_mixed(self, x):
        """The start with group bounds restored, mixed with as much of the reference as it needs."""
        x = self.groups.correct(as_distributions(x))
        return mix(x, self.scanner.full(x).mixing_weight, self.scanner.reference)

    def mixed_with_anchor(self, x, anchor, slack):
        """The start within the centres allowed, mixed with as much of an anchor as it needs."""
        x, pairs = within(x, self.allowed), self.scanner.listed
        off = (self.ops.values(x, pairs) / pairs.bound).max(initial=1.0) - 1
        return mix(x, off / (off + slack) if np.isfinite(off) else 1.0, anchor)

    def assert_fair(self, x):
        assert_fair(self.problem, x[self.label], EXACT)
        if self.allowed is not None:
            assert x[~self.allowed].max(initial=0.0) == 0.0


def repaired(repair, x, working=NONE):
    """x made fair, without a change to x itself."""
    before = x.copy()
    fair = repair.make_fair(x, working, negligible=1e-9)
    np.testing.assert_array_equal(x, before)
    return fair


def assert_mended(setting, x):
    """Fair, and no more expensive than the start when it is plainly mixed."""
    fair = repaired(setting.mixing(), x)
    setting.assert_fair(fair)
    plain = setting.plainly_mixed(x)
    assert setting.cost_of(fair) <= ROUNDING * setting.cost_of(plain)
    return fair


@START
@pytest.mark.parametrize("case", CASES)
def test_mixing_in_every_case(case, start):
    setting = Setting(CASES[case]())
    assert_mended(setting, setting.start(start))


@START
@pytest.mark.parametrize("divergence", DIVERGENCES, ids=lambda divergence: divergence.name)
@SOME
@given(seed=st.integers(0, 10_000), scale=st.sampled_from([1e-6, 0.05, 0.5]))
def test_mixing_under_every_divergence(divergence, start, seed, scale):
    plain = random_problem(seed, n=12, k=3, scale=scale, zero_share=0.02)
    setting = Setting(AssignmentProblem(plain.cost, plain.pairs, divergence))
    assert_mended(setting, setting.start(start, seed))


def test_sweeps_spare_the_others():
    """One pair with a tiny bound: mixing alone would give everybody the common distribution."""
    plain = random_problem(0, n=30, k=3, density=0.1)
    loose = np.full(len(plain.pairs), 0.99)
    pairs = Pairs(np.r_[plain.pairs.i, 0], np.r_[plain.pairs.j, 1], np.r_[loose, 1e-6])
    setting = Setting(AssignmentProblem(plain.cost, pairs))
    x = setting.start("cheapest")
    x[:2] = np.eye(3)[[1, 2]]
    fair = assert_mended(setting, x)
    rise, plain_rise = (
        setting.cost_of(y) - setting.cost_of(x) for y in (fair, setting.plainly_mixed(x))
    )
    assert setting.scanner.full(x).mixing_weight > 1 - 1e-5
    assert rise < 0.1 * plain_rise
    assert np.abs(fair - x)[2:].max() < 0.05


@given(seed=st.integers(0, 10_000), working=st.booleans())
def test_a_fair_start_stays_as_it_is(seed, working):
    setting = Setting(random_problem(seed, n=12, k=3, zero_share=0.05))
    fair = assert_mended(setting, setting.start("cheapest", seed))
    slightly_mixed = mix(fair, 1e-9, setting.scanner.reference)  # off the bounds, by more than ulps
    again = repaired(setting.mixing(), slightly_mixed, setting.scanner.listed if working else NONE)
    np.testing.assert_allclose(again, slightly_mixed, rtol=0, atol=1e-15)


@START
@pytest.mark.parametrize("similarity", ["global", "local"])
@pytest.mark.parametrize("divergence", ["tv", "kl"])
def test_mixing_where_pairs_are_not_listed(start, similarity, divergence, monkeypatch):
    """Quick scans know little there: scans over every pair have the last word."""
    monkeypatch.setattr(choose, "LISTED_PAIRS", 0)
    X = np.random.default_rng(1).normal(size=(60, 2))
    distances = Distances(X)
    pairs = build_pairs(similarity, distances, n_clusters=4)
    setting = Setting(AssignmentProblem(distances.to_rows(np.arange(4)), pairs, divergence))
    assert not setting.scanner.knows_all
    fair = repaired(setting.mixing(), setting.start(start))
    setting.assert_fair(fair)
    assert setting.cost_of(fair) <= ROUNDING * setting.mixing().common_cost


@START
@pytest.mark.parametrize("n_open", [1, 2])
@pytest.mark.parametrize("divergence", ["tv", "hellinger"])
def test_no_more_is_opened_than_may_be(start, n_open, divergence):
    plain = random_problem(3, n=20, k=6)
    setting = Setting(AssignmentProblem(plain.cost, plain.pairs, divergence, n_open=n_open))
    fair = repaired(setting.mixing(), setting.start(start))
    setting.assert_fair(fair)  # which counts the openings
    assert setting.cost_of(fair) <= ROUNDING * setting.mixing().common_cost


@given(seed=st.integers(0, 10_000), n_open=st.integers(1, 5))
def test_openings_alone(seed, n_open):
    rng = np.random.default_rng(seed)
    x, cost = rng.dirichlet(np.full(5, 0.3), 8), rng.random((8, 5))
    fewer = within_limit(x, cost, n_open)
    np.testing.assert_allclose(fewer.sum(axis=1), 1, rtol=0, atol=1e-12)
    opened = x.max(axis=0).sum()
    assert fewer.max(axis=0).sum() <= n_open * (1 + 1e-15)
    if opened <= n_open:
        assert fewer is x
    assert within_limit(x, cost, None) is x


def test_estimates_count_on_sweeps_where_few_pairs_are_off():
    setting = Setting(random_problem(0, n=12, k=3))
    repair = setting.mixing()
    x = setting.start("cheapest")
    some, own = setting.scanner.full(x), setting.cost_of(x)
    assert len(some.candidates) > len(setting.cost)
    assert own < repair.estimate(x, some) < repair.common_cost
    few = type(some)(some.candidates.take(slice(0, 3)), some.mixing_weight)
    assert repair.estimate(x, few) == own


@given(seed=st.integers(0, 10_000), delta=st.floats(0.0, 0.5))
def test_bounds_on_groups_are_restored_and_cells_stay_alike(seed, delta):
    """Members of the same groups move by one common kernel: no two of them get less alike."""
    problem = with_groups(random_problem(seed, n=24, k=3), random_groups(seed, 24, delta=delta))
    setting = Setting(problem)
    x = setting.start("random", seed)
    moved = setting.groups.correct(x)
    np.testing.assert_allclose(moved.sum(axis=1), 1, rtol=0, atol=1e-12)
    assert moved.min() >= 0
    assert setting.groups.excess(moved) <= 1e-11
    member = problem.groups.groups.member.toarray()
    i, j = np.nonzero((member[:, None] == member[None]).all(axis=2))
    apart = problem.divergence.values(moved[i], moved[j])
    assert (apart <= problem.divergence.values(x[i], x[j]) + 1e-12).all()
    np.testing.assert_array_equal(setting.groups.correct(moved), moved)


def restricted(seed, divergence="tv", scale=0.3, **options):
    """A random problem in which everyone may use the first centre, and some others."""
    plain = random_problem(seed, n=14, k=4, scale=scale, **options)
    allowed = np.random.default_rng(seed).random(plain.cost.shape) < 0.6
    allowed[:, 0] = True
    cost = plain.cost + np.eye(1, 4)  # the first is no bargain
    return Setting(AssignmentProblem(cost, plain.pairs, divergence), allowed)


def at_first_center(setting):
    """Everyone there: fair, with all the room there is."""
    return np.tile(np.eye(4)[0], (len(setting.cost), 1))


@START
@pytest.mark.parametrize("divergence", DIVERGENCES, ids=lambda divergence: divergence.name)
@SOME
@given(seed=st.integers(0, 10_000), scale=st.sampled_from([1e-6, 0.05, 0.5]))
def test_anchored_is_fair_and_never_worse_than_the_anchor(divergence, start, seed, scale):
    setting = restricted(seed, divergence, scale, zero_share=0.02)
    repair = setting.anchored()
    anchor = at_first_center(setting)
    repair.start_with(anchor)
    assert repair.first() is anchor
    assert repair.slack == 0.27  # all the room that is looked for
    x = setting.start(start, seed)
    fair = repaired(repair, x)
    setting.assert_fair(fair)
    plain = setting.mixed_with_anchor(x, anchor, repair.slack)
    assert setting.cost_of(fair) <= ROUNDING * min(map(setting.cost_of, (anchor, plain)))
    # and again from the better anchor that came out
    repair.start_with(fair)
    again = repaired(repair, x)
    setting.assert_fair(again)
    assert setting.cost_of(again) <= ROUNDING * setting.cost_of(fair)


@SOME
@given(seed=st.integers(0, 10_000), weight=st.floats(0.0, 1.0))
def test_the_room_of_an_anchor_is_never_overrated(seed, weight):
    setting = restricted(seed)
    repair = setting.anchored()
    cheap = within(setting.start("cheapest", seed), setting.allowed)
    repair.start_with(mix(cheap, weight, at_first_center(setting)))
    tight = AssignmentProblem(setting.problem.cost, setting.problem.pairs.scaled(1 - repair.slack))
    if repair.slack > 0:
        assert_fair(tight, repair.first()[setting.label], EXACT)


@given(seed=st.integers(0, 10_000))
def test_anchored_leaves_a_fair_start_as_it_is(seed):
    setting = restricted(seed)
    repair = setting.anchored()
    repair.start_with(at_first_center(setting))
    fair = repaired(repair, setting.start("cheapest", seed))
    within_bounds = mix(fair, 1e-6, at_first_center(setting))
    again = repaired(repair, within_bounds)
    np.testing.assert_allclose(again, within_bounds, rtol=0, atol=1e-15)


@START
@pytest.mark.parametrize("divergence", DIVERGENCES, ids=lambda divergence: divergence.name)
@SOME
@given(seed=st.integers(0, 10_000), scale=st.sampled_from([1e-6, 0.05, 0.5]))
def test_sweeping_is_fair_or_the_last_answer_stands(divergence, start, seed, scale):
    setting = restricted(seed, divergence, scale)
    repair = setting.sweeping()
    before = repair.first()
    fair = repaired(repair, setting.start(start, seed))
    assert repair.first() is fair
    assert_fair(setting.problem, fair[setting.label], EXACT)
    if fair is not before:  # the first answer may lie on centres that are not allowed
        setting.assert_fair(fair)


@pytest.mark.parametrize("divergence", ["tv", "hellinger"])  # KL has room on common supports only
@SOME
@given(seed=st.integers(0, 10_000))
def test_sweeps_reach_a_fair_answer_where_there_is_room(divergence, seed):
    setting = restricted(seed, divergence, scale=1.0, density=0.15)
    repair = setting.sweeping()
    before = repair.first()
    fair = repaired(repair, setting.start("random", seed))
    assert fair is not before
    setting.assert_fair(fair)


@pytest.mark.parametrize("repair", ["anchored", "sweeping"])
def test_groups_are_not_disturbed_within_allowed_centers(repair):
    """Sweeps would disturb them: an answer that misses a bound on a group is not taken."""
    problem = with_groups(random_problem(4, n=14, k=4), random_groups(4, 14))
    setting = Setting(problem, np.ones((14, 4), dtype=bool))
    made = getattr(setting, repair)()
    if repair == "anchored":
        made.start_with(at_first_center(setting))
    before = made.first()
    assert setting.groups.excess(setting.start("cheapest")) > 0.01
    assert repaired(made, setting.start("cheapest")) is before
    in_proportion = np.tile(setting.start("random")[0], (len(setting.cost), 1))
    fair = repaired(made, in_proportion)
    setting.assert_fair(fair)
    np.testing.assert_allclose(fair, in_proportion, rtol=0, atol=1e-15)


def test_what_lies_on_forbidden_centers_goes_to_allowed_ones():
    allowed = np.array([[True, True, False], [True, False, True], [False, False, True]])
    x = np.array([[0.2, 0.2, 0.6], [0.0, 1.0, 0.0], [-0.1, 0.1, 0.5]])
    expected = [[0.5, 0.5, 0], [0.5, 0, 0.5], [0, 0, 1]]
    np.testing.assert_allclose(within(x, allowed), expected)
