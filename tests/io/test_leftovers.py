"""What killed processes leave behind is found; what others are writing is not touched."""

import os
import signal
import subprocess
import sys

import pytest

from likewise.io import leftovers
from likewise.io.atomic import atomic_folder, write_atomically
from likewise.io.leftovers import remove_leftovers

WRITE = """
import sys, time
from pathlib import Path
from likewise.io.atomic import atomic_folder
with atomic_folder(Path(sys.argv[1])) as folder:
    (folder / "half.txt").write_text("half")
    print("written", flush=True)
    time.sleep(60)
"""


@pytest.fixture
def writer(tmp_path):
    """A process in the middle of writing the folder ``run``."""
    process = subprocess.Popen(
        [sys.executable, "-c", WRITE, tmp_path / "run"], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "written\n"
    yield process
    process.kill()
    process.wait()
    process.stdout.close()


def beside(folder):
    return [path.name for path in folder.iterdir() if path.name.startswith(".run.")]


def test_what_another_process_is_writing_stays(writer, tmp_path):
    (mine,) = beside(tmp_path)
    with atomic_folder(tmp_path / "run"):
        pass
    assert beside(tmp_path) == [mine]


def test_what_a_killed_process_left_is_removed_by_the_next(writer, tmp_path):
    writer.send_signal(signal.SIGKILL)
    writer.wait()
    assert len(beside(tmp_path)) == 1
    with atomic_folder(tmp_path / "run"):
        pass
    assert os.listdir(tmp_path) == ["run"]


def test_half_written_files_are_removed_too(tmp_path):
    (tmp_path / ".labels.csv.abcdefgh.part").write_text("half")
    write_atomically(tmp_path / "labels.csv", b"whole")
    assert os.listdir(tmp_path) == ["labels.csv"]


@pytest.mark.parametrize(
    "name", ["film.part", ".run.part", ".other.abcdefgh.part", ".run.abc.def.part", ".run.abc.part"]
)
def test_what_only_looks_alike_stays(tmp_path, name):
    (tmp_path / name).mkdir()
    remove_leftovers(tmp_path / "run")
    assert os.listdir(tmp_path) == [name]


def test_names_are_not_patterns(tmp_path):
    (tmp_path / ".run7.abcdefgh.part").mkdir()
    (tmp_path / ".run[7].abcdefgh.part").mkdir()
    remove_leftovers(tmp_path / "run[7]")
    assert os.listdir(tmp_path) == [".run7.abcdefgh.part"]


def test_a_result_that_was_moved_away_comes_back(tmp_path):
    """Killed after the old folder was moved and before the new one was there."""
    old = tmp_path / ".run.abcdefgh.old" / "run"
    old.mkdir(parents=True)
    (old / "kept.txt").write_text("old")
    remove_leftovers(tmp_path / "run")
    assert (tmp_path / "run" / "kept.txt").read_text() == "old"
    assert os.listdir(tmp_path) == ["run"]


def test_a_result_that_was_replaced_does_not(tmp_path):
    (tmp_path / ".run.abcdefgh.old" / "run").mkdir(parents=True)
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "new.txt").touch()
    remove_leftovers(tmp_path / "run")
    assert os.listdir(tmp_path / "run") == ["new.txt"]
    assert os.listdir(tmp_path) == ["run"]


def test_without_locks_age_tells(tmp_path, monkeypatch):
    monkeypatch.setattr(leftovers, "fcntl", None)
    young, old = tmp_path / ".run.aaaaaaaa.part", tmp_path / ".run.bbbbbbbb.part"
    young.mkdir()
    old.mkdir()
    os.utime(old, (0, 0))
    with atomic_folder(tmp_path / "run"):
        pass
    assert sorted(os.listdir(tmp_path)) == [young.name, "run"]


def test_what_is_taken_away_before_it_is_locked_is_made_again(tmp_path):
    made = []

    def create():
        path = tmp_path / f"{len(made)}"
        path.mkdir()
        made.append(path)
        if len(made) == 1:
            path.rmdir()
        return path

    with leftovers.in_use(create) as path:
        assert path == made[1]
        assert path.exists()
