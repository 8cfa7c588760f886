"""Disks that are full or may not be written to."""

import os
import shutil
import subprocess
import tempfile
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.faults.commands import LIKEWISE, assignments, digest, litter, people, run, traceless

FILES = 4  # the exit code for files


def storage(report, count, rng):
    """Full disks, a read-only installation, no home."""
    _full_disk(report)
    _read_only_installation(report)
    _two_at_once(report)


@contextmanager
def small_disk(size="1m"):
    """A file system of this size; None where none can be made."""
    folder = Path(tempfile.mkdtemp())
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", folder],
        capture_output=True,
        check=False,
    )
    try:
        yield folder if made.returncode == 0 else None
    finally:
        if made.returncode == 0:
            subprocess.run(["umount", "-l", folder], check=False)
        shutil.rmtree(folder, ignore_errors=True)


def _fill(disk):
    """Take all the room there is."""
    with open(disk / "filler", "wb", buffering=0) as file, suppress(OSError):
        while True:
            file.write(b"0" * 4096)


def _full_disk(report):
    with tempfile.TemporaryDirectory() as place, small_disk() as disk:
        if disk is None:
            print("no file system could be mounted: full disks not tried", flush=True)
            return
        folder = Path(place)
        people(folder / "people.csv", n=300)
        common = ["fit", folder / "people.csv", "-k", 3, "--features", "x0,x1"]
        run([*common, "--out", disk / "old"], folder)
        old = digest(disk / "old")
        _fill(disk)
        report.count("full disk")
        ended = run([*common, "--out", disk / "run"], folder)
        traceless(ended, report, "fit on a full disk")
        report.expect(ended.code == FILES, f"fit on a full disk: exit code {ended.code}")
        report.expect(str(disk) in ended.err, f"full disk: not named: {ended.err[-300:]}")
        report.expect(digest(disk / "old") == old, "full disk: the old result has changed")
        report.expect(not (disk / "run").exists(), "full disk: half a result")
        report.expect(not litter(disk), f"full disk: litter {litter(disk)}")
        _almost_full(report, common, disk, folder)
        report.count("full disk, checkpoint there")
        ended = run(
            [*common, "--checkpoint", disk / "state.npz",
             "--out", folder / "run"],
            folder,
        )  # fmt: skip
        report.expect(ended.code == 0, f"checkpoint on a full disk: exit code {ended.code}")
        report.expect(assignments(folder / "run") is not None, "checkpoint full: no result")
        report.expect("state.npz" in ended.err, f"checkpoint full: not named: {ended.err[-300:]}")
        report.count("full disk, result lost")
        ended = run(
            [*common, "--checkpoint", folder / "kept.npz",
             "--out", disk / "run"],
            folder,
        )  # fmt: skip
        report.expect(ended.code == FILES, f"full disk with checkpoint: exit code {ended.code}")
        kept = (folder / "kept.npz").exists()
        report.expect(kept, "full disk: the checkpoint was deleted before the result was there")


def _almost_full(report, common, disk, folder):
    """Room for the folder, not for what goes into it: the finished answer is kept elsewhere."""
    with open(disk / "filler", "rb+") as file:
        file.truncate(os.path.getsize(disk / "filler") - 4096)
    report.count("disk that fills up")
    ended = run([*common, "--out", disk / "run"], folder, environment={"TMPDIR": str(folder)})
    traceless(ended, report, "fit on a disk that fills up")
    report.expect(ended.code == FILES, f"disk that fills up: exit code {ended.code}")
    report.expect(not litter(disk), f"disk that fills up: litter {litter(disk)}")
    kept = list(folder.glob("likewise-run-*"))
    named = len(kept) == 1 and str(kept[0]) in ended.err and assignments(kept[0]) is not None
    report.expect(named, f"disk that fills up: the answer is lost: {ended.err[-300:]}")
    _fill(disk)


def _read_only_installation(report):
    """The package where it cannot be written, no home: it compiles without a cache and says so."""
    import likewise

    with tempfile.TemporaryDirectory() as place, small_disk("50m") as disk:
        if disk is None:
            print("no file system could be mounted: a read-only one is not tried", flush=True)
            return
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(Path(likewise.__file__).parent, disk / "likewise", ignore=ignored)
        subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
        work = Path(place)
        people(work / "people.csv", n=100)
        report.count("read-only installation, no home")
        ended = run(
            ["fit", "people.csv", "-k", 3, "--features", "x0,x1", "--out", "run"],
            work,
            environment={"PYTHONPATH": str(disk), "HOME": "/proc/nobody", "NUMBA_CACHE_DIR": None,
                         "XDG_CACHE_HOME": None, "MPLCONFIGDIR": str(work)},
        )  # fmt: skip
        report.expect(ended.code == 0, f"read-only: {ended.code} {ended.err[-500:]}")
        named = ended.err.count("NUMBA_CACHE_DIR") == 1
        report.expect(named, f"read-only: not one warning that helps: {ended.err[-500:]}")


def _two_at_once(report):
    """Two processes that find no compiled code and both want to leave some."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        people(folder / "people.csv", n=200)
        environment = os.environ | {"NUMBA_CACHE_DIR": str(folder / "cache")}
        report.count("two with a cold cache")
        both = [
            subprocess.Popen(
                [*LIKEWISE, "fit", "people.csv", "-k", "3", "--features", "x0,x1", "--out", name],
                cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                text=True,
            )
            for name in ("one", "two")
        ]  # fmt: skip
        for process in both:
            _, err = process.communicate(timeout=300)
            report.expect(process.returncode == 0, f"cold cache: {process.returncode} {err[-300:]}")
        one, two = (assignments(folder / name) for name in ("one", "two"))
        report.expect(one is not None and one.equals(two), "cold cache: different answers")
