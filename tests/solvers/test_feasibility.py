"""Whether centres within reach are enough, where groups have bounds too."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from support.oracle import assert_fair

from likewise import AssignmentProblem, LikewiseClustering
from likewise.compute.budget import Budget
from likewise.fitting.k_center import least_radius
from likewise.geometry.distances import Distances
from likewise.groups.bounds import bounds_from
from likewise.groups.membership import Groups
from likewise.similarities.build import build_pairs
from likewise.solvers.feasibility import Feasibility, Verdict
from likewise.solvers.group_constraints import GroupRows
from likewise.solvers.merged_problem import MergedProblem


@pytest.fixture(scope="module")
def people():
    rng = np.random.default_rng(4)
    return rng.normal(size=(200, 3)), rng.integers(0, 2, 200)


@pytest.fixture(scope="module")
def problem(people):
    X, sex = people
    groups = Groups.from_features(sex, len(X))
    pairs = build_pairs("global", Distances(X), n_clusters=4, n_neighbors=20).within(groups)
    bounds = bounds_from(groups, np.ones(len(X)), 0.2, None)
    return AssignmentProblem(cdist(X, X[:4]), pairs, "tv", bounds)


@pytest.fixture
def no_cuts(monkeypatch):
    def refused(*_):
        raise AssertionError("cuts are the last resort")

    monkeypatch.setattr(Feasibility, "_by_cuts", refused)


def test_groups_are_decided_without_cuts(problem, no_cuts):
    """The least radius is possible and the next smaller one is not, both without a program."""
    least = least_radius(problem, problem.cost, Budget())
    assert least.duals_below is not None
    assert least.distributions[problem.cost > least.radius].max() == 0.0
    assert_fair(problem, least.distributions, allowed=5e-12)


def test_without_cuts_it_may_stay_undecided(problem, no_cuts):
    least = least_radius(problem, problem.cost, Budget())
    verdict = Feasibility(problem).decide(least.allowed, Budget(), most_iterations=1, by_cuts=False)
    assert verdict == Verdict()


def test_tight_bounds_on_groups_lie_between_bound_and_share(problem):
    rows = MergedProblem.of(problem).groups
    tight = rows.tightened(0.25)
    np.testing.assert_allclose(tight.bound, 0.75 * rows.bound + 0.25 * rows.share)
    assert (tight.bound[0] < rows.bound[0]).all()
    assert (tight.bound[1] > rows.bound[1]).all()
    assert isinstance(tight, GroupRows)


def test_the_expected_distance_is_near_its_bound_with_groups(people, no_cuts):
    """Polishing keeps groups within their bounds too, where nothing can be mixed with."""
    X, sex = people
    model = LikewiseClustering(
        4, p=np.inf, similarity="global", group_tolerance=0.2, tol=1e-2, solver="first-order"
    ).fit(X, sensitive_features=sex)
    assert model.certificate_.is_fair
    assert model.certificate_.radius.is_minimal
    assert model.gap_ <= 1e-2
