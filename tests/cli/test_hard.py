"""``likewise hard``: hard clustering of a folder of Parquet files on a cluster."""

import json
import re

import numpy as np
import polars as pl
import pytest
from scipy.spatial.distance import cdist
from support.commands import invoke, parquet_folder, run_main, said

from likewise.cli import errors as failures
from likewise.io.preparation import prepared_as
from likewise.io.run_record import HardRecord, RunRecord
from likewise.io.tables import read_table


def test_it_clusters_a_folder(tmp_path, client):
    folder, out = parquet_folder(tmp_path / "table", columns=("x", "row")), tmp_path / "hard"
    done = invoke(
        "hard", folder, "-k", 3, "--dask", client.scheduler.address, "--json", "--out", out
    )
    assert done.exit_code == 0, done.output
    summary = json.loads(done.stdout)
    assert summary["rows"] == 120
    record = HardRecord.read(out)
    assert (record.rows, record.passes) == (120, summary["passes"])
    clusters = pl.read_parquet(out / "clusters" / "*.parquet")
    assert clusters["row"].to_list() == list(range(2, 122))  # as a spreadsheet shows them
    centers = pl.read_csv(out / "centers.csv")
    assert centers.columns == ["center", "row", "x", "row (in the file)"]
    table = pl.read_parquet(folder / "*.parquet")
    assert centers["x"].to_list() == table[(centers["row"] - 2).to_list()]["x"].to_list()


def test_few_different_rows_are_a_warning(tmp_path, client):
    table = tmp_path / "few.parquet"
    pl.DataFrame({"x": [0.0, 1.0] * 30}).write_parquet(table)
    where = ("--dask", client.scheduler.address, "--out", tmp_path / "hard")
    done = invoke("hard", table, "-k", 3, "--json", *where)
    assert done.exit_code == 0, done.output
    (message,) = json.loads(done.stdout)["warnings"]
    assert "the table has only 2 distinct points" in message
    assert pl.read_csv(tmp_path / "hard" / "centers.csv").height == 3
    shown = invoke("hard", table, "-k", 3, *where[:2], "--out", tmp_path / "again")
    assert "the table has only 2 distinct points" in " ".join(shown.stderr.split())


def test_nothing_there(tmp_path, client):
    nowhere = run_main(
        "hard", tmp_path / "none", "--out", tmp_path / "no", "--dask", client.scheduler.address
    )
    assert nowhere.returncode == failures.FILES
    assert "there are no Parquet files" in said(nowhere)
    assert not (tmp_path / "no").exists()


@pytest.fixture
def mixed(tmp_path):
    """People of all kinds of columns, in three files."""
    random = np.random.default_rng(0)
    n = 180
    table = pl.DataFrame(
        {
            "ID": range(n),
            "age": random.integers(18, 80, n),
            "income": random.lognormal(10, 0.5, n),
            "member": random.choice([True, False], n),
            "city": random.choice(["Pune", "Lima", "Oslo"], n),
            "zip": random.choice([2139, 10001, 94107], n),
            "name": [f"n{number}" for number in range(n)],
        }
    )
    folder = tmp_path / "mixed"
    folder.mkdir()
    for number in range(3):
        table[60 * number : 60 * (number + 1)].write_parquet(folder / f"{number}.parquet")
    return folder


@pytest.mark.parametrize(
    "options",
    [
        [],
        ["--no-scale", "--exclude", "income"],
        ["--features", "age,zip", "--features", "city", "--categorical", "zip"],
    ],
)
def test_columns_become_what_they_become_in_a_fit(mixed, tmp_path, client, options):
    hard = [mixed, *options, "--dask", client.scheduler.address, "-k", 3]
    done = invoke("hard", *hard, "--out", tmp_path / "hard")
    assert done.exit_code == 0, done.output
    assert invoke("fit", mixed, *options, "-k", 3, "--out", tmp_path / "fit").exit_code == 0
    ours, theirs = HardRecord.read(tmp_path / "hard"), RunRecord.read(tmp_path / "fit")
    assert ours.left_out == theirs.left_out
    assert [each.name for each in ours.columns] == list(theirs.features)
    for one, other in zip(ours.columns, theirs.columns, strict=True):
        assert (one.kind, one.values) == (other.kind, other.values)
        assert one.mean == pytest.approx(other.mean)
        assert one.spread == pytest.approx(other.spread)
    said = " ".join(done.stderr.split())
    for each in (*ours.columns, *ours.left_out):
        assert str(each) in said


def test_the_clusters_are_those_of_the_prepared_points(mixed, tmp_path, client):
    out = tmp_path / "hard"
    done = invoke("hard", mixed, "--dask", client.scheduler.address, "-k", 3, "--out", out)
    assert done.exit_code == 0, done.output
    record = HardRecord.read(out)
    points = prepared_as(read_table(mixed), record.columns).X
    centers = pl.read_csv(out / "centers.csv")
    at = points[(centers["row"] - 2).to_numpy()]
    assert centers["name"].to_list() == [f"n{row - 2}" for row in centers["row"]]
    away = cdist(points, at)
    clusters = pl.read_parquet(out / "clusters" / "*.parquet")
    np.testing.assert_allclose(clusters["distance"].to_numpy(), away.min(axis=1), atol=1e-12)
    assert record.objective == pytest.approx((away.min(axis=1) ** 2).sum())


def test_a_result_is_not_overwritten_by_chance(mixed, tmp_path, client):
    hard = ["hard", mixed, "--dask", client.scheduler.address, "-k", 2, "--out", tmp_path / "hard"]
    assert invoke(*hard).exit_code == 0
    before = (tmp_path / "hard" / "run.json").read_bytes()
    refused = invoke(*hard, "--no-scale")
    assert "--force" in str(refused.exception)
    assert (tmp_path / "hard" / "run.json").read_bytes() == before
    assert invoke(*hard, "--no-scale", "--force").exit_code == 0
    assert (tmp_path / "hard" / "run.json").read_bytes() != before


@pytest.mark.parametrize(
    ("column", "message"),
    [
        (pl.when(pl.col("age") == 20).then(None).otherwise(pl.col("age")).alias("age"),
         r"'age' is missing in \d+ of 180 rows"),
        (pl.format("{},5", "age").alias("age"), r"'\d+,5' in row 2\).*--decimal ','"),
        (pl.lit([1]).alias("age"), "there are none"),
    ],
)  # fmt: skip
def test_columns_that_cannot_be_used(mixed, tmp_path, client, column, message):
    table = pl.read_parquet(mixed / "*.parquet").with_columns(column).select("age")
    table.write_parquet(tmp_path / "odd.parquet", row_group_size=50)
    where = ["--dask", client.scheduler.address, "--out", tmp_path / "hard"]
    done = invoke("hard", tmp_path / "odd.parquet", "-k", 2, *where)
    assert re.search(message, str(done.exception))
    assert not (tmp_path / "hard").exists()


def test_only_parquet(people, tmp_path, client):
    done = invoke("hard", people, "--dask", client.scheduler.address, "--out", tmp_path / "no")
    assert "FOLDER: 'people.csv' is no Parquet file" in str(done.exception)
