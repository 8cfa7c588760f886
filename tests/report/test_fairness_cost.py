"""What more or less fairness would cost."""

from itertools import pairwise

import numpy as np
import pytest
from support.commands import invoke

from likewise.report import content, fairness_cost
from likewise.report.page import draw
from likewise.report.run import read_run


def test_from_the_same_for_all_to_hard_clustering(folder):
    gathered = content.gather(read_run(folder / "run"))
    found = gathered.fairness_cost
    prices = [point.price for point in found.points]
    assert all(a >= b - 5e-3 for a, b in pairwise(prices))
    assert prices[-1] == 1.0
    asked = next(point for point in found.points if point.scale == 1.0)
    assert asked.price == pytest.approx(gathered.comparison.ours.price, rel=1e-2)
    assert found.is_of_everybody
    assert 0 <= found.above_least(2) <= fairness_cost.FRONTIER_TOL
    text = draw(gathered)
    assert "For all 90 people." in text
    assert ">price</th>" in text


def test_people_who_stand_for_all_have_the_bounds_of_the_run(many, content_of_many):
    run = read_run(many)
    found = content_of_many.fairness_cost
    assert not found.is_of_everybody
    assert found.n_rows <= fairness_cost.FRONTIER_ROWS
    text = draw(content_of_many)
    assert f"Computed for {found.n_rows} people who stand for all 4,000" in text
    assert ">price</th>" not in text  # a bound between people who stand for others has none
    X = run.prepared.X
    for pair in found.costly:
        away = np.linalg.norm(X - X[pair.i], axis=1)
        radius = np.sort(away)[4_000 // 3]  # that of a ball with a cluster's worth of all others
        assert pair.bound == pytest.approx(away[pair.j] / radius)
    assert found.costly


def test_people_who_stand_for_all_cost_what_all_cost(many, content_of_many):
    """Also where three of 4,000 people have much of the cost: the same for everybody, known exactly
    for all, is the first point of the frontier.
    """
    run = read_run(many)
    X = run.prepared.X
    costs = ((X[:, None] - X[run.center_rows]) ** 2).sum(axis=2)
    same_for_all = np.sqrt(costs.sum(axis=0).min() / costs.min(axis=1).sum())
    first, *_, last = content_of_many.fairness_cost.points
    assert first.price == pytest.approx(same_for_all, rel=1e-6)
    assert last.price == 1.0


def test_neighbors_are_no_neighbors_in_a_sample(folder, tmp_path, monkeypatch):
    done = invoke(
        "fit", folder / "people.csv", "-k", 2, "--features", "income", "--n-neighbors", 5,
        "--out", tmp_path / "run",
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    run = read_run(tmp_path / "run")
    every = content.gather(run)
    asked = next(point for point in every.fairness_cost.points if point.scale == 1.0)
    assert asked.price == pytest.approx(every.comparison.ours.price, rel=5e-3)  # 5 neighbours too
    monkeypatch.setattr(fairness_cost, "FRONTIER_ROWS", 50)
    some = content.gather(run)
    assert some.fairness_cost is None
    assert "hardly anybody is among the nearest" in draw(some)


def test_bounds_on_groups_are_kept_where_everybody_is_there(folder, tmp_path, monkeypatch):
    protected = read_run(folder / "run").record.protected[0]
    done = invoke(
        "fit", folder / "people.csv", "-k", 2, "--features", "income", "--protected", protected,
        "--group-tolerance", 0.1, "--out", tmp_path / "run",
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    every = content.gather(read_run(tmp_path / "run"))
    asked = next(point for point in every.fairness_cost.points if point.scale == 1.0)
    assert asked.price == pytest.approx(every.comparison.ours.price, rel=5e-3)
    monkeypatch.setattr(fairness_cost, "FRONTIER_ROWS", 50)
    some = draw(content.gather(read_run(tmp_path / "run")))
    assert "Bounds on groups, which are about everybody, are left out." in some
