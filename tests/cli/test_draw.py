"""``likewise draw``: labels from the distributions of a run."""

import polars as pl
from support.commands import fitted, invoke


def test_it_is_repeatable(people, tmp_path):
    out = tmp_path / "run"
    fitted(people, out)
    for name in ("a.csv", "b.csv"):
        done = invoke("draw", out, "-o", tmp_path / name, "--draws", 3, "--seed", 5)
        assert done.exit_code == 0, done.output
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "b.csv").read_bytes()
    drawn = pl.read_csv(tmp_path / "a.csv")
    assert drawn.columns == ["id", "draw0", "draw1", "draw2"]
    assert drawn["id"].to_list() == pl.read_csv(people)["name"].to_list()
    alone = invoke("draw", out, "-o", tmp_path / "c.csv", "--independent", "--seed", 5)
    assert alone.exit_code == 0
    assert (pl.read_csv(tmp_path / "c.csv")["draw0"] != drawn["draw0"]).any()
