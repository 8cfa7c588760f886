"""A finished answer that cannot be written to its place is written to another one."""

import errno
import os
import tempfile

import pytest

from likewise.io.rescue import kept_elsewhere


@pytest.fixture(autouse=True)
def temporary(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))


def answer(folder):
    (folder / "answer.txt").write_text("42")


def test_on_a_full_disk(tmp_path):
    with (
        pytest.raises(OSError, match=r"^\[Errno 28\] No space.*run cannot be written") as raised,
        kept_elsewhere(tmp_path / "run", answer),
    ):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    (kept,) = tmp_path.glob("likewise-run-*")
    assert str(kept) in str(raised.value)
    assert (kept / "answer.txt").read_text() == "42"


def test_when_the_other_place_is_full_too(tmp_path):
    def full(folder):
        raise OSError(errno.ENOSPC, "full")

    with (
        pytest.raises(OSError, match=r"Nor can .* Make room and run the command again"),
        kept_elsewhere(tmp_path / "run", full),
    ):
        full(tmp_path)
    assert os.listdir(tmp_path) == []


def test_other_errors_are_as_they_were(tmp_path):
    with (
        pytest.raises(OSError, match="unknown"),
        kept_elsewhere(tmp_path / "run", answer),
    ):
        raise OSError("unknown")
    assert os.listdir(tmp_path) == []
