"""``likewise fit``: what it leaves, what it refuses, and what survives Ctrl-C and a full disk."""

import json

import numpy as np
import polars as pl
import pytest
from support.commands import fitted, invoke, parquet_folder

from likewise import InvalidArgument
from likewise.cli import errors as failures
from likewise.io import run_folder, run_record
from likewise.io.number_format import NumberFormat
from likewise.io.run_folder import Assignments
from likewise.io.run_record import RunRecord


def certificate_of(out):
    return json.loads((out / run_folder.CERTIFICATE).read_text())


def test_it_leaves_a_whole_folder(people, tmp_path):
    out = tmp_path / "run"
    done = fitted(people, out, "--json")
    assert done.exit_code == 0, done.output
    ours = [run_folder.ASSIGNMENTS, run_folder.CENTERS, run_folder.CERTIFICATE, run_folder.MODEL]
    assert sorted(path.name for path in out.iterdir()) == sorted([*ours, run_record.RUN])
    assert json.loads(done.stdout)["is_fair"]
    found = Assignments.read(out)
    assert found.ids.to_list()[0] == "p000"
    np.testing.assert_allclose(found.distributions.sum(axis=1), 1)
    assert (found.distributions.argmax(axis=1) == found.labels).mean() > 0.9
    certificate = certificate_of(out)
    assert certificate["is_fair"]
    assert certificate["gap"] <= 1e-3
    record = RunRecord.read(out)
    assert record.input.sha256 == run_folder.checksum(people)
    assert record.parameters.random_state == 0
    kinds = {"age": "number", "income": "number", "city": "category"}
    assert {column.name: column.kind for column in record.columns} == kinds
    centers = pl.read_csv(out / run_folder.CENTERS)
    assert centers["center"].to_list() == [0, 1, 2]
    assert set(centers["name"]) <= set(found.ids)
    assert not list(tmp_path.glob(".run*"))


@pytest.mark.parametrize(
    ("p", "root"), [("2", "the square root of the objective"), ("inf", "the radius")]
)
def test_objective_and_cost_are_told_apart(people, tmp_path, p, root):
    out = tmp_path / "run"
    done = invoke("fit", people, "--features", "age,income", "-k", 3, "--p", p, "--out", out)
    assert done.exit_code == 0, done.output
    proof = certificate_of(out)
    assert f"objective:   {proof['objective']:.8g}, proven" in done.stdout
    assert f"cost:        {proof['cost']:.8g}, {root}\n" in done.stdout


def test_few_distinct_points_are_a_warning(tmp_path):
    table, out = tmp_path / "few.csv", tmp_path / "run"
    pl.DataFrame({"x": [0, 1] * 10}).write_csv(table)
    done = invoke("fit", table, "-k", 3, "--out", out)
    assert done.exit_code == 0, done.output
    assert "the table has only 2 distinct points" in " ".join(done.stderr.split())
    (message,) = RunRecord.read(out).warnings
    assert "the table has only 2 distinct points" in message
    assert pl.read_csv(out / run_folder.CENTERS).height == 3
    assert certificate_of(out)["is_fair"]
    assert invoke("report", out).exit_code == 0


def test_it_agrees_with_the_estimator(people, tmp_path):
    from sklearn.preprocessing import StandardScaler

    from likewise import LikewiseClustering

    out = tmp_path / "run"
    invoke("fit", people, "--features", "age,income", "-k", 3, "-o", out)
    X = StandardScaler().fit_transform(pl.read_csv(people).select("age", "income").to_numpy())
    model = LikewiseClustering(3, tol=1e-3, random_state=0).fit(X)
    np.testing.assert_allclose(Assignments.read(out).distributions, model.distributions_, atol=1e-9)


def test_groups_are_balanced_when_asked(people, tmp_path):
    out = tmp_path / "run"
    done = fitted(people, out, "--group-tolerance", 0.3)
    assert done.exit_code == 0, done.output
    assert "bounds on groups checked" in done.stdout
    certificate = certificate_of(out)
    assert certificate["groups_checked"] > 0
    assert certificate["worst_group_excess"] <= 1e-9


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ([], "everybody with everybody"),
        (["--n-neighbors", "9"], "each person with the 9 nearest others, ties included"),
        (
            ["--group-tolerance", "0.5"],
            "everybody with those who share a protected value",
        ),
    ],
)
def test_it_says_who_was_compared_with_whom(people, tmp_path, more, words):
    done = fitted(people, tmp_path / "run", *more)
    assert f"\ncompared:    {words}\n" in done.output
    again = fitted(people, tmp_path / "again", "--json", *more)
    assert json.loads(again.stdout)["compared"] == words


def test_k_center_is_recorded_as_such(people, tmp_path):
    out = tmp_path / "run"
    done = fitted(people, out, "--p", "inf")
    assert done.exit_code == 0, done.output
    assert json.loads((out / run_record.RUN).read_text())["parameters"]["p"] is None
    assert RunRecord.read(out).parameters.p == np.inf


def test_parquet_in_and_semicolons_too(people, tmp_path):
    table = pl.read_csv(people)
    table.write_parquet(tmp_path / "people.parquet")
    table.write_csv(tmp_path / "semi.csv", separator=";")
    answers = []
    for name in ("people.csv", "people.parquet", "semi.csv"):
        out = tmp_path / f"run-{name}"
        done = fitted(tmp_path / name, out)
        assert done.exit_code == 0, done.output
        answers.append(Assignments.read(out).distributions)
    np.testing.assert_array_equal(answers[0], answers[1])
    np.testing.assert_array_equal(answers[0], answers[2])


def test_a_folder_of_parquet_files_here_and_on_a_cluster(tmp_path, client):
    folder = parquet_folder(tmp_path / "table")
    fit = ["fit", folder, "-k", 3, "--json", "--checkpoint", tmp_path / "state.npz"]
    answers = []
    for name, more in (("here", []), ("there", ["--dask", client.scheduler.address])):
        done = invoke(*fit, "--out", tmp_path / name, *more)
        assert done.exit_code == 0, done.output
        answers.append(json.loads(done.stdout)["objective"])
    assert answers[0] == answers[1]
    assert len(RunRecord.read(tmp_path / "here").input.sha256) == 64


def test_a_result_is_not_overwritten_by_chance(people, tmp_path):
    out = tmp_path / "run"
    fitted(people, out)
    before = (out / run_record.RUN).read_bytes()
    refused = fitted(people, out)
    assert "--force" in str(refused.exception)
    assert (out / run_record.RUN).read_bytes() == before
    assert fitted(people, out, "--force").exit_code == 0


def test_a_full_disk_leaves_nothing_behind(people, tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(run_record, "write_json", full)
    out = tmp_path / "run"
    done = fitted(people, out)
    assert isinstance(done.exception, OSError)
    assert failures.exit_code(done.exception) == failures.FILES
    assert not out.exists()
    assert not list(tmp_path.glob(".run*"))


def test_missing_values_are_named_then_dropped(people, tmp_path):
    table = pl.read_csv(people).with_columns(
        pl.when(pl.col("age") > 60).then(None).otherwise(pl.col("age")).alias("age")
    )
    table.write_csv(tmp_path / "gaps.csv")
    refused = fitted(tmp_path / "gaps.csv", tmp_path / "run")
    assert "'age' is missing in" in str(refused.exception)
    assert fitted(tmp_path / "gaps.csv", tmp_path / "run", "--drop-missing").exit_code == 0
    assert len(Assignments.read(tmp_path / "run").ids) == table["age"].count()


@pytest.mark.parametrize(
    ("more", "columns"),
    [
        ([], ["age", "income", "city"]),
        (["--weight", "income"], ["age", "city"]),
    ],
)
def test_without_names_features_are_what_is_nothing_else(people, tmp_path, more, columns):
    done = invoke(
        "fit", people, "--protected", "sex,<b>status</b>", "--id", "name", "-k", 2,
        "-o", tmp_path / "run", *more,
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    record = RunRecord.read(tmp_path / "run")
    assert list(record.features) == columns
    assert record.weight == (more[1] if more else None)


@pytest.mark.parametrize(
    "named",
    [
        ["--protected", "sex", "--protected", "plan, old"],
        ["--protected", "plan, old", "--protected", "sex"],
    ],
)
def test_options_that_are_repeated_add_up(people, tmp_path, named):
    """Also where a name has a comma in it."""
    table = pl.read_csv(people).with_columns(pl.col("city").alias("plan, old"))
    table.with_columns(pl.col("age").alias("score, 0-1")).write_csv(tmp_path / "commas.csv")
    done = invoke(
        "fit", tmp_path / "commas.csv", *named, "--features", "score, 0-1", "--features",
        "age,income", "-k", 2, "--out", tmp_path / "run",
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    record = RunRecord.read(tmp_path / "run")
    assert list(record.protected) == named[1::2]
    assert list(record.features) == ["score, 0-1", "age", "income"]


def test_names_are_checked_by_the_option_that_names_them(people, tmp_path):
    for option in ("--features", "--exclude", "--categorical", "--protected", "--id", "--weight"):
        done = invoke("fit", people, option, "wage", "--out", tmp_path / "run")
        assert f"{option}: there is no column 'wage'" in str(done.exception)
    twice = invoke("fit", people, *["--features", "age"] * 2, "--out", tmp_path / "run")
    assert "--features: 'age' is named twice" in str(twice.exception)


@pytest.fixture
def gaps(people, tmp_path):
    """The people, some of them without an age: rows of the file and of the points differ."""
    path = tmp_path / "gaps.csv"
    unknown = pl.when(pl.col("age") % 3 == 0).then(None).otherwise(pl.col("age")).alias("age")
    pl.read_csv(people).with_columns(unknown).write_csv(path)
    return path


def worst_pair(file, run):
    """The ids of the pair that is nearest to its global bound, found again from the files alone."""
    table = pl.read_csv(file).with_row_index("row", offset=2).drop_nulls("age")
    X = table.select("age", "income").to_numpy()
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    away = np.sqrt(((X[:, None] - X[None]) ** 2).sum(axis=-1))
    x = Assignments.read(run).distributions
    excess = 0.5 * np.abs(x[:, None] - x[None]).sum(axis=-1) - away / away.max()
    np.fill_diagonal(excess, -np.inf)
    worst = excess.max()
    i, j = np.nonzero(excess > worst - 1e-12)
    names = zip(table["row"].to_numpy()[i], table["row"].to_numpy()[j], strict=True)
    return {frozenset(map(int, pair)) for pair in names}, table


def test_rows_have_the_numbers_that_a_spreadsheet_shows(gaps, tmp_path):
    out = tmp_path / "run"
    done = invoke(
        "fit", gaps, "--features", "age,income", "--drop-missing", "-k", 3, "--out", out,
        "--similarity", "global",
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    candidates, table = worst_pair(gaps, out)
    pair = certificate_of(out)["worst_pair"]
    assert frozenset(pair) in candidates
    assert f"(row {pair[0]} and row {pair[1]})" in done.stdout
    assert Assignments.read(out).ids.to_list() == table["row"].to_list()
    lines = gaps.read_text().splitlines()
    centers = pl.read_csv(out / run_folder.CENTERS)
    for row, name in zip(centers["row"], centers["name"], strict=True):
        assert lines[row - 1].startswith(name)


def test_people_with_ids_are_called_by_them(gaps, tmp_path):
    out = tmp_path / "run"
    done = invoke(
        "fit", gaps, "--features", "age,income", "--drop-missing", "--id", "name", "-k", 3,
        "--out", out, "--json", "--similarity", "global",
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    pair = certificate_of(out)["worst_pair"]
    assert json.loads(done.stdout)["worst_pair"] == pair
    candidates, table = worst_pair(gaps, out)
    row_of = dict(zip(table["name"], table["row"], strict=True))
    assert frozenset(row_of[name] for name in pair) in candidates
    shown = invoke(
        "fit", gaps, "--features", "age,income", "--drop-missing", "--id", "name", "-k", 3,
        "--out", out, "--force", "--similarity", "global",
    )  # fmt: skip
    assert f"({pair[0]} and {pair[1]})" in shown.stdout


def test_a_wrong_value_is_named_by_its_row_of_the_file(gaps, tmp_path):
    table = pl.read_csv(gaps).with_columns(pl.col("income").cast(pl.String))
    table[100, "income"] = "a lot"
    table.write_csv(gaps)
    done = invoke("fit", gaps, "--features", "age,income", "--drop-missing", "-o", tmp_path / "x")
    assert "('a lot' in row 102)" in str(done.exception)
    assert gaps.read_text().splitlines()[101].count("a lot") == 1


def test_ids_and_codes_are_left_out_and_dates_are_numbers(people, tmp_path):
    random = np.random.default_rng(0)
    table = pl.read_csv(people).with_columns(
        pl.Series("ID", range(1, 121)),
        pl.Series("zip", random.integers(10_000, 10_200, 120)),
        pl.Series("joined", [f"2024-0{1 + number % 9}-01" for number in range(120)]),
    )
    table.write_csv(tmp_path / "more.csv")
    fit = ["fit", tmp_path / "more.csv", "-k", 2, "--protected", "sex,<b>status</b>"]
    done = invoke(*fit, "--out", tmp_path / "run", "--exclude", "income")
    assert done.exit_code == 0, done.output
    record = RunRecord.read(tmp_path / "run")
    assert record.features == ("age", "city", "joined")
    said = " ".join(done.stderr.split())
    assert "joined: dates as numbers of days" in said
    for each in record.left_out:
        assert str(each) in said
    assert {each.name for each in record.left_out} == {"income", "name", "ID", "zip"}
    asked = invoke(
        *fit, "--out", tmp_path / "asked", "--features", "ID,zip", "--categorical", "zip", "--json"
    )
    assert asked.exit_code == 0, asked.output
    assert json.loads(asked.stdout)["left_out"] == []
    kinds = [column.kind for column in RunRecord.read(tmp_path / "asked").columns]
    assert kinds == ["number", "category"]
    assert invoke("report", tmp_path / "asked").exit_code == 0


def test_codes_keep_their_zeros(tmp_path):
    """Those that are told by their names, and those that are said to be codes."""
    rows = [f"{number % 4:05d},{number % 3:02d},{number % 7}" for number in range(40)]
    (tmp_path / "zip.csv").write_text("\n".join(["zip,ward,age", *rows]))
    fit = ["fit", tmp_path / "zip.csv", "--categorical", "ward", "-k", 2, "--out"]
    done = invoke(*fit, tmp_path / "run")
    assert done.exit_code == 0, done.output
    columns = {column.name: column for column in RunRecord.read(tmp_path / "run").columns}
    assert columns["zip"].values == ("00000", "00001", "00002", "00003")
    assert columns["ward"].values == ("00", "01", "02")
    assert columns["age"].kind == "number"
    assert invoke("report", tmp_path / "run").exit_code == 0


@pytest.mark.parametrize(
    ("texts", "options", "mean"),
    [
        (["1,234", "2,000"], ["--thousands", ","], 1617.0),
        (["1,234", "2,000"], ["--decimal", ","], 1.617),
        (["1'234", "2'000"], ["--thousands", "'"], 1617.0),
        (["1 234", "2000"], ["--thousands", " "], 1617.0),
    ],
)
def test_numbers_as_they_are_written_elsewhere(tmp_path, texts, options, mean):
    """What may be read in two ways is not guessed; what is offered is what works, and the report
    reads it the same way.
    """
    file, out = tmp_path / "elsewhere.csv", tmp_path / "run"
    file.write_text("\n".join(["who;income", *(f"p{i};{texts[i % 2]}" for i in range(20))]))
    refused = invoke("fit", file, "-k", 2, "--out", out)
    assert isinstance(refused.exception, InvalidArgument)
    assert NumberFormat(*_marks(options)).as_options() in refused.exception.remedy
    done = invoke("fit", file, "-k", 2, "--out", out, *options)
    assert done.exit_code == 0, done.output
    (column,) = RunRecord.read(out).columns
    assert column.mean == pytest.approx(mean)
    assert invoke("report", out).exit_code == 0


@pytest.mark.parametrize("texts", [["1.234,5", "2.000"], ["1234,5", "2000"]])
def test_decimal_commas_that_leave_no_doubt_are_told_by_the_file(tmp_path, texts):
    file, out = tmp_path / "excel.csv", tmp_path / "run"
    lines = ["Größe;income", *(f"p{i % 3};{texts[i % 2]}" for i in range(20))]
    file.write_bytes("\r\n".join(lines).encode("cp1252"))
    done = invoke("fit", file, "-k", 2, "--out", out)
    assert done.exit_code == 0, done.output
    said = " ".join(done.stderr.split())
    for what in ("cp1252", "semicolons", "decimal commas", "--decimal", "--encoding"):
        assert what in said
    size, income = RunRecord.read(out).columns
    assert (size.name, income.mean) == ("Größe", pytest.approx(1617.25))
    assert invoke("report", out).exit_code == 0


def _marks(options):
    said = dict(zip(options[::2], options[1::2], strict=True))
    return said.get("--decimal", "."), said.get("--thousands")


def test_metrics_of_yes_and_no(people, tmp_path):
    where = ["-k", 2, "--metric", "jaccard", "--out", tmp_path / "run"]
    done = invoke("fit", people, "--features", "city,sex", *where)
    assert done.exit_code == 0, done.output
    refused = invoke("fit", people, "--features", "age", *where, "--force")
    assert "compares columns of yes and no" in str(refused.exception)


def test_quiet_is_quiet(people, tmp_path):
    done = fitted(people, tmp_path / "run", "--quiet")
    assert done.exit_code == 0
    assert done.output == ""


def test_columns_named_as_ours(people, tmp_path):
    table = pl.read_csv(people).with_columns(
        pl.Series("center", range(120)), pl.Series("row", range(120))
    )
    table.write_csv(tmp_path / "awkward.csv")
    done = fitted(tmp_path / "awkward.csv", tmp_path / "run")
    assert done.exit_code == 0, done.output
    centers = pl.read_csv(tmp_path / "run" / run_folder.CENTERS)
    assert centers.columns[:2] == ["center", "row"]
    first = 2  # as a spreadsheet shows the first row below the header
    assert centers["row"].to_list() == (centers["row (in the file)"] + first).to_list()


def test_text_that_is_nearly_numbers(people, tmp_path):
    table = pl.read_csv(people)
    ages = ["thirty", *table["age"].cast(pl.String).to_list()[1:]]
    table.with_columns(pl.Series("age", ages)).write_csv(tmp_path / "typo.csv")
    points = pl.col("income").cast(pl.String).str.replace(".", ",", literal=True)
    table.with_columns(points).write_csv(tmp_path / "commas.csv")
    for name, message in (("typo", "is a column of numbers, but"), ("commas", "--decimal ','")):
        done = fitted(tmp_path / f"{name}.csv", tmp_path / "no")
        assert message in str(done.exception)


def test_long_work_is_agreed_to_first(people, tmp_path, monkeypatch):
    from likewise.fitting import estimate

    long = estimate.Estimate(120, 120 * 119, 1e6, False, 2**30)
    monkeypatch.setattr(estimate, "WORTH_IT", 100)
    monkeypatch.setattr(estimate, "estimate", lambda *told: long)
    options = ("--features", "age,income", "-k", 2, "--out", tmp_path / "run")
    refused = invoke("fit", people, *options)
    assert "about 12 days" in str(refused.exception)
    assert "--yes" in str(refused.exception)
    assert not (tmp_path / "run").exists()
    assert invoke("fit", people, *options, "--yes").exit_code == 0
    limited = invoke("fit", people, *options, "--force", "--max-time", 60)
    assert limited.exit_code == 0
    assert "about 12 days" not in limited.output  # with a limit there is nothing to estimate


def test_probabilities_as_csv_too(people, tmp_path):
    import polars as pl

    invoke("fit", people, "-k", 2, "--features", "age", "-o", tmp_path / "run", "--format", "csv")
    table = pl.read_parquet(tmp_path / "run/assignments.parquet")
    assert pl.read_csv(tmp_path / "run/assignments.csv").to_dicts() == table.to_dicts()
