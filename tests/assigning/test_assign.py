"""People who come later, by the command: against ``predict_proba`` of the same model."""

import json

import numpy as np
import polars as pl
import pytest
from support.commands import invoke

from likewise import InvalidArgument, LikewiseClustering
from likewise.assigning import LaterPeople, assigned_blocks
from likewise.assigning import blocks as blocks_module
from likewise.cli.errors import REFUSED
from likewise.io.run_folder import Assignments
from likewise.io.text import Dialect

N = 90


@pytest.fixture
def run(tmp_path):
    """(the table, the folder of its run)."""
    random = np.random.default_rng(0)
    table = pl.DataFrame(
        {
            "name": [f"p{number:03d}" for number in range(N)],
            "age": random.integers(20, 70, N),
            "income": random.lognormal(10, 0.5, N),
            "city": random.choice(["Pune", "Lima", "Oslo"], N),
            "member": random.choice([True, False], N),
            "since": pl.date_range(pl.date(2001, 1, 1), pl.date(2001, 3, 31), eager=True),
        }
    )
    file = tmp_path / "people.csv"
    table.write_csv(file)
    out = tmp_path / "run"
    done = invoke("fit", file, "-k", 3, "--id", "name", "-o", out, "--similarity", "local", "-q")
    assert done.exit_code == 0, done.exception
    return file, out


def assign(run, file, out, *options):
    done = invoke("assign", run, file, "-o", out, "--json", *options)
    assert done.exit_code in (0, REFUSED), repr(done.exception)
    return json.loads(done.stdout)


def chances(table):
    return table.select("p0", "p1", "p2").to_numpy()


@pytest.mark.parametrize("ending", ["csv", "parquet", "csv.gz", "folder"])
@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_those_who_were_fitted_get_their_own_back_to_the_bit(run, tmp_path, ending, kind):
    import gzip

    file, folder = run
    same = tmp_path / f"same.{ending}"
    if ending == "csv":
        same = file
    elif ending == "csv.gz":
        same.write_bytes(gzip.compress(file.read_bytes()))
    else:
        table = pl.read_csv(file, try_parse_dates=True)
        same = tmp_path / "same" if ending == "folder" else same
        parts = {"b": table[50:], "a": table[:50]} if ending == "folder" else {"": table}
        for name, part in parts.items():
            path = same / f"{name}.parquet" if name else same
            path.parent.mkdir(exist_ok=True)
            part.with_columns(pl.col("since").cast(pl.String)).write_parquet(path)
    told = assign(folder, same, tmp_path / "new", "--format", kind)
    assert (told["assigned"], told["refused"], told["relaxed"]) == (N, 0, 0)
    found = pl.read_csv(tmp_path / "new/assignments.csv") if kind == "csv" else None
    found = pl.read_parquet(tmp_path / "new/part-*.parquet") if found is None else found
    kept = Assignments.read(folder)
    assert found["id"].to_list() == kept.ids.to_list()
    np.testing.assert_array_equal(chances(found), kept.distributions)
    assert found["most_likely"].to_list() == kept.labels.tolist()


def test_others_get_what_the_model_says_whatever_the_blocks(run, tmp_path, monkeypatch):
    file, folder = run
    new = pl.read_csv(file).with_columns(pl.col("age") + 0.5, pl.col("income") * 1.01)
    new.write_csv(tmp_path / "new.csv")
    together = assign(folder, tmp_path / "new.csv", tmp_path / "one", "--format", "csv")
    monkeypatch.setattr(
        blocks_module.table_blocks,
        "__defaults__",
        (7,),  # rows in a block
    )
    apart = assign(folder, tmp_path / "new.csv", tmp_path / "many")
    one = pl.read_csv(tmp_path / "one/assignments.csv")
    many = pl.read_parquet(tmp_path / "many/part-*.parquet")
    assert len(list((tmp_path / "many").glob("part-*"))) == -(-N // 7)
    np.testing.assert_array_equal(chances(one), chances(many))
    assert together["clusters"] == apart["clusters"]
    model = LikewiseClustering.load(folder / "model.zip")
    assert model.n_clusters == 3
    assert one["relaxation"].min() >= 1


def test_rows_without_a_place_are_refused_and_listed(run, tmp_path):
    file, folder = run
    table = pl.read_csv(file, infer_schema=False).head(6)
    table = table.with_columns(
        city=pl.Series(["Pune", "Paris", "Oslo", "Lima", "Rome", "Oslo"]),
        age=pl.Series(["30", "31", None, "33", "34", "old"]),
        since=pl.Series(
            ["2001-01-01", "2001-01-02", "2001-01-03", "soon", "2001-01-05", "2001-1-6"]
        ),
    )
    table.write_csv(tmp_path / "new.csv")
    done = invoke("assign", folder, tmp_path / "new.csv", "-o", tmp_path / "new")
    assert done.exit_code == REFUSED
    assert "1 people assigned" in done.stdout
    assert "5 rows refused" in done.stdout
    assert "row 3 (p001): city 'Paris': nobody had it" in done.stdout
    refused = pl.read_csv(tmp_path / "new/refused.csv")
    listed = [(row["row"], row["column"], row["value"]) for row in refused.to_dicts()]
    assert listed == [
        (3, "city", "Paris"),
        (4, "age", None),
        (5, "since", "soon"),
        (6, "city", "Rome"),
        (7, "age", "old"),
    ]


def test_without_ids_rows_are_called_by_their_numbers_alone(run, tmp_path):
    file, folder = run
    table = pl.read_csv(file).drop("name").head(3)
    table.with_columns(city=pl.Series(["Pune", "Paris", "Oslo"])).write_csv(tmp_path / "new.csv")
    done = invoke("assign", folder, tmp_path / "new.csv", "-o", tmp_path / "new")
    assert done.exit_code == REFUSED
    assert "  row 3: city 'Paris': nobody had it" in done.stdout


def test_missing_columns_are_all_named(run, tmp_path):
    file, folder = run
    pl.read_csv(file).drop("age", "city").write_csv(tmp_path / "new.csv")
    done = invoke("assign", folder, tmp_path / "new.csv", "-o", tmp_path / "new")
    assert "it has no 'age', 'city'" in str(done.exception)
    assert not (tmp_path / "new").exists()


def test_an_earlier_result_is_replaced_only_if_asked(run, tmp_path):
    file, folder = run
    assign(folder, file, tmp_path / "new")
    assert "is there already" in str(
        invoke("assign", folder, file, "-o", tmp_path / "new").exception
    )
    assign(folder, file, tmp_path / "new", "--force", "--format", "csv")
    assert not list((tmp_path / "new").glob("part-*"))


def test_a_run_without_its_model_says_what_to_do(run, tmp_path):
    file, folder = run
    (folder / "model.zip").unlink()
    done = invoke("assign", folder, file, "-o", tmp_path / "new")
    assert "Fit again" in str(done.exception)


def test_on_a_cluster_the_same(run, tmp_path, client):
    file, folder = run
    table = pl.read_csv(file).with_columns(pl.col("age") + 0.5)
    (tmp_path / "many").mkdir()
    table[:40].write_parquet(tmp_path / "many/a.parquet")
    table[40:].write_parquet(tmp_path / "many/b.parquet")
    later = LaterPeople.of(folder)
    here, there = (
        list(assigned_blocks(tmp_path / "many", Dialect(), later, engine))
        for engine in ("local", client)
    )
    for name in ("ids", "labels", "distributions", "factors"):
        one, other = (
            np.concatenate([getattr(each, name) for each in way]) for way in (here, there)
        )
        np.testing.assert_array_equal(one, other)
    with pytest.raises(InvalidArgument, match="workers read Parquet files only"):
        list(assigned_blocks(file, Dialect(), later, client))
