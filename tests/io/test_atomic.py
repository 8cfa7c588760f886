"""Written whole or not at all: a failure in the middle leaves the old state and no litter."""

import os
import stat

import pytest

from likewise import InvalidArgument
from likewise.io import atomic
from likewise.io.atomic import atomic_folder, check_free, write_atomically


class Full(OSError):
    """A disk without space."""


def fail(*_):
    raise Full


@pytest.fixture
def old(tmp_path):
    """A file that is there already."""
    path = tmp_path / "kept.txt"
    path.write_bytes(b"old")
    return path


def test_a_file_is_replaced(old):
    write_atomically(old, b"new")
    assert old.read_bytes() == b"new"
    assert os.listdir(old.parent) == [old.name]


@pytest.mark.parametrize("step", ["fsync", "chmod", "replace"])
def test_whichever_step_fails_the_old_file_stays(old, monkeypatch, step):
    monkeypatch.setattr(os, step, fail)
    with pytest.raises(Full):
        write_atomically(old, b"new")
    assert old.read_bytes() == b"old"
    assert os.listdir(old.parent) == [old.name]


def test_ctrl_c_counts_as_failure(old, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_atomically(old, b"new")
    assert os.listdir(old.parent) == [old.name]


def test_others_may_read_what_is_written(tmp_path):
    """Temporary files and folders are their owner's only; the finished ones are as any other."""
    (tmp_path / "any").mkdir()
    (tmp_path / "any.txt").touch()
    write_atomically(tmp_path / "ours.txt", b"")
    with atomic_folder(tmp_path / "ours"):
        pass

    def mode(name):
        return stat.S_IMODE((tmp_path / name).stat().st_mode)

    assert mode("ours.txt") == mode("any.txt")
    assert mode("ours") == mode("any")


@pytest.fixture
def old_folder(tmp_path):
    """A folder that is there already."""
    path = tmp_path / "there" / "folder"
    path.mkdir(parents=True)
    (path / "old").touch()
    return path


def write_into(path, then=lambda: None):
    with atomic_folder(path) as beside:
        (beside / "new").touch()
        then()
        assert not (path / "new").exists()  # not before all is written


def test_a_folder_appears_with_all_that_is_above_it(tmp_path):
    write_into(tmp_path / "a" / "b")
    assert os.listdir(tmp_path / "a") == ["b"]
    assert os.listdir(tmp_path / "a" / "b") == ["new"]


def test_a_folder_is_replaced(old_folder):
    write_into(old_folder)
    assert os.listdir(old_folder) == ["new"]
    assert os.listdir(old_folder.parent) == [old_folder.name]


def test_a_failure_while_writing_leaves_the_old_folder(old_folder):
    with pytest.raises(Full):
        write_into(old_folder, then=fail)
    assert os.listdir(old_folder) == ["old"]
    assert os.listdir(old_folder.parent) == [old_folder.name]


def test_a_failure_while_putting_in_place_brings_the_old_folder_back(old_folder, monkeypatch):
    rename, calls = os.rename, []

    def second_fails(source, target):
        calls.append(source)
        if len(calls) == 2:
            raise Full
        rename(source, target)

    monkeypatch.setattr(atomic.os, "rename", second_fails)
    with pytest.raises(Full):
        write_into(old_folder)
    assert os.listdir(old_folder) == ["old"]
    assert os.listdir(old_folder.parent) == [old_folder.name]


def test_folders_on_the_way_are_made(tmp_path):
    write_atomically(tmp_path / "a" / "b" / "file.txt", b"here")
    assert (tmp_path / "a" / "b" / "file.txt").read_bytes() == b"here"
    (tmp_path / "file").touch()
    with pytest.raises(OSError, match=r"file/inside\.txt"):
        write_atomically(tmp_path / "file" / "inside.txt", b"")


def test_what_is_there_is_replaced_on_request_only(old):
    with pytest.raises(InvalidArgument, match=r"out: .*kept\.txt is there already.*--force"):
        check_free(old, replace=False)
    check_free(old, replace=True)
    check_free(old.parent / "new.txt", replace=False)
