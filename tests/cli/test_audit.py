"""``likewise audit``: verdicts on clusterings that others made, and on our own."""

import json

import polars as pl
import pytest
from support.commands import invoke

from likewise.cli import errors as failures
from likewise.io import run_folder

FEATURES = ("--features", "age,income")


@pytest.fixture
def labelled(people, tmp_path):
    """The people with k-means labels in a column of text."""
    from sklearn.cluster import KMeans

    table = pl.read_csv(people)
    X = table.select("age", "income").to_numpy()
    labels = KMeans(3, random_state=0, n_init=3).fit_predict((X - X.mean(0)) / X.std(0))
    table = table.with_columns(pl.Series("cluster", [f"c{label}" for label in labels]))
    table.write_csv(tmp_path / "labelled.csv")
    return tmp_path / "labelled.csv"


def test_a_hard_clustering_for_machines(labelled):
    done = invoke(
        "audit", labelled, *FEATURES, "--labels", "cluster", "--protected", "sex", "--id", "name",
        "--json",
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    verdict = json.loads(done.stdout)
    assert not verdict["fair"]
    assert verdict["pairs"]["checked"] == 120 * 119
    assert verdict["worst_pairs"][0]["ids"][0].startswith("p")
    assert [group["value"] for group in verdict["groups"]] == ["f", "m"]


def test_check_tells_by_the_exit_code(labelled):
    checked = invoke("audit", labelled, *FEATURES, "--labels", "cluster", "--check")
    assert checked.exit_code == failures.UNFAIR
    assert "Worst pairs" in checked.stdout


def test_what_likewise_made_is_fair(people, tmp_path):
    out = tmp_path / "run"
    invoke("fit", people, *FEATURES, "-k", 3, "-o", out)
    fair = pl.read_parquet(out / run_folder.ASSIGNMENTS).drop("id")
    soft = tmp_path / "soft.parquet"
    pl.concat([pl.read_csv(people), fair], how="horizontal").write_parquet(soft)
    done = invoke("audit", soft, *FEATURES, "--probabilities", "p0,p1,p2", "--check", "--json")
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["fair"]


def test_json_is_json_whatever_the_numbers(people):
    done = invoke("audit", people, *FEATURES, "--labels", "sex", "--divergence", "kl", "--json")
    assert done.exit_code == 0, done.output
    assert "Infinity" not in done.stdout
    assert json.loads(done.stdout)["pairs"]["worst_excess"] is None  # infinite


def test_ids_that_look_like_markup(people, tmp_path):
    file = tmp_path / "tagged.csv"
    pl.read_csv(people).with_columns(pl.lit("[/x]").alias("tag")).write_csv(file)
    done = invoke("audit", file, *FEATURES, "--labels", "sex", "--id", "tag")
    assert done.exit_code == 0, done.output
    assert "[/x]" in done.stdout


def test_people_without_a_cluster(people, tmp_path):
    file = tmp_path / "gaps.csv"
    nobody = pl.when(pl.col("age") > 60).then(None).otherwise(pl.col("sex")).alias("cluster")
    pl.read_csv(people).with_columns(nobody).write_csv(file)
    done = invoke("audit", file, *FEATURES, "--labels", "cluster")
    assert "some rows have no cluster" in str(done.exception)
