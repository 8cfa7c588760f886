"""``likewise draw``: labels from the distributions of a run."""

import polars as pl
from support.commands import fitted, invoke


def test_it_is_repeatable(people, tmp_path):
    out = tmp_path / "run"
    fitted(people, out)
    for name in ("a.csv", "b.csv"):
        done = invoke("draw", out, "-o", tmp_path / name, "--draws", 3, "--seed", 5)
        assert done.exit_code == 0, done.output
        assert "3 draws for 120 people" in done.stdout
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "b.csv").read_bytes()
    drawn = pl.read_csv(tmp_path / "a.csv")
    assert drawn.columns == ["id", "draw0", "draw1", "draw2"]
    assert drawn["id"].to_list() == pl.read_csv(people)["name"].to_list()
    again = invoke("draw", out, "-o", tmp_path / "b.csv", "--draws", 3, "--seed", 5, "--force")
    assert again.exit_code == 0, again.output
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "b.csv").read_bytes()
    alone = invoke("draw", out, "-o", tmp_path / "c.csv", "--independent", "--seed", 5)
    assert alone.exit_code == 0
    assert "1 draw for 120 people" in alone.stdout
    assert (pl.read_csv(tmp_path / "c.csv")["draw0"] != drawn["draw0"]).any()


def test_labels_are_not_overwritten_by_chance(people, tmp_path):
    run, out = tmp_path / "run", tmp_path / "new" / "folder" / "labels.csv"
    fitted(people, run)
    assert invoke("draw", run, "--out", out).exit_code == 0  # folders on the way are made
    before = out.read_bytes()
    refused = invoke("draw", run, "--out", out, "--seed", 1)
    assert "--force" in str(refused.exception)
    assert out.read_bytes() == before
    assert invoke("draw", run, "--out", out, "--seed", 1, "--force").exit_code == 0
    assert out.read_bytes() != before
