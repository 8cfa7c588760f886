"""Reading a run back: its folder, and the table it was made from."""

import json
import shutil

import numpy as np
import polars as pl
import pytest
from support.commands import invoke

from likewise import InvalidArgument
from likewise.io.run_folder import ASSIGNMENTS, CENTERS, CERTIFICATE
from likewise.report.run import read_run


@pytest.fixture
def copied(folder, tmp_path):
    """The folder of the run, to be tampered with."""
    return shutil.copytree(folder / "run", tmp_path / "run")


def test_a_run_is_what_was_fitted(folder):
    run = read_run(folder / "run")
    assert (run.n_points, run.n_clusters) == (90, 3)
    assert run.ids == run.table["who"].to_list()
    np.testing.assert_array_equal(run.weights, np.ones(90))
    (protected,) = run.protected(np.array([3, 1])).values()
    assert protected == [run.table[run.record.protected[0]][row] for row in (3, 1)]
    centers = pl.read_csv(folder / "run" / CENTERS)
    assert [run.ids[row] for row in run.center_rows] == centers["who"].to_list()


def test_rows_that_were_left_out_stay_out(tmp_path):
    table = pl.DataFrame({"a": [None, 1.0, 2.0, 8.0, None, 9.0], "w": [9.0, 1, 2, 3, 9, 4]})
    table.write_csv(tmp_path / "gaps.csv")
    done = invoke(
        "fit", tmp_path / "gaps.csv", "--features", "a", "--weight", "w", "-k", 2,
        "--drop-missing", "--no-scale", "--out", tmp_path / "run",
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    run = read_run(tmp_path / "run")
    assert run.prepared.X.ravel().tolist() == [1, 2, 8, 9]
    assert run.weights.tolist() == [1, 2, 3, 4]
    assert run.ids == [3, 4, 5, 7]  # rows of the file, as a spreadsheet shows them
    assert set(run.center_rows) <= {0, 1, 2, 3}


def test_a_moved_or_changed_table_is_an_error(folder, copied, tmp_path):
    record = json.loads((copied / "run.json").read_text())
    record["input"]["path"] = str(tmp_path / "gone.csv")
    (copied / "run.json").write_text(json.dumps(record))
    with pytest.raises(FileNotFoundError, match="--data"):
        read_run(copied)
    assert read_run(copied, folder / "people.csv").n_points == 90
    changed = tmp_path / "changed.csv"
    changed.write_text((folder / "people.csv").read_text() + "\n")
    with pytest.raises(InvalidArgument, match="not the file that this run was made from"):
        read_run(copied, changed)


@pytest.mark.parametrize(
    ("text", "message"), [("center\n0\n", "no column 'row'"), ("row\n500\n", "not clustered")]
)
def test_centers_that_are_none(copied, text, message):
    (copied / CENTERS).write_text(text)
    record = json.loads((copied / "run.json").read_text())
    del record["files"]  # as 0.1 wrote it: no checksums
    (copied / "run.json").write_text(json.dumps(record))
    with pytest.raises(InvalidArgument, match=message):
        read_run(copied)


@pytest.mark.parametrize("name", [ASSIGNMENTS, CENTERS, CERTIFICATE])
def test_one_flipped_bit_is_noticed(copied, name):
    content = bytearray((copied / name).read_bytes())
    content[len(content) // 2] ^= 1
    (copied / name).write_bytes(bytes(content))
    with pytest.raises(InvalidArgument, match=rf"{name}: it is not as the run wrote it"):
        read_run(copied)
