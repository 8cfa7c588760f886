"""Finding violated pairs: every scanner against looking at all pairs one by one.

What a scan of distributions x must say:

* its candidates are pairs above their bounds, with the right bounds, and stand for two rows of the
  data that are compared;
* every point that has violated pairs gets candidates (the worst of them, where there are many);
* its mixing weight is the least that brings every pair within its bound.
"""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import cdist
from support.executors import InParts

from likewise import AssignmentProblem, FDivergence, Pairs
from likewise.compute.executor import LOCAL
from likewise.geometry.distances import Distances
from likewise.geometry.gower import GowerMetric
from likewise.groups.membership import Groups
from likewise.similarities.build import CallableRule, build_pairs
from likewise.similarities.pairs import EveryPair
from likewise.solvers.divergence_ops.choose import ops_for
from likewise.solvers.separation import choose
from likewise.solvers.separation.blocks import BlockScanner
from likewise.solvers.separation.compiled import CompiledScanner
from likewise.solvers.separation.kernels import mark_largest
from likewise.solvers.separation.listed import LISTED_PER_POINT, ListScanner
from likewise.solvers.separation.tiles import PER_POINT
from likewise.solvers.working_set import CandidatePairs

N, K = 70, 4  # three boxes
CLEARLY = 1 + 1e-9  # violated by more than rounding
GRID = np.exp(-1.001e-3)  # from one mixing weight of the grid to below the next
RULES = ("global", "local", "table", "callable", "list")
OWN = FDivergence(lambda t: (t - 1) ** 2 / (t + 1))
METRICS = ("manhattan", "chebyshev", "cosine", "gower", "gower with gaps", "precomputed")
DIVERGENCES = ("tv", "kl", "hellinger", "max-ratio", "own")
# (is listed, rule, metric, divergence) and the scanner that must come out
WAYS = [
    *((True, rule, "euclidean", "tv", ListScanner) for rule in RULES),
    *((True, "local", "manhattan", divergence, ListScanner) for divergence in DIVERGENCES),
    *((False, rule, "euclidean", "tv", CompiledScanner) for rule in ("global", "local")),
    *((False, "global", metric, "tv", CompiledScanner) for metric in METRICS),
    *((False, rule, "euclidean", "kl", CompiledScanner) for rule in ("global", "local")),
    (False, "local", "euclidean", "hellinger", CompiledScanner),
    (False, "local", "gower", "own", CompiledScanner),
    *((False, rule, "euclidean", "tv", BlockScanner) for rule in ("table", "callable")),
    (False, "local", "canberra", "tv", BlockScanner),
    (False, "table", "euclidean", "kl", BlockScanner),
    (False, "local", "euclidean", "max-ratio", BlockScanner),
    (False, "global", "canberra", "own", BlockScanner),
    (False, "list", "euclidean", "tv", ListScanner),
]
EVERY_WAY = pytest.mark.parametrize(
    "way", WAYS, ids=lambda way: f"{way[4].__name__}-{'-'.join(way[1:4])}"
)
SOME = settings(max_examples=5)  # of each way
COMPILED = [way for way in WAYS if way[2:] == ("euclidean", "tv", CompiledScanner)]


def data(seed, duplicates=True):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(N, 3)) + 2 * rng.normal(size=(4, 3))[rng.integers(0, 4, N)]
    if duplicates:
        X[: N // 10] = X[N // 2 : N // 2 + N // 10]
    return X


def some_groups(seed):
    rng = np.random.default_rng(seed)
    return Groups.from_features({"sex": rng.integers(0, 2, N), "town": rng.integers(0, 5, N)}, N)


def bounds_between(A, B):
    """A similarity of one's own, not symmetric."""
    return np.abs(A[:, None] - B[None]).max(axis=2) * (1 + 0.3 * (A[:, :1] > 0)) / 5


def distances_under(metric, X):
    """Of mixed columns for Gower's distance, some of them unknown; of a table if they are given."""
    if metric == "precomputed":
        return Distances(cdist(X, X), metric)
    if not metric.startswith("gower"):
        return Distances(X, metric)
    mixed = np.column_stack([X, np.floor(X[:, 0]), np.floor(X[:, 1] / 2)])
    if metric == "gower with gaps":
        mixed[N // 10 : N // 2 : 6, 0] = mixed[2 * N // 3 :: 7, 3] = np.nan  # duplicates stay so
    return Distances(mixed, GowerMetric.of(mixed, np.arange(5) > 2))


def pairs_under(rule, X, metric, rng):
    distances = distances_under(metric, X)
    if rule == "callable":
        return EveryPair(distances, CallableRule.of(bounds_between, X))
    if rule == "list":
        i, j = rng.integers(0, N, (2, 900))
        return Pairs(i, j, rng.random(900) * (rng.random(900) > 0.01))
    similarity = bounds_between(X, X) if rule == "table" else rule
    return build_pairs(similarity, distances, n_clusters=K)


def make(way, seed, *, grouped=False, duplicates=True, executor=LOCAL):
    """(problem, distributions of its merged points, a function that makes a new scanner)."""
    listed, rule, metric, divergence, kind = way
    rng = np.random.default_rng(seed)
    X = data(seed, duplicates)
    pairs = pairs_under(rule, X, metric, rng)
    if grouped:
        pairs = pairs.within(some_groups(seed))
    if divergence == "own":
        divergence = OWN
    problem = AssignmentProblem(rng.random((N, K)), pairs, divergence, executor=executor)

    def scanner():
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(choose, "LISTED_PAIRS", 10**9 if listed else 0)
            made = choose.make_scanner(problem, ops_for(problem.divergence))
        assert type(made) is kind
        return made

    n_merged = scanner().merging.n_merged
    x = 0.98 * rng.dirichlet(np.full(K, 0.3), n_merged) + 0.02 * rng.dirichlet(np.ones(K))
    return problem, x, scanner


def merged_bounds(problem, merging):
    """(n_merged, n_merged): the smallest bound of each ordered pair of merged points, by hand;
    of a symmetric divergence, of both orders."""
    bound = np.full((merging.n_merged, merging.n_merged), np.inf)
    for block in problem.pairs.blocks():
        places = np.arange(block.bound.size)
        i, j = block.pairs_at(places)
        np.minimum.at(bound, (merging.label[i], merging.label[j]), block.bound.ravel())
    np.fill_diagonal(bound, np.inf)
    return np.minimum(bound, bound.T) if problem.divergence.symmetric else bound


def violated(problem, merging, x, factor=1.0):
    """(a, b, bound, value) of all pairs of merged points that are clearly above their bounds; one
    order of each if the divergence is symmetric."""
    bound = factor * merged_bounds(problem, merging)
    value = problem.divergence.table(x, x)
    above = (value > CLEARLY * bound) & (bound < factor * problem.divergence.largest)
    a, b = np.nonzero(np.triu(above) if problem.divergence.symmetric else above)
    return a, b, bound[a, b], value[a, b]


def nearly_fair(scanner, x, part=0.97):
    """x mixed with nearly as much of the reference as is needed: few pairs are still violated."""
    weight = part * scanner.full(x).mixing_weight
    return (1 - weight) * x + weight * scanner.reference


def keys(pairs):
    """The pairs as (a, b)."""
    return set(zip(pairs.a.tolist(), pairs.b.tolist(), strict=True))


def points_of(pairs, problem):
    """The first ends of the pairs; where their order says nothing, both."""
    return set(pairs.a) | (set(pairs.b) if problem.divergence.symmetric else set())


@EVERY_WAY
@pytest.mark.parametrize("grouped", [False, True], ids=["everybody", "within groups"])
@pytest.mark.parametrize("duplicates", [False, True], ids=["distinct", "duplicates"])
def test_candidates_are_violated_pairs_with_their_bounds_and_rows(way, grouped, duplicates):
    problem, x, scanner = make(way, 0, grouped=grouped, duplicates=duplicates)
    scan = scanner().full(x)
    candidates, merging = scan.candidates, scanner().merging
    assert len(keys(candidates)) == len(candidates) > 0
    value = problem.divergence.values(x[candidates.a], x[candidates.b])
    assert (value > candidates.bound * (1 - 1e-12)).all()
    expected = merged_bounds(problem, merging)[candidates.a, candidates.b]
    np.testing.assert_allclose(candidates.bound, expected, rtol=1e-12)

    # the rows behind a pair are of its points, are compared, and have that very bound
    i, j, flipped = merging.rows_of(candidates)
    of_i, of_j = merging.label[i], merging.label[j]
    np.testing.assert_array_equal(np.where(flipped, of_j, of_i), candidates.a)
    np.testing.assert_array_equal(np.where(flipped, of_i, of_j), candidates.b)
    if not problem.divergence.symmetric:
        assert not flipped.any()
    np.testing.assert_allclose(problem.pairs.bounds_at(i, j), candidates.bound, rtol=1e-12)


@EVERY_WAY
@SOME
@given(seed=st.integers(0, 10_000), grouped=st.booleans())
def test_every_point_with_violated_pairs_gets_candidates(way, seed, grouped):
    problem, x, scanner = make(way, seed, grouped=grouped)
    one = scanner()
    x = nearly_fair(one, x)
    candidates = one.full(x).candidates
    a, b, bound, value = violated(problem, one.merging, x)
    assert 0 < 2 * len(a) <= PER_POINT * N  # so few that none is left out of a block
    assert set(a) <= points_of(candidates, problem)
    # and the worst of all is always among them
    worst = int(np.argmax(value - bound))
    pair = (a[worst], b[worst])
    assert pair in keys(candidates) or (
        problem.divergence.symmetric and pair[::-1] in keys(candidates)
    )


@EVERY_WAY
@SOME
@given(seed=st.integers(0, 10_000), grouped=st.booleans())
def test_mixing_weight_is_the_least_that_is_enough(way, seed, grouped):
    problem, x, scanner = make(way, seed, grouped=grouped)
    one = scanner()
    weight = one.full(x).mixing_weight
    assert 0 < weight <= 1

    def worst_after(mixed):
        y = (1 - mixed) * x + mixed * one.reference
        *_, bound, value = violated(problem, one.merging, y)
        return (value / bound).max(initial=0.0)

    assert worst_after(weight) == 0.0
    assert worst_after(weight * GRID) > 1


@pytest.mark.parametrize("name", ["kl", "jensen-shannon", "hellinger", "triangular"])
@pytest.mark.parametrize("seed", range(5))
def test_bounds_of_no_more_than_rounding_leave_others_their_weight(name, seed):
    """Near zero computed divergences go up and down: what such a pair needs of the mixing is a
    matter of luck, but never less than what the pairs before it need.
    """
    rng = np.random.default_rng(seed)
    x = rng.dirichlet(np.ones(K), 60)
    x[30:] = x[30] + 1e-9 * rng.normal(size=(30, K))
    x[30:] /= x[30:].sum(axis=1, keepdims=True)
    apart, same = np.triu_indices(30, 1), np.triu_indices(30, 1)
    i, j = np.r_[apart[0], 30 + same[0]], np.r_[apart[1], 30 + same[1]]
    bound = np.r_[np.full(len(apart[0]), 0.05), np.full(len(same[0]), 5e-17)]
    problem = AssignmentProblem(rng.random(x.shape), Pairs(i, j, bound), name)
    scanner = choose.make_scanner(problem, ops_for(problem.divergence))
    weight = scanner.full(x).mixing_weight
    mixed = (1 - weight) * x + weight * scanner.reference
    assert (problem.divergence.values(mixed[i], mixed[j]) <= bound + 1e-15).all()


@pytest.mark.parametrize("way", [way for way in WAYS if way[3] == "tv" and way[4] != BlockScanner])
def test_mixing_weight_of_total_variation_has_a_formula(way):
    """TV shrinks in proportion: 1 - bound / TV of the worst pair."""
    problem, x, scanner = make(way, 1)
    *_, bound, value = violated(problem, scanner().merging, x)
    assert scanner().full(x).mixing_weight == pytest.approx((1 - bound / value).max(), rel=1e-12)


@EVERY_WAY
def test_nothing_is_violated_where_all_are_treated_the_same(way):
    _, x, scanner = make(way, 2)
    one = scanner()
    scan = one.full(np.tile(one.reference, (len(x), 1)))
    assert len(scan.candidates) == 0
    assert scan.mixing_weight == 0.0


@EVERY_WAY
def test_quick_scans_see_what_full_scans_have_found(way):
    _, x, scanner = make(way, 3)
    one = scanner()
    assert one.knows_all == (way[4] is ListScanner)
    if not one.knows_all:
        assert len(one.quick(x).candidates) == 0  # nothing is known yet
    full = one.full(x)
    assert keys(one.quick(x).candidates) == keys(full.candidates)
    # two scans of different distributions: what either found is remembered
    y = x[:, ::-1].copy()
    both = keys(full.candidates) | keys(one.full(y).candidates)
    assert keys(one.quick(x).candidates) <= both
    assert keys(one.quick(x).candidates) >= keys(full.candidates)


@EVERY_WAY
def test_what_a_scanner_knows_can_be_given_to_another(way):
    _, x, scanner = make(way, 4)
    one, other = scanner(), scanner()
    one.full(x)
    one.quick(x)
    other.remember(*one.memory())
    assert other.pairs_scanned == one.pairs_scanned > 0
    assert other.full_cost == one.full_cost
    assert keys(other.quick(x).candidates) == keys(one.quick(x).candidates)


@EVERY_WAY
@SOME
@given(seed=st.integers(0, 10_000), slack=st.floats(0.01, 0.2))
def test_tightened_is_scanning_smaller_bounds(way, seed, slack):
    """Pairs whose own bounds cannot be exceeded need no room, and are left out here."""
    problem, x, scanner = make(way, seed)
    one = scanner()
    x = nearly_fair(one, x)
    candidates = one.tightened(slack).full(x).candidates
    a, *_ = violated(problem, one.merging, x, 1 - slack)
    assert 0 < 2 * len(a) <= PER_POINT * N  # so few that none is left out of a block
    assert set(a) <= points_of(candidates, problem)
    own = merged_bounds(problem, one.merging)[candidates.a, candidates.b]
    bites = own < problem.divergence.largest
    np.testing.assert_allclose(candidates.bound[bites], (1 - slack) * own[bites], rtol=1e-12)


@EVERY_WAY
@pytest.mark.parametrize("grouped", [False, True], ids=["everybody", "within groups"])
def test_scanning_in_parts_is_scanning_whole(way, grouped, monkeypatch):
    monkeypatch.setattr("likewise.geometry.distances.BLOCK_CELLS", 8 * N)  # blocks of a few rows
    _, x, whole = make(way, 5, grouped=grouped)
    _, _, in_parts = make(way, 5, grouped=grouped, executor=InParts(3))
    for slack in (0.0, 0.2):
        expected, scan = (one().tightened(slack).full(x) for one in (whole, in_parts))
        for column in ("a", "b", "bound", "code"):
            np.testing.assert_array_equal(
                getattr(scan.candidates, column), getattr(expected.candidates, column)
            )
        assert scan.mixing_weight == expected.mixing_weight


@pytest.mark.parametrize("way", COMPILED, ids=lambda way: way[1])
def test_boxes_out_of_reach_are_passed_over(way):
    """Crowds far from each other, nearly fair distributions: most boxes cannot hold a violated
    pair, and the scan still finds all there are."""
    rng = np.random.default_rng(6)
    crowds, size = 30, 40
    X = np.repeat(100 * rng.random((crowds, 3)), size, axis=0)
    X += rng.normal(size=X.shape) * 0.01
    problem = AssignmentProblem(
        np.ones((len(X), K)), build_pairs(way[1], Distances(X), n_clusters=3)
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(choose, "LISTED_PAIRS", 0)
        one = choose.make_scanner(problem, ops_for(problem.divergence))
    x = 2e-4 * rng.dirichlet(np.ones(K), len(X)) + (1 - 2e-4) * one.reference
    before = one.full_cost
    candidates = one.full(x).candidates
    assert 0 < one.full_cost < before / 3
    a, b, *_ = violated(problem, one.merging, x)
    assert len(a) > 100
    assert set(a) | set(b) == set(candidates.a) | set(candidates.b)


def test_a_list_gives_the_pairs_furthest_above():
    """Where a point has more violated pairs than candidates are wanted."""
    n = LISTED_PER_POINT + 30
    rng = np.random.default_rng(0)
    others, bound = np.arange(1, n), rng.random(n - 1)
    problem = AssignmentProblem(np.ones((n, 2)), Pairs(np.zeros_like(others), others, bound))
    scanner = choose.make_scanner(problem, ops_for(problem.divergence))
    x = np.eye(2)[(np.arange(n) > 0).astype(int)]  # the first against all others: TV = 1
    worst = others[np.argsort(bound)[:LISTED_PER_POINT]]
    assert keys(scanner.full(x).candidates) == {(0, b) for b in worst}


@pytest.mark.parametrize("seed", range(5))
def test_the_largest_of_each_run_are_marked(seed):
    random = np.random.default_rng(seed)
    lengths = random.integers(0, 12, size=40)
    edges = np.concatenate([[0], np.cumsum(lengths)])
    values = random.integers(0, 6, size=edges[-1]).astype(float)  # many are equal
    marked = np.zeros(len(values), dtype=bool)
    mark_largest(0, len(lengths), edges, values, 4, marked)
    for begin, end in pairwise(edges):
        in_order = np.argsort(-values[begin:end], kind="stable")[:4]
        assert sorted(in_order) == list(np.flatnonzero(marked[begin:end]))


def test_pairs_without_others():
    random = np.random.default_rng(0)
    keys = random.choice(400, size=100, replace=False)
    ours, theirs = keys[:70], np.sort(keys[40:])
    pairs, others = (
        CandidatePairs(each // 20, each % 20, each / 7.0, each) for each in (ours, theirs)
    )
    assert list(pairs.without(others, 20).code) == list(ours[:40])
    assert pairs.without(CandidatePairs.none(), 20) is pairs
