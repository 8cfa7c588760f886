"""Who is treated unequally, counted by hand and by ``audit``."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from likewise import LikewiseClustering, Pairs, metrics
from likewise.auditing import audit, audit_pairs

X = np.random.default_rng(0).normal(size=(40, 2))
SEX = np.array(["f", "m"])[np.arange(40) % 2]


@pytest.mark.parametrize("listed", [True, False])
def test_counts_by_hand(listed):
    labels = (X[:, 0] > 0).astype(int) + (X[:, 1] > 1)
    bound = cdist(X, X) / cdist(X, X).max()
    apart = labels[:, None] != labels[None, :]
    above = apart & (bound + 1e-9 < 1)
    i, j = np.nonzero(~np.eye(40, dtype=bool))
    every = metrics.constrained_pairs(X, "global", n_clusters=3)
    pairs = Pairs(i, j, bound[i, j]) if listed else every
    found = audit(labels, pairs, {"sex": SEX}, top=5)
    assert found.pairs.count == above.sum()
    assert found.pairs.checked == 40 * 39
    assert found.people_affected == above.any(axis=1).sum()
    person = found.worst_people[0]
    assert person.violated == above.sum(axis=1).max() == above[person.row].sum()
    assert person.compared == 39
    excess = np.where(apart, 1 - bound, -np.inf)
    assert found.worst_pairs[0].excess == pytest.approx(excess.max())
    assert [pair.excess for pair in found.worst_pairs] == sorted(
        (pair.excess for pair in found.worst_pairs), reverse=True
    )
    women = next(group for group in found.groups if group.group == ("sex", "f"))
    assert women.size == 20
    assert women.violated == pytest.approx(above[SEX == "f"].sum() / (20 * 39))
    assert np.dot(women.cluster_shares, found.cluster_sizes) == pytest.approx(20)
    assert not found.is_fair


def test_a_fair_clustering_is_found_fair():
    model = LikewiseClustering(3, random_state=0).fit(X)
    found = audit(model.distributions_, metrics.constrained_pairs(X, n_clusters=3))
    assert found.is_fair
    assert found.worst_people == []
    assert found.groups == []
    assert found.pairs.worst_excess <= 1e-9


def test_several_clusterings_are_judged_as_each_alone():
    pairs = metrics.constrained_pairs(X, n_clusters=3)
    labels = (X[:, 0] > 0).astype(int)
    soft = np.random.default_rng(1).dirichlet(np.ones(3), 40)
    for x, found in zip([labels, soft], audit_pairs([labels, soft], pairs), strict=True):
        alone = audit(x, pairs)
        assert found.pairs == alone.pairs
        assert found.people_affected == alone.people_affected
        assert found.examples[0].excess == alone.worst_pairs[0].excess


def test_examples_are_the_worst_pairs_with_everybody_once():
    """Row 0 is too near to all of the others: without care it would be in every example."""
    pairs = Pairs([0, 0, 0, 2, 4, 5], [1, 2, 3, 3, 5, 6], [0.0, 0.1, 0.2, 0.4, 0.5, 1.0])
    (found,) = audit_pairs([[0, 1, 1, 2, 0, 1, 2]], pairs, examples=10)
    assert [(pair.i, pair.j) for pair in found.examples] == [(0, 1), (2, 3), (4, 5)]
    assert [pair.bound for pair in found.examples] == [0.0, 0.4, 0.5]
    assert [pair.divergence for pair in found.examples] == [1.0, 1.0, 1.0]
    (few,) = audit_pairs([[0, 1, 1, 2, 0, 1, 2]], pairs, examples=1)
    assert len(few.examples) == 1


def test_no_example_where_all_is_well():
    (found,) = audit_pairs([np.zeros(3, dtype=int)], Pairs([0, 1], [1, 2], [0.0, 0.0]))
    assert found.examples == []
