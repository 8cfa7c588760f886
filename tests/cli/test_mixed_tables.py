"""`--metric gower`: tables with text and gaps through every command, without a column a value."""

import json

import numpy as np
import polars as pl
import pytest
from support.commands import invoke

from likewise import LikewiseClustering
from likewise.io.run_folder import Assignments

MIXED = ("--metric", "gower")


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """Every kind of column, all of them with gaps but the dates."""
    random = np.random.default_rng(0)
    n = 90
    people = pl.DataFrame(
        {
            "name": [f"p{row}" for row in range(n)],
            "age": [None if row % 7 == 3 else float(random.normal(40, 9)) for row in range(n)],
            "job": random.choice(["nurse", "smith", "cook", None], n).tolist(),
            "children": random.choice([0, 1, 2, None], n).tolist(),
            "since": [f"2020-0{random.integers(1, 9)}-1{random.integers(0, 9)}" for _ in range(n)],
        },
        schema_overrides={"children": pl.Int64},
    )
    path = tmp_path_factory.mktemp("mixed") / "people.csv"
    people.write_csv(path)
    return path


@pytest.fixture(scope="module")
def run(table):
    out = table.parent / "run"
    done = invoke("fit", table, "-k", 3, *MIXED, "--id", "name", "--json", "--out", out)
    assert done.exit_code == 0, done.output
    return out


def by_hand(table):
    """Gower's distances, column by column."""
    people = pl.read_csv(table, try_parse_dates=True)
    total, counted = np.zeros((len(people),) * 2), np.zeros((len(people),) * 2)
    for name in ("age", "job", "children", "since"):
        column = people[name]
        known = column.is_not_null().to_numpy()
        both = known[:, None] & known
        if name == "job":
            texts = np.array(column.to_list(), dtype=object)
            apart = (texts[:, None] != texts).astype(float)
        else:
            numbers = (column.cast(pl.Int32) if name == "since" else column).cast(float).to_numpy()
            span = np.nanmax(numbers) - np.nanmin(numbers)
            apart = np.abs(numbers[:, None] - numbers) / span
        total += np.where(both, apart, 0.0)
        counted += both
    return total / counted


def test_it_is_fair_by_distances_computed_by_hand(table, run):
    x, D = Assignments.read(run).distributions, by_hand(table)
    others = np.sort(D + np.diag(np.full(len(D), np.inf)), axis=1)
    radius = others[:, len(D) // 3 - 1]
    bound = np.minimum(np.where(D > 0, D / radius[:, None], 0.0), 1.0)
    differ = 0.5 * np.abs(x[:, None] - x[None]).sum(axis=2)
    assert (differ - bound).max() <= 1e-9


def test_the_same_as_in_python(table, run):
    people = pl.read_csv(table, try_parse_dates=True)
    frame = people.select("age", "job", "children", pl.col("since").cast(pl.Int32))
    model = LikewiseClustering(3, metric="gower", random_state=0).fit(frame)
    certificate = json.loads((run / "certificate.json").read_text())
    assert certificate["objective"] == pytest.approx(model.objective_, rel=1e-3)


def test_columns_stay_columns(run):
    record = json.loads((run / "run.json").read_text())
    assert record["feature_names"] == ["age", "job", "children", "since"]
    assert [column["kind"] for column in record["columns"]] == ["number", "text", "number", "date"]
    assert (record["rows"], record["rows_left_out"]) == (90, 0)


def test_those_who_come_again_have_their_own_distributions(table, run, tmp_path):
    done = invoke("assign", run, table, "--out", tmp_path / "later")
    assert done.exit_code == 0, done.output
    again = pl.read_parquet(tmp_path / "later" / "*.parquet").select("p0", "p1", "p2").to_numpy()
    np.testing.assert_array_equal(again, Assignments.read(run).distributions)


def test_new_text_and_gaps_have_a_place_but_wrong_numbers_have_none(run, tmp_path):
    lines = ["name,age,job,children,since", "a,30,pilot,,2020-01-11", "b,old,nurse,1,2020-01-11"]
    (tmp_path / "new.csv").write_text("\n".join(lines) + "\n")
    out = tmp_path / "later"
    done = invoke("assign", run, tmp_path / "new.csv", "--format", "csv", "--out", out)
    assert done.exit_code == 8, done.output
    assert (out / "refused.csv").read_text().splitlines()[1:] == ["3,b,age,old,no number"]
    assert pl.read_csv(out / "assignments.csv")["id"].to_list() == ["a"]


def test_reported_audited_and_chosen(table, run):
    done = invoke("report", run, "--json")
    assert done.exit_code == 0, done.output
    assert ">missing</td>" in (run / "report.html").read_text(encoding="utf-8")
    done = invoke("audit", run, "--check", "--json")
    assert done.exit_code == 0, done.output
    done = invoke("choose", table, "-k", "2:3", *MIXED, "--id", "name", "--json")
    assert done.exit_code == 0, done.output
    fair = json.loads(done.stdout)["table"][1]["fair_cost"]
    assert fair == pytest.approx(
        json.loads((run / "certificate.json").read_text())["cost"], rel=0.1
    )


def test_rows_with_gaps_are_left_out_if_that_is_asked_for(table, tmp_path):
    out = tmp_path / "run"
    done = invoke("fit", table, "-k", 2, *MIXED, "--id", "name", "--drop-missing", "--out", out)
    assert done.exit_code == 0, done.output
    record = json.loads((out / "run.json").read_text())
    gaps = pl.read_csv(table).drop_nulls()
    assert record["rows"] == len(gaps)
    assert invoke("audit", out, "--check", "--json").exit_code == 0
