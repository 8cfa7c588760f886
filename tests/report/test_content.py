"""The numbers on the page."""

from itertools import pairwise

import pytest

from likewise.report import content
from likewise.report.page import draw
from likewise.report.run import read_run


def test_the_frontier_goes_from_uniform_to_hard(folder):
    gathered = content.gather(read_run(folder / "run"))
    prices = [point.price for point in gathered.frontier]
    assert all(a >= b - 5e-3 for a, b in pairwise(prices))
    assert prices[-1] == pytest.approx(1.0)
    ours, hard, soft = gathered.ways
    assert (gathered.ours, gathered.hard) == (ours, hard)
    assert hard.name == "hard clustering"
    assert ours.audit.pairs.count == 0
    assert hard.price == pytest.approx(1.0)
    assert soft.cost == pytest.approx(ours.cost, rel=1e-6)
    asked = next(point for point in gathered.frontier if point.scale == 1.0)
    assert asked.price == pytest.approx(ours.price, rel=1e-2)


def test_many_people_are_judged_on_a_sample(folder, monkeypatch):
    monkeypatch.setattr(content, "COMPARED_ROWS", 40)
    monkeypatch.setattr(content, "FRONTIER_ROWS", 30)
    monkeypatch.setattr(content, "MAP_POINTS", 50)
    gathered = content.gather(read_run(folder / "run"))
    assert len(gathered.projection.rows) == 50
    assert gathered.ways[0].audit.pairs.count == 0
    text = draw(gathered)
    assert "40 of the 90 people" in text
    assert "30 people chosen at random" in text
