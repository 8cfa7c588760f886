"""Which k: the numbers against scikit-learn's and those of single fits."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from sklearn.base import clone
from sklearn.metrics import silhouette_score

import likewise
from likewise import InvalidArgument, LikewiseClustering, choose_k, choosing
from likewise.centers.choose import choose_for
from likewise.choosing import KRow, suggestion
from likewise.estimator import clusterer

RANDOM = np.random.default_rng(0)
CORNERS = [(0, 0), (9, 0), (0, 9)]
X = np.concatenate([RANDOM.normal(corner, 1, (20, 2)) for corner in CORNERS])


@pytest.fixture(scope="module", params=["local", "global"])
def choice(request):
    return request.param, choose_k(X, [4, 2, 3], similarity=request.param, random_state=0)


def test_three_blobs_are_three_clusters(choice):
    similarity, found = choice
    assert [row.n_clusters for row in found.table] == [2, 3, 4]
    if similarity == "local":
        assert found.suggested == 3
        assert "best separated" in found.reason
        assert " 3*" in str(found)


def test_the_numbers_are_those_of_fits(choice):
    similarity, found = choice
    for row in found.table:
        assert row.lower_bound <= row.fair_cost * (1 + 1e-12)
        assert row.price == pytest.approx(row.fair_cost / row.hard_cost)
        assert row.hard_cost <= row.fair_cost
        single = LikewiseClustering(row.n_clusters, similarity=similarity, random_state=0).fit(X)
        assert row.fair_cost == pytest.approx(single.cost_, rel=0.05)


def costs_of(found):
    return [row.fair_cost for row in found.table]


@pytest.mark.parametrize("options", [{}, {"p": 1}, {"p": np.inf}, {"n_neighbors": 9}])
@pytest.mark.parametrize("seed", [0, 1, np.random.RandomState(1)])
def test_a_fit_with_the_same_seed_finds_what_was_shown(options, seed):
    """The first k to the bit; a later one may be better here, from the answer for fewer."""
    crowd = np.random.default_rng(1).normal(size=(80, 3))  # no clusters: chance decides
    options = options | {"tol": 1e-2}
    shown = costs_of(choose_k(crowd, [5, 6, 7], random_state=seed, **options))
    fitted = [
        LikewiseClustering(k, random_state=clone(seed, safe=False), **options).fit(crowd).cost_
        for k in (5, 6, 7)
    ]
    assert shown[0] == fitted[0]
    assert all(here <= there for here, there in zip(shown, fitted, strict=True))


def test_the_search_begins_with_the_centres_of_a_fit(monkeypatch):
    crowd, begun = np.random.default_rng(1).normal(size=(200, 4)), []
    options = {"n_neighbors": 5, "tol": 0.1}

    def noted(task, *told):
        begun.append(choose_for(task, *told))
        return begun[-1]

    monkeypatch.setattr(choosing, "choose_for", noted)
    monkeypatch.setattr(clusterer, "choose_for", noted)
    for seed in (0, 3):
        choose_k(crowd, [12], random_state=seed, **options)
        LikewiseClustering(12, random_state=seed, **options).fit(crowd)
    rows = [centers.indices.tolist() for centers in begun]
    assert rows[0] == rows[1]
    assert rows[2] == rows[3]
    assert rows[0] != rows[2]


def test_without_a_seed_anything_may_come_and_a_generator_is_left_as_it_is():
    crowd = np.random.default_rng(1).normal(size=(40, 2))
    generator = np.random.RandomState(5)
    first, again = (choose_k(crowd, [4], random_state=generator, tol=0.1) for _ in range(2))
    assert costs_of(first) == costs_of(again)
    assert generator.randint(2**31) == np.random.RandomState(5).randint(2**31)
    for anything in (None, np.random, np.random.mtrand._rand):
        assert len(choose_k(crowd, [2, 3], random_state=anything, tol=0.1).table) == 2
    with pytest.raises(ValueError, match="cannot be used to seed"):
        choose_k(crowd, [2], random_state="0")


def test_unequal_pairs_and_silhouettes_by_hand():
    (row,) = choose_k(X, [3], similarity="local", random_state=0).table
    labels = np.repeat([0, 1, 2], 20)  # the blobs are far apart: any clustering finds them
    assert row.silhouette == pytest.approx(silhouette_score(X, labels))
    D = cdist(X, X)
    bound = np.minimum(D / np.sort(D, axis=1)[:, 20:21], 1)
    above = (labels[:, None] != labels) & (bound < 1 - 1e-9)
    assert row.violated_share == pytest.approx(above.sum() / (60 * 59))


@pytest.mark.parametrize("options", [{"p": 1}, {"p": np.inf}, {"similarity": "global"}])
def test_more_clusters_never_cost_more(options):
    outliers = np.concatenate([RANDOM.normal(size=(40, 2)), [[60, 0], [0, 90]]])
    costs = [row.fair_cost for row in choose_k(outliers, range(1, 7), **options).table]
    assert (np.diff(costs) <= 1e-9 * np.array(costs[:-1])).all()


def rows(costs, silhouettes):
    return [
        KRow(k, 1.0, cost, cost, cost, 0.0, silhouette)
        for k, (cost, silhouette) in enumerate(zip(costs, silhouettes, strict=True), start=2)
    ]


def test_suggestions_have_reasons():
    assert suggestion(rows([9, 5, 4], [0.3, 0.6, 0.5]))[0] == 3
    k, reason = suggestion(rows([9, 5, 4.5, 4.2], [0.1, 0.2, float("nan"), 0.0]))
    assert (k, "save little" in reason) == (3, True)
    assert suggestion(rows([9], [0.3])) == (2, "the only number that was tried")


def test_groups_and_weights():
    sex = np.array(["f", "m"])[np.arange(60) % 2]
    found = choose_k(
        X, [2, 3], sensitive_features=sex, sample_weight=np.arange(60) % 3, group_tolerance=0.2
    )
    assert len(found.table) == 2


def test_in_no_time():
    found = choose_k(X, [2, 3], max_time=0.0)
    assert all(row.fair_cost >= row.lower_bound for row in found.table)


@pytest.mark.parametrize("asked", [[], [0], [2.5], [61], "3"])
def test_what_is_no_number_of_clusters(asked):
    with pytest.raises(InvalidArgument, match="n_clusters"):
        choose_k(X, asked)


def test_it_is_public():
    assert likewise.choose_k is choose_k
    with pytest.raises(InvalidArgument, match="similarty"):
        choose_k(X, [2], similarty="local")
