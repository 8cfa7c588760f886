"""The reproduction: cells, restarts, claims, figures."""

import json
import multiprocessing
import os
import signal
import time

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from support import reference

from likewise.baselines.clusterings import hard_clustering, soft_assignment, stiffness_at_cost
from likewise.experiments import claims, paper, plan, reproduce
from likewise.experiments.cells import _means, compute, paper_pairs
from likewise.experiments.plan import Cell
from likewise.experiments.results import Results
from likewise.experiments.runner import run
from likewise.experiments.store import Store
from likewise.metrics import violations


@pytest.fixture
def folder(tmp_path):
    """Two small data sets, as ready samples."""
    random = np.random.default_rng(0)
    data = tmp_path / "data"
    data.mkdir()
    for name in ("bank", "creditcard"):
        X = random.normal(size=(2, 120, 3)) + 3 * random.integers(0, 2, size=(2, 120, 1))
        groups = random.integers(0, 2, size=(2, 120, 2))
        np.savez(data / f"samples_{name}.npz", X=X, groups=groups)
    sizes = {f"X_{n}": random.normal(size=(60, 3)) for n in plan.SIZES}
    groups = {f"groups_{n}": np.zeros((60, 2), int) for n in plan.SIZES}
    np.savez(data / "samples_creditcard_by_size.npz", **sizes, **groups)
    return data


def few_cells(datasets=("bank", "creditcard")):
    cells = [Cell("clusterings", name, "global", 80, k) for name in datasets for k in (2, 4)]
    cells += [Cell("bound-if", name, "global", 30, 2) for name in datasets]
    cells += [
        Cell("individual", "bank", "local", 100, 4, 1),
        Cell("time", "creditcard", "global", 500, 4),
    ]
    return cells


def test_plans_name_each_cell_once():
    for cells in (plan.full(), plan.quick()):
        assert len({cell.name for cell in cells}) == len(cells)
    kinds = [cell.kind for cell in plan.full()]
    assert kinds[-5:] == ["time"] * 5  # alone, at the end
    assert set(plan.quick()) <= set(plan.full())


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


def without_times(store, cells):
    def strip(value):
        if isinstance(value, dict):
            return {key: strip(inner) for key, inner in value.items() if key != "s"}
        return value

    return {cell.name: strip(store.result(cell)) for cell in cells}


def test_a_killed_run_ends_with_the_same_results(folder, tmp_path):
    """Killed for good, not asked to stop: at worst the cells in work are lost."""
    cells = few_cells()
    undisturbed = Store(tmp_path / "undisturbed")
    run(cells, undisturbed, folder, workers=1)
    disturbed = Store(tmp_path / "disturbed")
    kept = 0
    for wait_for in (1, 4):
        worker = multiprocessing.get_context("spawn").Process(
            target=run, args=(cells, disturbed, folder, 1)
        )
        worker.start()
        deadline = time.monotonic() + 120
        while sum(map(disturbed.has, cells)) < wait_for and time.monotonic() < deadline:
            time.sleep(0.02)
        os.kill(worker.pid, signal.SIGKILL)
        worker.join()
        now = sum(map(disturbed.has, cells))
        assert now >= max(wait_for, kept)
        kept = now
    done_before = []
    run(cells, disturbed, folder, workers=1, progress=lambda c, b: done_before.append(b))
    assert sum(done_before) == kept
    assert without_times(disturbed, cells) == without_times(undisturbed, cells)


def test_processes_give_the_same_as_one(folder, tmp_path):
    cells = few_cells(("bank",))[:3]
    one, two = Store(tmp_path / "one"), Store(tmp_path / "two")
    run(cells, one, folder, workers=1)
    run(cells, two, folder, workers=2)
    assert without_times(one, cells) == without_times(two, cells)


def test_what_is_not_whole_is_not_taken(folder, tmp_path):
    cell = few_cells()[0]
    store = Store(tmp_path)
    store.keep(cell, {"HKM": {"mean_cost": 1.0}}, 0.1)
    assert store.has(cell)
    path = tmp_path / f"{cell.name}.json"
    record = json.loads(path.read_text())
    path.write_text(json.dumps(record | {"version": "0.0.0"}))
    assert not store.has(cell)
    path.write_text(path.read_text()[:50])
    assert not store.has(cell)
    with pytest.raises(KeyError):
        store.result(cell)


def test_everything_is_written(folder, tmp_path, monkeypatch):
    monkeypatch.setattr(plan, "quick", lambda datasets: few_cells(datasets))
    done = reproduce(
        tmp_path / "out", quick=True, data_home=folder, datasets=["bank", "creditcard"], workers=1
    )
    text = done.document.read_text()
    assert "## Claims" in text
    assert "times faster" in text
    figures = {path.name for path in (tmp_path / "out" / "figures").iterdir()}
    assert {"cost-if.png", "cost-if.svg", "time.svg"} <= figures
    assert "bias.png" not in figures  # nothing of n = 1000 to draw
    for figure in figures:
        assert (tmp_path / "out" / "figures" / figure).stat().st_size > 1000
    import polars as pl

    table = pl.read_parquet(tmp_path / "out" / "results.parquet")
    assert {"HKM", "ALG-IF", "OPT-IF", "GF"} <= set(table["algorithm"])


def invented(**changed):
    """Results as the paper claims them, and what is different."""
    numbers = {
        "HKM": {"mean_cost": 1.0, "violated": 0.4},
        "ALG-IF": {
            "mean_cost": 1.1,
            "violated": 0.0,
            "worst_excess": -1e-12,
            "bias": 0.1,
            "earth_mover": 0.2,
            "bias_excess": -0.1,
            "s": 1.0,
        },
        "ALG-CF": {"mean_cost": 1.1, "violated": 0.0, "bias": 0.0, "earth_mover": 0.2},
        "SKM": {"violated": 0.9},
        "GF": {"violated": 0.3},
        "drawn": {"coupled": 0.1, "independent": 0.3},
    } | changed
    found = {}
    for n in (80, 1000):
        for k in (2, 4):
            more = {"GF": {"violated": numbers["GF"]["violated"] + k / 100}}
            found[Cell("clusterings", "bank", "global", n, k)] = numbers | more
    found[Cell("bound-if", "bank", "global", 80, 4)] = {"OPT-IF": {"mean_cost": 1.0}}
    found[Cell("bound-cf", "bank", "global", 80, 4)] = {"OPT-CF": {"mean_cost": 1.0}}
    found[Cell("time", "creditcard", "global", 4000, 4)] = {"ALG-IF": numbers["ALG-IF"]}
    return Results(found)


def test_claims_hold_and_fail_as_they_should():
    holds = {each.claim: each.holds for each in claims.judge(invented())}
    assert [claim for claim, word in holds.items() if word is False] == []
    assert sum(word is True for word in holds.values()) == 9
    dear = claims.judge(invented(HKM={"mean_cost": 0.4, "violated": 0.4}))
    assert not next(each for each in dear if "hard k-means" in each.claim).holds
    biased = dict(mean_cost=1.3, violated=0.01, worst_excess=0.2, bias_excess=0.1, s=1.0)
    unfair = {each.claim: each.holds for each in claims.judge(invented(**{"ALG-IF": biased}))}
    assert sum(word is False for word in unfair.values()) == 3  # dear, biased, unfair
    nothing = claims.judge(Results({}))
    assert {each.word for each in nothing} == {"not measured"}


@pytest.mark.skipif(not reference.is_there(), reason=f"no reference at {reference.FOLDER}")
def test_the_printed_numbers_are_the_papers():
    tables = json.loads((reference.FOLDER / "reference" / "paper_tables.json").read_text())
    printed = tables["skm_violation_percent_at_equal_cost"]
    for similarity in plan.SIMILARITIES:
        ours = {name: list(row) for name, row in paper.SOFT_VIOLATIONS[similarity].items()}
        assert ours == printed[similarity]
    seconds = tables["alg_if_seconds"]
    assert dict(zip(seconds["n"], seconds["seconds"], strict=True)) == paper.SECONDS


@pytest.mark.skipif(not reference.is_there(), reason=f"no reference at {reference.FOLDER}")
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


@pytest.mark.skipif(not reference.is_there(), reason=f"no reference at {reference.FOLDER}")
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


def test_pairs_are_exactly_m_a_point():
    X = np.array([(a, b) for a in range(6) for b in range(7)], dtype=float)  # full of ties
    pairs = paper_pairs(X, "global", 10)
    assert (np.bincount(pairs.i) == 10).all()
