"""``likewise hard``: hard clustering of a folder of Parquet files on a cluster."""

import json

import polars as pl
from support.commands import invoke, parquet_folder, run_main, said

from likewise.cli import errors as failures
from likewise.io.run_record import HardRecord


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
    assert clusters["row"].to_list() == list(range(120))
    centers = pl.read_csv(out / "centers.csv")
    assert centers.columns == ["center", "row", "x", "row (in the file)"]
    table = pl.read_parquet(folder / "*.parquet")
    assert centers["x"].to_list() == table[centers["row"].to_list()]["x"].to_list()


def test_few_different_rows_are_a_warning(tmp_path, client):
    table = tmp_path / "few.parquet"
    pl.DataFrame({"x": [0.0, 1.0] * 30}).write_parquet(table)
    where = ("--dask", client.scheduler.address, "--out", tmp_path / "hard")
    done = invoke("hard", table, "-k", 3, "--json", *where)
    assert done.exit_code == 0, done.output
    (message,) = json.loads(done.stdout)["warnings"]
    assert "X has only 2 distinct points" in message
    assert pl.read_csv(tmp_path / "hard" / "centers.csv").height == 3
    shown = invoke("hard", table, "-k", 3, *where[:2], "--out", tmp_path / "again")
    assert "X has only 2 distinct points" in " ".join(shown.stderr.split())


def test_nothing_there(tmp_path, client):
    nowhere = run_main(
        "hard", tmp_path / "none", "--out", tmp_path / "no", "--dask", client.scheduler.address
    )
    assert nowhere.returncode == failures.FILES
    assert "there are no Parquet files" in said(nowhere)
    assert not (tmp_path / "no").exists()
