"""What is computed in a cell, also beside the authors' own numbers."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from support import reference

from likewise.baselines.clusterings import hard_clustering, soft_assignment, stiffness_at_cost
from likewise.datasets.samples import Sample
from likewise.experiments import paper, plan
from likewise.experiments.cells import _fair, _means, compute, paper_pairs
from likewise.experiments.plan import Cell
from likewise.metrics import violations


def test_cells_hold_what_the_tables_need(folder):
    found = compute(Cell("clusterings", "bank", "global", 80, 3), folder)
    assert set(found) == {"HKM", "ALG-IF", "SKM", "GF", "ALG-CF", "drawn"}
    assert found["ALG-IF"]["violated"] == found["ALG-CF"]["violated"] == 0
    assert found["HKM"]["mean_cost"] <= found["GF"]["mean_cost"] <= found["ALG-CF"]["mean_cost"]
    assert found["ALG-IF"]["bias_excess"] <= 0
    assert found["SKM"]["beta"] <= found["SKM"]["beta_in_steps"] <= found["SKM"]["beta"] + 0.03
    assert found["drawn"]["coupled"] <= found["drawn"]["independent"]
    beta, cost, _ = np.array(found["SKM"]["curve"]).T
    assert (np.diff(beta) > 0).all()
    assert (np.diff(cost) < 1e-9 * cost[0]).all()
    at = np.interp(np.log(found["SKM"]["beta"]), np.log(beta), cost)
    assert at == pytest.approx(found["ALG-IF"]["mean_cost"], rel=0.05)


def test_pairs_are_exactly_m_a_point():
    X = np.array([(a, b) for a in range(6) for b in range(7)], dtype=float)  # full of ties
    pairs = paper_pairs(X, "global", 10)
    assert (np.bincount(pairs.i) == 10).all()


def test_that_all_are_treated_nearly_the_same_is_no_news():
    """One outlier does that under the paper's similarity, and a warning would end this test."""
    X = np.random.default_rng(0).normal(size=(120, 2))
    X[0] = 1e4
    sample = Sample(X, np.zeros((120, 2), dtype=int))
    cell = Cell("clusterings", "bank", "global", 120, 3)
    model = _fair(cell, sample, paper_pairs(X, "global", 119), hard_clustering(X, 3))
    assert model.certificate_.sameness.is_notable


@reference.needed
@pytest.mark.parametrize(
    "row", reference.rows(algorithm="SKM", n=1000, similarity="global"), ids=reference.label
)
def test_soft_k_means_is_the_authors(row):
    """Their rows have a stiffness of 4: probabilities by means, costs at the rows that stand for
    them. What is left is where their k-means ended.
    """
    X = reference.data(row)
    hard = hard_clustering(X, row["k"], centers=np.array(row["center_indices"]))
    x = soft_assignment(cdist(X, _means(X, hard)), 4.0)
    cost = float((x * hard.distances**2).sum() / row["n"])
    assert cost == pytest.approx(row["mean_cost"], rel=0.01)
    share = 100 * violations(x, reference.pairs(row)).share
    assert share == pytest.approx(row["violation_percent"], abs=2.5)


@reference.needed
@pytest.mark.parametrize(
    "row",
    [
        row
        for row in reference.rows(algorithm="ALG-IF", n=1000)
        if row["k"] in plan.TABLE_CLUSTERS and row["sample"] == 1
    ],
    ids=reference.label,
)
def test_table_one_is_the_authors_with_their_centers(row):
    """Their centres, their cost, and stiffnesses that are multiples of 0.03: their print."""
    X = reference.data(row)
    hard = hard_clustering(X, row["k"], centers=np.array(row["center_indices"]))
    away = cdist(X, _means(X, hard))
    at = stiffness_at_cost(away, row["mean_cost"] * row["n"], costs=hard.distances**2)
    stepped = paper.BETA_STEP * np.ceil(at / paper.BETA_STEP)
    share = 100 * violations(soft_assignment(away, stepped), reference.pairs(row)).share
    printed = paper.SOFT_VIOLATIONS[row["similarity"]][row["dataset"]]
    assert int(share) == pytest.approx(printed[plan.TABLE_CLUSTERS.index(row["k"])], abs=1)
