"""The numbers on the page: of everybody, under the bounds of the run."""

import numpy as np
import polars as pl
import pytest
from support.commands import invoke

from likewise import metrics
from likewise.io.run_folder import Assignments
from likewise.report import content
from likewise.report.page import draw
from likewise.report.run import read_run


def test_what_is_said_of_everybody_is_computed_from_everybody(many, content_of_many):
    """4,000 people: groups, balance and sizes are not those of some of them."""
    x = Assignments.read(many).distributions
    sex = pl.read_csv(many.parent / "many.csv")["sex"].to_list()
    text = draw(content_of_many)
    for cluster, size in enumerate(x.sum(axis=0)):
        assert f"cluster {cluster}: {round(size):,} expected" in text
    balances = metrics.balance(x, {"sex": sex})
    for group in content_of_many.groups:
        assert group.size == sex.count(group.group[1])
        assert group.balance == pytest.approx(balances[group.group])
        assert f">{group.size:,}</td>" in text
        assert f">{group.balance:.2f}</td>" in text
    assert "of all 4,000 people" in text


def test_the_page_does_not_contradict_itself(content_of_many):
    """What is proven within its bounds has no pair above them further down."""
    text = draw(content_of_many)
    assert "yes, proven" in text
    of_ours = text.split('<th scope="row">likewise</th>')[1].split("</tr>")[0]
    assert of_ours.count(">none</td>") == 3
    assert content_of_many.comparison.of_everybody


def test_pictures_say_that_they_show_some(content_of_many):
    text = draw(content_of_many)
    assert len(content_of_many.projection.rows) == content.MAP_POINTS
    assert "Drawn are 1,500 of the 4,000 people, chosen at random" in text
    assert "Of all, 3 lie outside the picture" in text


def test_weights_count_in_the_balance_of_groups(tmp_path):
    random = np.random.default_rng(0)
    weights, sex = random.lognormal(0, 1, 60), random.choice(["f", "m"], 60)
    pl.DataFrame({"a": random.normal(size=60), "w": weights, "sex": sex}).write_csv(
        tmp_path / "t.csv"
    )
    done = invoke(
        "fit", tmp_path / "t.csv", "-k", 2, "--weight", "w", "--protected", "sex",
        "--features", "a", "--out", tmp_path / "run",
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    gathered = content.gather(read_run(tmp_path / "run"))
    x = Assignments.read(tmp_path / "run").distributions
    expected = metrics.balance(x, {"sex": sex}, weights)
    assert {group.group: group.balance for group in gathered.groups} == pytest.approx(expected)
    assert f"balance:     {min(expected.values()):.2f}" in done.output


def test_each_stage_is_told(folder):
    told = []

    def show(what, steps):
        told.append([what, steps, 0])

        def after_step():
            told[-1][2] += 1

        return after_step

    content.gather(read_run(folder / "run"), show)
    assert told[-1][0] == "computing what fairness costs"
    assert all(done == steps for _, steps, done in told if steps is not None)
    assert sum(steps is not None for _, steps, _ in told) == 2
