"""k-center: the least radius, against linear programs of scipy's and against brute force; and the
bracket it is sought with, against every threshold and with verdicts that never come.
"""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog
from scipy.spatial.distance import cdist
from support import oracle

from likewise import AssignmentProblem, LikewiseClustering, Pairs, SolverError, certify, solve
from likewise.divergences.registry import REGISTRY
from likewise.fitting.k_center import Bracket
from likewise.fitting.lower_bound import lower_bound
from likewise.geometry.distances import Distances
from likewise.groups.bounds import bounds_from
from likewise.groups.membership import Groups
from likewise.problem.assignment import Duals
from likewise.similarities.build import build_pairs
from likewise.solvers.feasibility import Verdict


def every_pair(X):
    D = cdist(X, X)
    i, j = np.nonzero(~np.eye(len(X), dtype=bool))
    return Pairs(i, j, D[i, j] / D.max())


def is_possible(problem, allowed):
    """Whether a fair assignment keeps to the centres allowed: total variation, the textbook way."""
    n, k = problem.cost.shape
    i, j, bound = oracle.all_pairs(problem)
    m = len(i)
    rows, right = [], []
    for pair in range(m):
        for c in range(k):
            row = np.zeros(n * k + m * k)
            row[i[pair] * k + c], row[j[pair] * k + c] = 1, -1
            row[n * k + pair * k + c] = -1
            rows.append(row)
            right.append(0.0)
        row = np.zeros(n * k + m * k)
        row[n * k + pair * k : n * k + (pair + 1) * k] = 1
        rows.append(row)
        right.append(bound[pair])
    for coefficient, _ in oracle.group_rows(problem):
        for c in range(k):
            row = np.zeros(n * k + m * k)
            row[c : n * k : k] = coefficient
            rows.append(row)
            right.append(0.0)
    sums = np.zeros((n, n * k + m * k))
    for point in range(n):
        sums[point, point * k : (point + 1) * k] = 1
    limits = [(0, None if ok else 0) for ok in allowed.ravel()] + [(0, None)] * (m * k)
    answer = linprog(
        np.zeros(n * k + m * k), np.array(rows), np.array(right), sums, np.ones(n), limits
    )
    return answer.status == 0


def least_possible(problem, distances):
    """The least distance within which everybody can be treated fairly."""
    for radius in np.unique(distances):
        if is_possible(problem, distances <= radius):
            return radius
    raise AssertionError("one centre for all is always possible")


def check(model, X):
    proof = model.certificate_.radius
    assert model.certificate_.is_fair
    assert proof.is_minimal
    assert proof.farthest <= proof.radius == model.cost_
    assert "radius" in str(model.certificate_)
    assert model.guarantee_ == (3 if len(np.unique(X, axis=0)) <= model.n_clusters else 4)
    far = cdist(X, model.cluster_centers_) > model.cost_
    assert model.distributions_[far].max(initial=0.0) == 0


@settings(max_examples=15)
@given(
    seed=st.integers(0, 10_000),
    n=st.integers(3, 9),
    k=st.integers(1, 4),
    copies=st.booleans(),
)
def test_no_smaller_radius_is_possible(seed, n, k, copies):
    X = np.random.default_rng(seed).normal(size=(n, 2))
    if copies:
        X = np.concatenate([X, X[:1]])
    k = min(k, n)
    model = LikewiseClustering(k, p=np.inf, similarity=every_pair(X)).fit(X)
    check(model, X)
    distances = cdist(X, model.cluster_centers_)
    assert model.cost_ == least_possible(AssignmentProblem(distances, every_pair(X)), distances)


@pytest.mark.parametrize("seed", range(4))
def test_within_four_times_the_best(seed):
    """Every choice of two centres, each with its least radius."""
    X = np.random.default_rng(seed).normal(size=(7, 2))
    model = LikewiseClustering(2, p=np.inf, similarity=every_pair(X)).fit(X)
    D = cdist(X, X)
    best = min(
        least_possible(AssignmentProblem(D[:, rows], every_pair(X)), D[:, rows])
        for rows in map(list, combinations(range(7), 2))
    )
    assert best <= model.cost_ <= 4 * best
    assert lower_bound(X, 2, p=np.inf).cost <= best


@pytest.mark.parametrize("seed", range(3))
def test_with_groups(seed):
    rng = np.random.default_rng(seed)
    X, sex = rng.normal(size=(8, 2)), rng.integers(0, 2, 8)
    model = LikewiseClustering(3, similarity="global", p=np.inf, group_tolerance=0.3, n_neighbors=3)
    model.fit(X, sensitive_features=sex)
    check(model, X)
    distances = cdist(X, model.cluster_centers_)
    groups = Groups.from_features(sex, 8)
    pairs = build_pairs("global", Distances(X), n_clusters=3, n_neighbors=3).within(groups)
    bounds = bounds_from(groups, np.ones(8), 0.3, None)
    problem = AssignmentProblem(distances, pairs, "tv", bounds)
    assert model.cost_ == least_possible(problem, distances)


@pytest.mark.parametrize("D", list(REGISTRY))
def test_every_divergence(D):
    X = np.random.default_rng(5).normal(size=(25, 2))
    model = LikewiseClustering(
        3, similarity="global", p=np.inf, divergence=D, n_neighbors=4, tol=1e-3
    ).fit(X)
    check(model, X)


@pytest.mark.parametrize("D", ["kl", "max-ratio"])
def test_infinite_divergences_need_a_centre_for_all(D):
    """Both orders are constrained, so all have the same support: one centre for everybody."""
    X = np.random.default_rng(6).normal(size=(15, 2))
    model = LikewiseClustering(3, similarity="global", p=np.inf, divergence=D).fit(X)
    assert model.cost_ == cdist(X, model.cluster_centers_).max(axis=0).min()


def test_zero_weights_bind_no_radius():
    X = np.concatenate([np.random.default_rng(7).normal(size=(10, 2)), [[50.0, 50.0]]])
    weights = np.r_[np.ones(10), 0.0]
    model = LikewiseClustering(2, similarity="global", p=np.inf, n_neighbors=3).fit(
        X, sample_weight=weights
    )
    assert model.cost_ < 20
    assert model.certificate_.is_fair


def test_local_similarity_and_precomputed_distances():
    X = np.random.default_rng(8).normal(size=(40, 2))
    ours = LikewiseClustering(4, p=np.inf, similarity="local").fit(X)
    check(ours, X)
    theirs = LikewiseClustering(4, p=np.inf, similarity="local", metric="precomputed")
    assert theirs.fit(cdist(X, X)).cost_ == ours.cost_


def test_large_enough_to_be_first_order():
    X = np.random.default_rng(9).normal(size=(900, 3))
    model = LikewiseClustering(8, similarity="global", p=np.inf, n_neighbors=20, tol=1e-2).fit(X)
    check(model, X)
    assert model.solver_ == "first-order"


@pytest.mark.filterwarnings("ignore:stopped at a gap")
def test_stopped_at_once_is_still_fair():
    X = np.random.default_rng(10).normal(size=(60, 2))
    model = LikewiseClustering(3, similarity="global", p=np.inf, n_neighbors=5, max_time=0.0).fit(X)
    assert model.certificate_.is_fair


def test_allowed_centres_without_the_search():
    X = np.random.default_rng(11).normal(size=(12, 2))
    distances = cdist(X, X[:3])
    problem = AssignmentProblem(distances, every_pair(X), allowed=distances <= distances.max())
    answer = solve(problem)
    free = solve(AssignmentProblem(distances, every_pair(X)))
    certificate = certify(problem, answer.distributions, answer.duals)
    assert certificate.is_fair
    assert certificate.objective == pytest.approx(problem.objective(free.distributions))
    nearest = distances <= distances.min(axis=1, keepdims=True)
    with pytest.raises(SolverError, match="allowed"):
        solve(AssignmentProblem(distances, every_pair(X), allowed=nearest))


POSSIBLE, IMPOSSIBLE, UNDECIDED = "possible", "impossible", "undecided"


def verdict_on(place, kind):
    """A verdict that remembers which place it is about."""
    if kind == POSSIBLE:
        return Verdict(distributions=np.full((1, 1), float(place)))
    rows, nothing = np.array([place]), np.zeros((1, 1))
    return Verdict(duals=Duals(rows, rows, nothing, nothing) if kind == IMPOSSIBLE else None)


def searched(low, top, answer):
    """The bracket at its end, and the places that were asked about."""
    bracket, asked = Bracket(low, top), []
    while (place := bracket.next()) is not None:
        asked.append(place)
        bracket.record(verdict_on(place, answer(place, asked.count(place))))
        assert len(asked) <= 3 * (top - low + 1) ** 2, "it does not end"
    return bracket, asked


PLACES = st.tuples(st.integers(0, 30), st.integers(0, 30), st.integers(0, 30)).map(sorted)


@given(PLACES)
def test_a_bracket_finds_the_least_possible_place(places):
    low, least, top = places
    bracket, asked = searched(low, top, lambda place, _: POSSIBLE if place >= least else IMPOSSIBLE)
    assert bracket.top == least
    assert all(low <= place < top for place in asked)
    assert len(asked) == len(set(asked)) <= 1 + np.ceil(np.log2(top - low + 1))
    assert asked[:1] in ([], [low])
    if least < top:
        assert bracket.distributions[0, 0] == least
    if least > low:
        assert bracket.duals_below.i[0] == least - 1
    else:
        assert bracket.duals_below is None  # what rules out the places below low is known


@given(PLACES, st.sets(st.integers(0, 30)))
def test_what_is_decided_when_asked_again_changes_nothing(places, hard):
    """Some verdicts come only the second time."""
    low, least, top = places

    def answer(place, times):
        if place in hard and times == 1:
            return UNDECIDED
        return POSSIBLE if place >= least else IMPOSSIBLE

    bracket, _ = searched(low, top, answer)
    assert bracket.top == least
    if least > low:
        assert bracket.duals_below.i[0] == least - 1


@given(PLACES, st.sets(st.integers(0, 30)))
def test_what_is_never_decided_is_never_taken_for_a_proof(places, never):
    low, least, top = places

    def answer(place, _):
        if place in never:
            return UNDECIDED
        return POSSIBLE if place >= least else IMPOSSIBLE

    bracket, asked = searched(low, top, answer)
    assert least <= bracket.top <= top
    below, proof = bracket.top - 1, bracket.duals_below
    if bracket.top == low:
        assert proof is None
    elif below in never:
        assert proof is None
        assert asked.count(below) == 2  # it was given a second chance
    else:
        assert proof.i[0] == below == least - 1
    if bracket.top < top:
        assert bracket.distributions[0, 0] == bracket.top


def test_a_spent_budget_asks_nothing_again():
    bracket = Bracket(0, 1)
    assert bracket.next() == 0
    bracket.record(Verdict(), may_ask_again=False)
    assert bracket.next() is None
    assert bracket.top == 1
    assert bracket.distributions is None


@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_the_same_by_a_chain_of_bounds_of_zero():
    """Any two of a chain have a centre in common within the smaller radius, the three have none."""
    X = np.array([[0.0, 0.0], [2.0, 0.0], [1.0, 1.8], [1.0, 0.0], [1.5, 0.9], [0.5, 0.9]])
    pairs = Pairs(np.array([0, 1]), np.array([1, 2]), np.zeros(2))
    model = LikewiseClustering(3, p=np.inf, similarity=pairs, centers=np.array([3, 4, 5])).fit(X)
    x = model.distributions_
    assert model.certificate_.is_fair
    np.testing.assert_array_equal(x[[1, 2]], x[[0, 0]])
    together = cdist(X[:3], X[[3, 4, 5]]).max(axis=0).min()
    assert model.cost_ == pytest.approx(together)
