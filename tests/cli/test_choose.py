"""``likewise choose``: a table, a picture, a suggestion, and all of it in the report."""

import json

import polars as pl
import pytest
from support.commands import invoke

from likewise.cli.options import numbers_of_clusters
from likewise.errors import InvalidArgument
from likewise.fitting import estimate

OPTIONS = ("--features", "age,income", "--similarity", "local", "-k", "2:4", "--tol", "1e-2")


def test_a_table_for_people_and_numbers_for_machines(people, tmp_path):
    shown = invoke("choose", people, *OPTIONS)
    assert shown.exit_code == 0, shown.output
    assert "suggested: k = " in shown.stdout
    told = json.loads(invoke("choose", people, *OPTIONS, "--json").stdout)
    assert [row["n_clusters"] for row in told["table"]] == [2, 3, 4]
    assert told["suggested"] in (2, 3, 4)
    costs = [row["fair_cost"] for row in told["table"]]
    assert costs == sorted(costs, reverse=True)


def test_the_report_shows_it(people, tmp_path):
    out, run, page = tmp_path / "choice", tmp_path / "run", tmp_path / "page.html"
    assert invoke("choose", people, *OPTIONS, "--out", out).exit_code == 0
    assert {each.name for each in out.iterdir()} == {"choice.json", "choice.csv", "choice.svg"}
    assert pl.read_csv(out / "choice.csv")["n_clusters"].to_list() == [2, 3, 4]
    assert "<svg" in (out / "choice.svg").read_text()
    invoke("fit", people, "--features", "age,income", "-k", 3, "--out", run)
    done = invoke("report", run, "--choice", out, "--out", page)
    assert done.exit_code == 0, done.output
    text = page.read_text()
    assert "How many clusters" in text
    assert "3 (used)" in text.replace(" (suggested)", "")
    assert "already" in str(invoke("choose", people, *OPTIONS, "--out", out).exception)
    (out / "mine.txt").write_text("")
    done = invoke("choose", people, *OPTIONS, "--out", out, "--force")
    assert "holds more than a choice" in str(done.exception)


def test_long_work_is_agreed_to_first(people, monkeypatch):
    asked = []

    def long(*told):
        asked.append(told[-1])
        return estimate.Estimate(120, 120 * 119, 1e6, False, 2**30)

    monkeypatch.setattr(estimate, "WORTH_IT", 100)
    monkeypatch.setattr(estimate, "estimate", long)
    refused = invoke("choose", people, *OPTIONS)
    assert "about 12 days" in str(refused.exception)
    assert "--yes" in str(refused.exception)
    assert "120 people, 2 to 4 clusters: 14,280 pairs, about 12 days" in refused.output
    assert invoke("choose", people, *OPTIONS, "--yes").exit_code == 0
    assert asked == [[2, 3, 4], [2, 3, 4]]
    limited = invoke("choose", people, *OPTIONS, "--max-time", 5)
    assert limited.exit_code == 0, limited.output
    assert len(asked) == 2  # with a limit there is nothing to estimate


def test_numbers_of_clusters():
    assert numbers_of_clusters("2:5") == [2, 3, 4, 5]
    assert numbers_of_clusters("8,2,4:5") == [2, 4, 5, 8]
    for wrong in ("many", "0:3", "5:2", ""):
        with pytest.raises(InvalidArgument, match="no range"):
            numbers_of_clusters(wrong)
