"""``likewise demo``: a table, a run and a report, out of nothing."""

import json

from support.commands import invoke

from likewise.io.run_record import RunRecord


def test_it_leaves_a_table_a_run_and_a_report(tmp_path):
    for again in ([], ["--force"]):  # a second demo replaces the first if it is told to
        done = invoke("demo", "--out", tmp_path / "demo", "--json", *again)
        assert done.exit_code == 0, done.output
        assert json.loads(done.stdout)["is_fair"]
    assert (tmp_path / "demo" / "report.html").read_text().startswith("<!doctype html>")
    record = RunRecord.read(tmp_path / "demo" / "run")
    assert record.input.file == "patients.csv"
    assert record.rows == 442


def test_a_demo_is_not_overwritten_by_chance(tmp_path):
    (tmp_path / "patients.csv").write_text("precious")
    done = invoke("demo", "--out", tmp_path)
    assert "--force" in str(done.exception)
    assert (tmp_path / "patients.csv").read_text() == "precious"
