"""Tables with numbers, text and gaps, by Gower's distance: whatever takes rows takes them."""

import numpy as np
import pandas as pd
import pytest

import likewise
from likewise import LikewiseClustering
from likewise.frontier import frontier

MIXED = {"metric": "gower"}


@pytest.fixture(scope="module")
def table():
    random = np.random.default_rng(0)
    return pd.DataFrame(
        {
            "age": random.normal(size=40),
            "job": random.choice(["nurse", "smith", None], 40),
            "children": random.choice([1.0, 2.0, np.nan], 40),
        }
    )


@pytest.fixture(scope="module")
def model(table):
    return LikewiseClustering(3, random_state=0, **MIXED).fit(table)


def test_the_pairs_are_those_of_the_fit(table, model):
    pairs = likewise.metrics.constrained_pairs(table, n_clusters=3, **MIXED)
    found = likewise.metrics.violations(model.distributions_, pairs)
    assert (found.count, found.checked) == (0, model.certificate_.pairs_checked)


def test_bounds_from_below_and_above(table, model):
    hard = likewise.baselines.hard_clustering(table, 3, random_state=0, **MIXED)
    assert likewise.lower_bound(table, 3, **MIXED).cost <= model.cost_
    assert hard.cost <= model.cost_


def test_the_frontier_goes_through_the_fit(table, model):
    as_asked = frontier(table, 3, scales=[1.0], centers=model.center_indices_, tol=1e-6, **MIXED)[0]
    assert as_asked.objective == pytest.approx(model.objective_, rel=1e-3)


def test_numbers_of_clusters_are_compared(table, model):
    found = likewise.choose_k(table, [3], random_state=0, **MIXED)
    assert found.table[0].fair_cost == pytest.approx(model.cost_, rel=1e-3)


def test_groups_are_as_far_from_everybody_as_by_hand(table):
    same = np.zeros(40)
    moved = likewise.metrics.earth_movers_distance(table, same, **MIXED)
    assert list(moved.values()) == [pytest.approx(0.0, abs=1e-12)]


def test_they_are_drawn(table, model):
    pytest.importorskip("matplotlib")
    shown = likewise.displays.ClusterMapDisplay.from_estimator(model, table)
    assert np.isfinite(shown.projection.points).all()
