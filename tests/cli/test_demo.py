"""``likewise demo``: a table, a run and a report, out of nothing."""

import json

from support.commands import invoke

from likewise.io.run_record import RunRecord


def test_it_leaves_a_table_a_run_and_a_report(tmp_path):
    for _ in range(2):  # a second demo replaces the first
        done = invoke("demo", "--out", tmp_path / "demo", "--json")
        assert done.exit_code == 0, done.output
        assert json.loads(done.stdout)["is_fair"]
    assert (tmp_path / "demo" / "report.html").read_text().startswith("<!doctype html>")
    record = RunRecord.read(tmp_path / "demo" / "run")
    assert record.input.file == "patients.csv"
    assert record.rows == 442
