"""``likewise report``, from the table to the page, as a user meets it."""

import json
import shutil

import pytest
from support.commands import fitted, invoke, parquet_folder, run_main, said

from likewise.cli import errors as failures
from likewise.io.run_folder import REPORT
from likewise.io.run_record import HardRecord


def test_it_is_put_into_the_folder_of_the_run(people, tmp_path):
    out = tmp_path / "run"
    fitted(people, out)
    done = invoke("report", out, "--json")
    assert done.exit_code == 0, done.output
    written = json.loads(done.stdout)
    assert written == {"out": str(out / REPORT), "bytes": (out / REPORT).stat().st_size}
    assert fitted(people, out, "--force").exit_code == 0  # the report is part of the run


def test_its_own_page_is_renewed_and_others_are_not_overwritten_by_chance(people, tmp_path):
    run, elsewhere = tmp_path / "run", tmp_path / "new" / "page.html"
    fitted(people, run)
    for _ in range(2):
        assert invoke("report", run).exit_code == 0
    assert invoke("report", run, "--out", elsewhere).exit_code == 0
    elsewhere.write_text("precious")
    refused = invoke("report", run, "--out", elsewhere)
    assert "--force" in str(refused.exception)
    assert elsewhere.read_text() == "precious"
    assert invoke("report", run, "--out", elsewhere, "--force").exit_code == 0
    assert elsewhere.read_text() != "precious"


def test_of_a_folder_of_parquet_files(tmp_path):
    folder, out = parquet_folder(tmp_path / "table"), tmp_path / "run"
    assert invoke("fit", folder, "-k", 3, "--out", out).exit_code == 0
    done = invoke("report", out)
    assert done.exit_code == 0, done.exception
    assert "Fair clustering of table" in (out / REPORT).read_text()
    moved = tmp_path / "moved"
    shutil.move(folder, moved)
    gone = run_main("report", out)
    assert gone.returncode == failures.FILES
    assert "--data" in said(gone)
    assert invoke("report", out, "--data", moved).exit_code == 0
    (moved / "1.parquet").unlink()
    assert "not the file that this run was made from" in str(
        invoke("report", out, "--data", moved).exception
    )


def test_hard_clusterings_have_none(tmp_path):
    HardRecord(3, 2.0, 1.0, 1.0, passes=9, files=(), columns=(), left_out=()).write(tmp_path)
    done = run_main("report", tmp_path)
    assert done.returncode == failures.INPUT
    assert "likewise hard" in said(done)
    assert "likewise fit" in said(done)


@pytest.mark.parametrize(
    ("broken", "message"), [("{", "it is not JSON"), ("{}", "'likewise' is missing")]
)
def test_broken_records_end_in_a_message(tmp_path, broken, message):
    folder = tmp_path / ("a folder with a long name" * 4)
    folder.mkdir()
    (folder / "run.json").write_text(broken)
    done = run_main("report", folder)
    assert done.returncode == failures.INPUT
    assert message in said(done)
    assert str(folder / "run.json") in done.stderr  # in one piece: it may be wanted elsewhere
    assert "Traceback" not in done.stderr
