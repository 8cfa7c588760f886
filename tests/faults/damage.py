"""Checkpoints and run folders that were cut off, flipped, or made by another version."""

import json
import shutil
import signal
import tempfile
from pathlib import Path

import numpy as np

from tests.faults.commands import assignments, people, run, traceless

REFUSED = (3, 4)  # exit codes: a value that cannot be used, a file that is not there

READ_BY = {
    "report": ("assignments.parquet", "centers.csv", "certificate.json", "run.json"),
    "draw": ("assignments.parquet", "run.json"),
}


def damage(report, count, rng):
    with tempfile.TemporaryDirectory() as place:
        _checkpoints(report, rng, Path(place))
    with tempfile.TemporaryDirectory() as place:
        _folders(report, rng, Path(place))


def _cut(path, rng):
    content = path.read_bytes()
    path.write_bytes(content[: int(rng.integers(len(content)))])


def _flip(path, rng):
    content = bytearray(path.read_bytes())
    content[int(rng.integers(len(content)))] ^= 1 << int(rng.integers(8))
    path.write_bytes(bytes(content))


def _empty(path, rng):
    path.write_bytes(b"")


def _without_arrays(path, rng):
    """An archive in which something is missing, or shorter."""
    with np.load(path, allow_pickle=False) as file:
        arrays = dict(file)
    name = sorted(arrays)[int(rng.integers(len(arrays)))]
    if rng.random() < 0.5 or arrays[name].ndim == 0:
        del arrays[name]
    else:
        arrays[name] = arrays[name][:-1]
    np.savez(path, **arrays)


def _checkpoints(report, rng, folder):
    people(folder / "people.csv")
    arguments = ["fit", "people.csv", "-k", 5, "--features", "x0,x1,x2,x3", "--tol", 1e-6,
                 "--similarity", "global", "--n-neighbors", 100, "--checkpoint", "state.npz",
                 "--out", "run", "--force"]  # fmt: skip
    run(arguments, folder)
    whole = assignments(folder / "run")
    after = 2.0
    while not (folder / "state.npz").exists():
        after += 0.5
        if not report.expect(after < 60, "no checkpoint was ever written"):
            return
        run(arguments, folder, kill=signal.SIGKILL, after=after)
    shutil.copy(folder / "state.npz", folder / "good.npz")
    for number in range(24):
        harm = (_cut, _flip, _empty, _without_arrays)[number % 4]
        shutil.copy(folder / "good.npz", folder / "state.npz")
        harm(folder / "state.npz", rng)
        report.count(f"checkpoint{harm.__name__}")
        what = f"checkpoint{harm.__name__} {number}"
        ended = run(arguments, folder)
        traceless(ended, report, what)
        if ended.code == 0:
            same = assignments(folder / "run").equals(whole)
            report.expect(same, f"{what}: taken, and another answer")
        else:
            report.expect(ended.code in REFUSED, f"{what}: exit code {ended.code}")
            report.expect("state.npz" in ended.err, f"{what}: not named: {ended.err[-300:]}")
            report.expect((folder / "state.npz").exists(), f"{what}: deleted")


def _folders(report, rng, folder):
    people(folder / "people.csv", n=200)
    run(["fit", "people.csv", "-k", 3, "--features", "x0,x1", "--out", "good"], folder)
    for name in ("assignments.parquet", "centers.csv", "certificate.json", "run.json"):
        for harm in (_cut, _flip, _flip, _empty, _removed):
            shutil.rmtree(folder / "run", ignore_errors=True)
            shutil.copytree(folder / "good", folder / "run")
            harm(folder / "run" / name, rng)
            report.count(f"run folder{harm.__name__}")
            for command in (["report", "run", "--out", "page.html", "--force"],
                            ["draw", "run", "--out", "labels.csv", "--force"]):  # fmt: skip
                ended = run(command, folder)
                what = f"{command[0]} of {name}{harm.__name__}"
                traceless(ended, report, what)
                good = ended.code in REFUSED
                if name not in READ_BY[command[0]]:
                    good = ended.code == 0
                elif name == "run.json":  # the only one without a checksum of its own
                    good = good or ended.code == 0
                report.expect(good, f"{what}: exit code {ended.code}: {ended.err[-300:]}")
    _other_version(report, folder)


def _removed(path, rng):
    path.unlink()


def _other_version(report, folder):
    shutil.rmtree(folder / "run", ignore_errors=True)
    shutil.copytree(folder / "good", folder / "run")
    path = folder / "run" / "run.json"
    record = json.loads(path.read_text())
    record["likewise"] = "9.0.0"
    del record["parameters"]["similarity"]
    path.write_text(json.dumps(record))
    report.count("run folder of another version")
    ended = run(["report", "run", "--out", "page.html", "--force"], folder)
    traceless(ended, report, "another version")
    report.expect(ended.code in REFUSED, f"another version: exit code {ended.code}")
    report.expect("9.0.0" in ended.err, f"another version: not named: {ended.err[-300:]}")
