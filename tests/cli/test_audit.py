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
    alone = int(pl.read_csv(file)["cluster"].is_null().arg_max())
    assert f"rows have no cluster (row {alone + 2})" in str(done.exception)


def test_every_pair_is_shown_once(labelled):
    done = invoke("audit", labelled, *FEATURES, "--labels", "cluster", "--top", 20, "--json")
    pairs = [frozenset(pair["ids"]) for pair in json.loads(done.stdout)["worst_pairs"]]
    assert len(set(pairs)) == len(pairs) == 20


def test_rows_of_the_file_or_ids(labelled, tmp_path):
    table = pl.read_csv(labelled).with_row_index("place")
    kept = pl.when(pl.col("place") % 3 > 0).then(pl.col("age")).alias("age")
    table.with_columns(kept).drop("place").write_csv(tmp_path / "gaps.csv")
    audit = ["audit", tmp_path / "gaps.csv", *FEATURES, "--labels", "cluster", "--drop-missing"]
    worst = json.loads(invoke(*audit, "--json").stdout)["worst_pairs"][0]["ids"]
    assert all((row - 2) % 3 > 0 for row in worst)  # the others were dropped
    names = [table["name"][row - 2] for row in worst]
    with_ids = json.loads(invoke(*audit, "--id", "name", "--json").stdout)["worst_pairs"][0]
    assert with_ids["ids"] == names
    shown = invoke(*audit)
    assert f"row {worst[0]}" in shown.stdout
    assert names[0] in invoke(*audit, "--id", "name").stdout


def test_keys_are_left_out_and_said(labelled):
    done = invoke(
        "audit", labelled, "--labels", "cluster", "--protected", "sex", "--protected",
        "<b>status</b>", "--exclude", "city", "--json",
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    left_out = {each["name"] for each in json.loads(done.stdout)["left_out"]}
    assert left_out == {"city", "name"}


def test_probabilities_that_are_named_one_by_one(people, tmp_path):
    soft = tmp_path / "soft.csv"
    halves = {name: pl.lit(0.5) for name in ("chance of a, low", "b")}
    pl.read_csv(people).with_columns(**halves).write_csv(soft)
    named = ["--probabilities", "chance of a, low", "--probabilities", "b"]
    done = invoke("audit", soft, *FEATURES, *named, "--json")
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["fair"]


def test_a_run_is_judged_by_what_it_was_told(people, tmp_path):
    out = tmp_path / "run"
    options = ("--similarity", "local", "--protected", "sex", "--id", "name", "-k", 3)
    assert invoke("fit", people, *FEATURES, *options, "-o", out).exit_code == 0
    done = invoke("audit", out, "--check", "--json")
    assert done.exit_code == 0, done.output
    verdict = json.loads(done.stdout)
    assert verdict["fair"]
    assert len(verdict["groups"]) == 2


@pytest.mark.parametrize("which", ["run", "table"])
def test_drawn_labels_are_joined_by_id(people, tmp_path, which):
    out, drawn = tmp_path / "run", tmp_path / "drawn.csv"
    invoke("fit", people, *FEATURES, "--id", "name", "-k", 3, "-o", out)
    invoke("draw", out, "-o", drawn, "--draws", 2)
    shuffled = pl.read_csv(drawn).sample(fraction=1.0, shuffle=True, seed=0)
    shuffled.write_csv(drawn)
    what = [out] if which == "run" else [people, *FEATURES, "--id", "name"]
    found = [
        json.loads(invoke("audit", *what, "--labels", f"{drawn}{column}", "--json").stdout)
        for column in ("", ":draw1")
    ]
    table = pl.read_csv(people).join(shuffled, left_on="name", right_on="id", maintain_order="left")
    table.write_csv(tmp_path / "joined.csv")
    for column, verdict in zip(("draw0", "draw1"), found, strict=True):
        joined = [tmp_path / "joined.csv", *FEATURES, "--id", "name", "--labels", column]
        by_hand = json.loads(invoke("audit", *joined, "--json").stdout)
        assert verdict["pairs"] == by_hand["pairs"]
        assert verdict["worst_people"] == by_hand["worst_people"]


def test_labels_that_do_not_fit_are_refused(people, tmp_path):
    out, drawn = tmp_path / "run", tmp_path / "drawn.csv"
    invoke("fit", people, *FEATURES, "--id", "name", "-k", 3, "-o", out)
    pl.DataFrame({"id": ["p000", "p001"], "label": [0, 1]}).write_csv(drawn)
    assert "118 rows have no cluster (p002)" in str(
        invoke("audit", out, "--labels", drawn).exception
    )
    pl.DataFrame({"id": ["p000", "p000"], "label": [0, 1]}).write_csv(drawn)
    assert "'p000' twice" in str(invoke("audit", out, "--labels", drawn).exception)
    assert "no column 'draw9'" in str(invoke("audit", out, "--labels", f"{drawn}:draw9").exception)
    assert "no file" in str(invoke("audit", out, "--labels", "cluster").exception)
