"""The command line, as a user meets it: real files, real processes where it matters."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from typer.testing import CliRunner

from likewise.cli import errors as failures
from likewise.cli import main
from likewise.cli.app import app
from likewise.io import run_folder

RUN = CliRunner()


@pytest.fixture
def people(tmp_path):
    """A table with numbers, categories, protected columns, names that need escaping."""
    random = np.random.default_rng(0)
    n = 120
    table = pl.DataFrame(
        {
            "name": [f"p{number:03d}" for number in range(n)],
            "age": random.integers(20, 70, n),
            "income": random.lognormal(10, 0.5, n).round(2),
            "city": random.choice(["Pune", "Lima", "Oslo"], n),
            "sex": random.choice(["f", "m"], n),
            "<b>status</b>": random.choice(["a&b", "<script>alert(1)</script>"], n),
        }
    )
    path = tmp_path / "people.csv"
    table.write_csv(path)
    return path


def fitted(people, out, *more):
    protected = "sex,<b>status</b>"
    arguments = ["fit", str(people), "--features", "age,income,city", "--protected", protected]
    return RUN.invoke(app, [*arguments, "-k", "3", "--id", "name", "--out", str(out), *more])


def run_main(*arguments, cwd=None):
    """In a process of its own, with exit codes as the shell sees them."""
    code = "from likewise.cli import main; main()"
    return subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)],
        capture_output=True,
        text=True,
        cwd=cwd,
        check=False,
    )


def test_fit_leaves_a_whole_folder(people, tmp_path):
    out = tmp_path / "run"
    done = fitted(people, out, "--json")
    assert done.exit_code == 0, done.output
    assert sorted(path.name for path in out.iterdir()) == sorted(
        [run_folder.ASSIGNMENTS, run_folder.CENTERS, run_folder.CERTIFICATE, run_folder.RUN]
    )
    told = json.loads(done.stdout)
    assert told["is_fair"]
    found = run_folder.read_assignments(out)
    assert found.ids.to_list()[0] == "p000"
    np.testing.assert_allclose(found.distributions.sum(axis=1), 1)
    assert (found.distributions.argmax(axis=1) == found.labels).mean() > 0.9
    certificate = json.loads((out / run_folder.CERTIFICATE).read_text())
    assert certificate["is_fair"]
    assert certificate["gap"] <= 1e-3
    record = run_folder.read_run(out)
    assert record["input"]["sha256"] == run_folder.checksum(people)
    assert record["parameters"]["random_state"] == 0
    assert {column["name"]: column["kind"] for column in record["columns"]} == {
        "age": "number",
        "income": "number",
        "city": "category",
    }
    centers = pl.read_csv(out / run_folder.CENTERS)
    assert centers["center"].to_list() == [0, 1, 2]
    assert set(centers["name"]) <= set(found.ids)
    assert not list(tmp_path.glob(".run*"))


def test_fit_agrees_with_the_estimator(people, tmp_path):
    from sklearn.preprocessing import StandardScaler

    from likewise import LikewiseClustering

    out = tmp_path / "run"
    RUN.invoke(app, ["fit", str(people), "--features", "age,income", "-k", "3", "-o", str(out)])
    X = StandardScaler().fit_transform(pl.read_csv(people).select("age", "income").to_numpy())
    model = LikewiseClustering(3, tol=1e-3, random_state=0).fit(X)
    np.testing.assert_allclose(
        run_folder.read_assignments(out).distributions, model.distributions_, atol=1e-9
    )


def test_fit_balances_groups_when_asked(people, tmp_path):
    out = tmp_path / "run"
    done = fitted(people, out, "--group-tolerance", "0.3")
    assert done.exit_code == 0, done.output
    assert "bounds on groups checked" in done.stdout
    certificate = json.loads((out / run_folder.CERTIFICATE).read_text())
    assert certificate["groups_checked"] > 0
    assert certificate["worst_group_excess"] <= 1e-9


def test_parquet_in_and_semicolons_too(people, tmp_path):
    table = pl.read_csv(people)
    table.write_parquet(tmp_path / "people.parquet")
    table.write_csv(tmp_path / "semi.csv", separator=";")
    answers = []
    for name in ("people.csv", "people.parquet", "semi.csv"):
        out = tmp_path / f"run-{name}"
        done = fitted(tmp_path / name, out)
        assert done.exit_code == 0, done.output
        answers.append(run_folder.read_assignments(out).distributions)
    np.testing.assert_array_equal(answers[0], answers[1])
    np.testing.assert_array_equal(answers[0], answers[2])


def test_a_result_is_not_overwritten_by_chance(people, tmp_path):
    out = tmp_path / "run"
    fitted(people, out)
    before = (out / run_folder.RUN).read_bytes()
    refused = fitted(people, out)
    assert "--force" in str(refused.exception)
    assert (out / run_folder.RUN).read_bytes() == before
    assert fitted(people, out, "--force").exit_code == 0
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "thesis.txt").write_text("years of work")
    assert "not replaced" in str(fitted(people, precious, "--force").exception)
    assert (precious / "thesis.txt").exists()


def test_a_full_disk_leaves_nothing_behind(people, tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(run_folder, "write_json", full)
    out = tmp_path / "run"
    done = fitted(people, out)
    assert isinstance(done.exception, OSError)
    assert failures.exit_code(done.exception) == failures.FILES
    assert not out.exists()
    assert not list(tmp_path.glob(".run*"))


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["fit", "absent.csv", "-k", "2", "-o", "x"], failures.FILES, "no file absent.csv"),
        (["fit", "people.txt", "-o", "x"], failures.INPUT, "neither CSV nor Parquet"),
        (["fit", "people.csv", "--features", "wage", "-o", "x"], failures.INPUT, "column 'wage'"),
        (["fit", "people.csv", "--features", "age", "-k", "500", "-o", "x"], failures.INPUT, "500"),
        (["fit", "people.csv", "--similarity", "globl", "--features", "age", "-o", "x"],
         failures.INPUT, "Did you mean 'global'"),
        (["fit", "people.csv", "--features", "name", "-o", "x"], failures.INPUT, "no category"),
        (["fit", "people.csv", "-k", "2"], 2, "--out"),
        (["fit", "people.csv", "--bogus", "-o", "x"], 2, "bogus"),
        (["audit", "people.csv"], failures.INPUT, "--labels, --probabilities"),
        (["draw", "nowhere", "-o", "x.csv"], failures.FILES, "assignments.parquet"),
        (["report", "nowhere"], failures.FILES, "run.json"),
        (["reproduce", "--data", "nowhere"], failures.INPUT, "not a folder"),
    ],
)  # fmt: skip
def test_failures_are_told_apart(people, arguments, code, message):
    done = run_main(*arguments, cwd=people.parent)
    assert done.returncode == code, done.stderr
    assert message in " ".join(done.stderr.replace("│", " ").split())
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
    assert not (people.parent / "x").exists()


def test_errors_for_machines(people):
    done = run_main("fit", "absent.csv", "-o", "x", "--json", cwd=people.parent)
    assert json.loads(done.stderr)["exit_code"] == failures.FILES


def test_missing_values_are_named_then_dropped(people, tmp_path):
    table = pl.read_csv(people).with_columns(
        pl.when(pl.col("age") > 60).then(None).otherwise(pl.col("age")).alias("age")
    )
    table.write_csv(tmp_path / "gaps.csv")
    refused = fitted(tmp_path / "gaps.csv", tmp_path / "run")
    assert "'age' is missing in" in str(refused.exception)
    assert fitted(tmp_path / "gaps.csv", tmp_path / "run", "--drop-missing").exit_code == 0
    assert len(run_folder.read_assignments(tmp_path / "run").ids) == table["age"].count()


def test_audit_of_hard_and_soft_clusterings(people, tmp_path):
    from sklearn.cluster import KMeans

    table = pl.read_csv(people)
    X = table.select("age", "income").to_numpy()
    labels = KMeans(3, random_state=0, n_init=3).fit_predict((X - X.mean(0)) / X.std(0))
    table = table.with_columns(pl.Series("cluster", [f"c{label}" for label in labels]))
    table.write_csv(tmp_path / "labelled.csv")
    common = ["audit", str(tmp_path / "labelled.csv"), "--features", "age,income"]
    done = RUN.invoke(
        app, [*common, "--labels", "cluster", "--protected", "sex", "--id", "name", "--json"]
    )
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert not told["fair"]
    assert told["pairs"]["checked"] == 120 * 119
    assert told["worst_pairs"][0]["ids"][0].startswith("p")
    assert [group["value"] for group in told["groups"]] == ["f", "m"]
    checked = RUN.invoke(app, [*common, "--labels", "cluster", "--check"])
    assert checked.exit_code == failures.UNFAIR
    assert "Worst pairs" in checked.stdout
    # what likewise itself made is fair, judged by the same command
    out = tmp_path / "run"
    RUN.invoke(app, ["fit", str(people), "--features", "age,income", "-k", "3", "-o", str(out)])
    fair = pl.read_parquet(out / run_folder.ASSIGNMENTS).drop("id")
    pl.concat([pl.read_csv(people), fair], how="horizontal").write_parquet(
        tmp_path / "soft.parquet"
    )
    done = RUN.invoke(
        app,
        ["audit", str(tmp_path / "soft.parquet"), "--features", "age,income", "--probabilities",
         "p0,p1,p2", "--check", "--json"],
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["fair"]


def test_draw_is_repeatable_and_coupled(people, tmp_path):
    out = tmp_path / "run"
    fitted(people, out)
    for name in ("a.csv", "b.csv"):
        done = RUN.invoke(
            app, ["draw", str(out), "-o", str(tmp_path / name), "--draws", "3", "--seed", "5"]
        )
        assert done.exit_code == 0, done.output
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "b.csv").read_bytes()
    drawn = pl.read_csv(tmp_path / "a.csv")
    assert drawn.columns == ["id", "draw0", "draw1", "draw2"]
    apart = RUN.invoke(app, ["draw", str(out), "-o", str(tmp_path / "c.csv"), "--independent"])
    assert apart.exit_code == 0


def test_quiet_is_quiet(people, tmp_path):
    done = fitted(people, tmp_path / "run", "--quiet")
    assert done.exit_code == 0
    assert done.output == ""


def test_datasets_are_listed(tmp_path):
    done = RUN.invoke(app, ["datasets", "--json"], env={"LIKEWISE_DATA": str(tmp_path)})
    assert [each["name"] for each in json.loads(done.stdout)["datasets"]] == [
        "bank", "adult", "creditcard", "census1990", "diabetes",
    ]  # fmt: skip


def test_version_and_help():
    assert RUN.invoke(app, ["--version"]).stdout.startswith("likewise 0.")
    helped = RUN.invoke(app, ["--help"]).stdout
    for command in ("fit", "audit", "draw", "report", "reproduce", "datasets", "demo"):
        assert command in helped


def test_mistakes_of_ours_keep_their_traceback(monkeypatch):
    monkeypatch.setattr(sys, "argv", ["likewise", "datasets"])

    def broken(*_):
        raise AssertionError("ours")

    monkeypatch.setattr("likewise.datasets.files.folder_of", broken)
    with pytest.raises(AssertionError, match="ours"):
        main()


def test_ctrl_c_while_fitting_still_leaves_a_fair_result(tmp_path):
    """A real process, a real signal."""
    import signal
    import time

    random = np.random.default_rng(0)
    table = pl.DataFrame({f"c{column}": random.normal(size=3000) for column in range(4)})
    table.write_csv(tmp_path / "many.csv")
    out = tmp_path / "run"
    code = "from likewise.cli import main; main()"
    worker = subprocess.Popen(
        [sys.executable, "-c", code, "fit", str(tmp_path / "many.csv"), "-k", "6", "--tol", "1e-9",
         "-o", str(out)],
        stderr=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    fd = worker.stderr.fileno()
    seen = b""
    deadline = time.monotonic() + 120
    while b"gap" not in seen and time.monotonic() < deadline:
        seen += os.read(fd, 4096)
    worker.send_signal(signal.SIGINT)
    _, errors = worker.communicate(timeout=120)
    assert worker.returncode == 0, errors.decode()
    assert json.loads((out / run_folder.CERTIFICATE).read_text())["is_fair"]
    assert not list(Path(tmp_path).glob(".run*"))


def test_awkward_columns_ids_and_numbers(people, tmp_path):
    """Columns named as ours are, values that look like markup, text that is nearly numbers."""
    table = pl.read_csv(people).with_columns(
        pl.Series("center", range(120)), pl.Series("row", range(120)), pl.lit("[/x]").alias("tag")
    )
    table.write_csv(tmp_path / "awkward.csv")
    file, out, common = (
        str(tmp_path / "awkward.csv"),
        tmp_path / "run",
        ["--features", "age,income"],
    )
    done = RUN.invoke(app, ["fit", file, *common, "-k", "2", "-o", str(out)])
    assert done.exit_code == 0, done.output
    assert pl.read_csv(out / run_folder.CENTERS).columns[:2] == ["center", "row"]
    done = RUN.invoke(app, ["audit", file, *common, "--labels", "sex", "--id", "tag"])
    assert done.exit_code == 0, done.output
    assert "[/x]" in done.stdout
    ages = ["thirty", *table["age"].cast(pl.String).to_list()[1:]]
    table.with_columns(pl.Series("age", ages)).write_csv(tmp_path / "typo.csv")
    points = pl.col("income").cast(pl.String).str.replace(".", ",", literal=True)
    table.with_columns(points).write_csv(tmp_path / "commas.csv", separator=";")
    for name, message in (("typo", "is a column of numbers, but"), ("commas", "decimal commas")):
        file = str(tmp_path / f"{name}.csv")
        done = RUN.invoke(app, ["fit", file, *common, "-o", str(tmp_path / "no")])
        assert message in str(done.exception)


def test_json_is_json_whatever_the_numbers(people):
    done = RUN.invoke(
        app,
        ["audit", str(people), "--features", "age,income", "--labels", "sex", "--divergence", "kl",
         "--json"],
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    assert "Infinity" not in done.stdout
    assert json.loads(done.stdout)["pairs"]["worst_excess"] is None  # infinite


def test_force_replaces_runs_and_nothing_else(people, tmp_path):
    out = tmp_path / "run"
    fitted(people, out)
    (out / "labels.csv").write_text("precious")
    assert "holds more than a run" in str(fitted(people, out, "--force").exception)
    assert (out / "labels.csv").read_text() == "precious"


def test_hard_clusters_a_folder_and_fit_reads_one(tmp_path, client):
    random = np.random.default_rng(0)
    folder = tmp_path / "table"
    folder.mkdir()
    for number in range(2):
        table = pl.DataFrame(random.normal(size=(60, 2)), schema=["x", "y"])
        table.write_parquet(folder / f"{number}.parquet")
    address = client.scheduler.address
    hard = ["hard", str(folder), "-k", "3", "--dask", address, "--json"]
    done = RUN.invoke(app, [*hard, "--out", str(tmp_path / "hard")])
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert told["rows"] == 120
    clusters = pl.read_parquet(tmp_path / "hard" / "clusters" / "*.parquet")
    assert clusters["row"].to_list() == list(range(120))
    centers = pl.read_csv(tmp_path / "hard" / "centers.csv")
    assert centers.columns == ["center", "row", "x", "y"]
    fit = ["fit", str(folder), "-k", "3", "--json", "--checkpoint", str(tmp_path / "state.npz")]
    answers = []
    for name, more in (("here", []), ("there", ["--dask", address])):
        done = RUN.invoke(app, [*fit, "--out", str(tmp_path / name), *more])
        assert done.exit_code == 0, done.output
        answers.append(json.loads(done.stdout)["objective"])
    assert answers[0] == answers[1]
    record = json.loads((tmp_path / "here" / "run.json").read_text())
    assert len(record["input"]["sha256"]) == 64
    nowhere = run_main("hard", tmp_path / "none", "--out", tmp_path / "no", "--dask", address)
    assert nowhere.returncode == failures.FILES
    assert "there are no Parquet files" in nowhere.stderr
    assert not (tmp_path / "no").exists()
