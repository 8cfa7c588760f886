"""Measures of fairness, against their definitions and against the paper's own figures."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog
from scipy.spatial.distance import cdist
from support import reference

from likewise import InvalidArgument, LikewiseClustering, Pairs, metrics
from likewise.baselines.clusterings import group_fair
from likewise.divergences.registry import as_divergence
from likewise.geometry import distances
from likewise.metrics.group import group_shares

RNG = np.random.default_rng(0)
X = RNG.normal(size=(40, 2))
SEX = RNG.integers(0, 2, 40)
SOFT = RNG.dirichlet(np.ones(3), 40)


def test_labels_and_one_hot_rows_are_the_same_clustering():
    labels = RNG.integers(0, 3, 40)
    pairs = metrics.constrained_pairs(X, "global", n_clusters=3)
    assert metrics.violations(labels, pairs) == metrics.violations(np.eye(3)[labels], pairs)
    assert metrics.bias(labels, SEX) == metrics.bias(np.eye(3)[labels], SEX)


def test_violations_are_counted():
    pairs = Pairs([0, 1, 2], [1, 2, 0], [0.5, 0.5, 1.0])
    found = metrics.violations([0, 1, 1], pairs)
    assert (found.count, found.checked, found.worst_excess) == (1, 3, 0.5)
    assert found.share == pytest.approx(1 / 3)


@pytest.mark.parametrize("similarity", ["global", "local"])
def test_every_pair_within_groups(similarity):
    pairs = metrics.constrained_pairs(X, similarity, n_clusters=3, sensitive_features=SEX)
    d = cdist(X, X)
    bound = d / d.max()
    if similarity == "local":
        bound = np.minimum(1, d / np.sort(d, axis=1)[:, [40 // 3]])
    tv = 0.5 * cdist(SOFT, SOFT, "cityblock")
    compared = (SEX[:, None] == SEX) & ~np.eye(40, dtype=bool)
    found = metrics.violations(SOFT, pairs)
    assert found.checked == compared.sum()
    assert found.count == (tv - bound > 1e-9)[compared].sum()


def test_worst_pairs_come_first():
    pairs = metrics.constrained_pairs(X, "global", n_clusters=3)
    worst = metrics.worst_pairs(SOFT, pairs, count=7)
    d = cdist(X, X)
    excess = 0.5 * cdist(SOFT, SOFT, "cityblock") - d / d.max()
    once = excess[np.triu_indices(40, 1)]
    np.testing.assert_allclose([pair.excess for pair in worst], np.sort(once)[::-1][:7])
    assert worst[0].divergence - worst[0].bound == worst[0].excess
    assert len(metrics.worst_pairs(SOFT, Pairs([0], [1], [0.1]))) == 1
    assert metrics.worst_pairs(SOFT, Pairs([], [], [])) == []


@pytest.mark.parametrize("divergence", ["tv", "kl"])
@pytest.mark.parametrize("rows_a_block", [1, 4, 100])
def test_every_pair_is_named_once(divergence, rows_a_block, monkeypatch):
    """In the order that is worse; also where its two orders stand in different blocks."""
    monkeypatch.setattr(distances, "BLOCK_CELLS", rows_a_block * len(X))
    pairs = metrics.constrained_pairs(X, "local", n_clusters=3)
    n, measure = len(X), as_divergence(divergence)
    soft = 0.9 * SOFT + 0.1 / SOFT.shape[1]  # finite ratios
    i, j = np.nonzero(~np.eye(n, dtype=bool))
    excess = np.full((n, n), -np.inf)
    excess[i, j] = measure.values(soft[i], soft[j]) - pairs.bounds_at(i, j)
    of_pair = np.maximum(excess, excess.T)[np.triu_indices(n, 1)]
    worst = metrics.worst_pairs(soft, pairs, divergence, count=7)
    assert len({frozenset((pair.i, pair.j)) for pair in worst}) == 7
    found = [pair.excess for pair in worst]
    np.testing.assert_allclose(found, np.sort(of_pair)[::-1][:7], atol=1e-12)
    assert len(metrics.worst_pairs(soft, pairs, divergence, count=n * n)) == n * (n - 1) // 2


@pytest.mark.parametrize("p", [1, 2, 3])
def test_costs(p):
    d = cdist(X, X[:3])
    weights = RNG.random(40)
    expected = (weights[:, None] * SOFT * d**p).sum() ** (1 / p)
    assert metrics.expected_cost(SOFT, d, p, weights) == pytest.approx(expected)
    hard = (weights * d.min(axis=1) ** p).sum() ** (1 / p)
    assert metrics.price_of_fairness(SOFT, d, p, weights) == pytest.approx(expected / hard)
    assert metrics.price_of_fairness(d.argmin(axis=1), d, p) == pytest.approx(1.0)


def test_cost_of_k_center_is_the_largest_distance():
    d = np.array([[1.0, 9.0], [2.0, 3.0]])
    assert metrics.expected_cost(np.array([[1.0, 0.0], [0.5, 0.5]]), d, np.inf) == 3.0


def test_all_about_groups_at_once():
    weights = np.random.default_rng(1).lognormal(0, 1, 40)
    groups = {"sex": SEX, "half": np.arange(40) // 20}
    found = group_shares(SOFT, groups, weights)
    assert [each.group for each in found] == list(metrics.balance(SOFT, groups))
    for each in found:
        attribute, value = each.group
        of_group = groups[attribute] == value
        assert each.size == of_group.sum()
        assert each.share == pytest.approx(weights[of_group].sum() / weights.sum())
        of_clusters = metrics.cluster_shares(SOFT, groups, weights)[each.group]
        assert each.cluster_shares == pytest.approx(tuple(of_clusters))
        assert each.balance == metrics.balance(SOFT, groups, weights)[each.group]
        assert each.bias == metrics.bias(SOFT, groups, weights)[each.group]


def test_bias_and_balance_of_two_clusters():
    labels = np.array([0, 0, 0, 1])
    sex = ["f", "f", "m", "m"]
    f, m = ("sensitive_feature_0", "f"), ("sensitive_feature_0", "m")
    shares = metrics.cluster_shares(labels, sex)
    np.testing.assert_allclose(shares[f], [2 / 3, 0])
    np.testing.assert_allclose(shares[m], [1 / 3, 1])
    # f brings 2 to the first cluster instead of 1.5: 0.5 of 2 members
    assert metrics.bias(labels, sex) == pytest.approx({f: 0.25, m: 0.25})
    assert metrics.balance(labels, sex) == pytest.approx({f: 0.0, m: 0.5})
    violation = metrics.additive_violation(labels, sex, group_bounds={"f": (0.25, 0.5)})
    assert violation[f] == pytest.approx(0.5)
    assert violation[m] == pytest.approx(0.0)


def test_perfect_proportions():
    alike = np.tile([0.2, 0.8], (40, 1))
    assert max(metrics.bias(alike, SEX).values()) < 1e-15
    assert min(metrics.balance(alike, SEX).values()) == pytest.approx(1.0)
    assert max(metrics.additive_violation(alike, SEX).values()) == pytest.approx(0, abs=1e-12)


def test_earth_movers_distance_is_the_transport_program():
    d = cdist(X, X)
    rows = np.flatnonzero(SEX == 0)
    from_group = np.kron(np.eye(len(rows)), np.ones(40))
    to_all = np.kron(np.ones(len(rows)), np.eye(40))
    answer = linprog(
        d[rows].ravel(),
        A_eq=np.vstack([from_group, to_all]),
        b_eq=np.r_[np.full(len(rows), 1 / len(rows)), np.full(40, 1 / 40)],
    )
    moved = metrics.earth_movers_distance(X, SEX, scale=1.0)
    assert moved[("sensitive_feature_0", 0)] == pytest.approx(answer.fun)
    scaled = metrics.earth_movers_distance(X, SEX)
    assert scaled[("sensitive_feature_0", 0)] == pytest.approx(answer.fun / d.max())


@given(seed=st.integers(0, 10_000), k=st.integers(2, 5), apart=st.floats(0, 3))
def test_the_papers_theorem(seed, k, apart):
    """Individually fair under F = d: no group's bias exceeds its distance from everybody."""
    rng = np.random.default_rng(seed)
    sex = rng.integers(0, 3, 30)
    data = rng.normal(size=(30, 2)) + apart * sex[:, None]
    model = LikewiseClustering(k, random_state=0, tol=1e-3).fit(data)
    for group in metrics.bias_and_distance(model.distributions_, data, sex):
        assert group.within


def test_theorem_needs_fair_pairs():
    """Hard clusters that follow the group: its bias is beyond what geometry excuses."""
    data = np.linspace(0, 1, 40)[:, None]
    sex = np.arange(40) % 2
    first = metrics.bias_and_distance(sex, data, sex)[0]
    assert first.bias == pytest.approx(0.5)
    assert not first.within


@pytest.mark.parametrize(
    ("clustering", "message"),
    [
        ([0, 1, -1], "noise"),
        (np.array([[0.5, 0.6]]), "sum to 1"),
        (np.array([[1.5, -0.5]]), "negative"),
        (np.array([[np.nan, 1.0]]), "not a number"),
        ([0.5, 0.5], "shape"),
        (["a", "b"], "type"),
    ],
)
def test_bad_clusterings(clustering, message):
    with pytest.raises(InvalidArgument, match=message):
        metrics.bias(clustering, [0] * len(clustering))


def test_bad_arguments():
    with pytest.raises(InvalidArgument, match="sensitive_features"):
        metrics.bias(SOFT, SEX[:5])
    with pytest.raises(InvalidArgument, match="the pairs name row 40"):
        metrics.violations(SOFT, Pairs([0], [40], [0.1]))
    with pytest.raises(InvalidArgument, match="distances"):
        metrics.expected_cost(SOFT, np.ones((40, 4)))
    with pytest.raises(InvalidArgument, match="sample_weight"):
        metrics.expected_cost(SOFT, np.ones((40, 3)), sample_weight=[1.0])


GF = reference.rows(algorithm="GF", n=300)


@pytest.mark.skipif(not reference.is_there(), reason="no reference results")
@pytest.mark.parametrize("row", GF, ids=reference.label)
def test_the_papers_figures(row):
    """Violations, bias and distance of group-fair clustering as its authors printed them.

    Their bias and distance are those of the most biased group. Where the cheapest assignment is
    not the only one, theirs may be biased a little differently: hence the width.
    """
    data, groups = reference.data(row), reference.groups(row)
    answer = group_fair(
        data, row["k"], groups, group_tolerance=row["delta"], centers=row["center_indices"],
        solver="exact",
    )  # fmt: skip
    m = 75 if row["similarity"] == "global" else row["n"] // row["k"]
    pairs = reference.pairs({**row, "n_neighbors": m})
    everyone, within = pairs, pairs.within(reference.as_groups(row))
    x = answer.distributions
    assert 100 * metrics.violations(x, everyone).share == pytest.approx(
        row["violation_percent"], abs=0.3
    )
    assert 100 * metrics.violations(x, within).share == pytest.approx(
        row["within_group_violation_percent"], abs=0.3
    )
    if row["bias"] is not None:
        by_group = metrics.bias_and_distance(x, data, groups)
        assert by_group[0].bias == pytest.approx(row["bias"], abs=0.0151)
        assert min(abs(g.distance - row["earth_mover"]) for g in by_group) <= 0.00501
