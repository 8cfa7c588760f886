"""Too little memory."""

import resource
import tempfile
from pathlib import Path

from tests.faults.commands import people, run, traceless

MEMORY = 6  # the exit code
MEGABYTE = 2**20


def limits(report, count, rng):
    """Limits on address space, from comfortable to hopeless."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        people(folder / "people.csv", n=3000)
        for megabytes in (8000, 3000, 2000, 1500, 1200):

            def limited(size=megabytes * MEGABYTE):
                resource.setrlimit(resource.RLIMIT_AS, (size, size))

            report.count("memory limit")
            what = f"{megabytes} MB of address space"
            ended = run(
                ["fit", "people.csv", "-k", 4, "--features", "x0,x1,x2,x3", "--tol", 1e-2,
                 "--n-neighbors", 2000, "--out", f"run{megabytes}"],
                folder,
                before=limited,
            )  # fmt: skip
            traceless(ended, report, what)
            report.expect(ended.code in (0, MEMORY), f"{what}: {ended.code} {ended.err[-400:]}")
            there = (folder / f"run{megabytes}").exists()
            report.expect(there == (ended.code == 0), f"{what}: code {ended.code}, result {there}")
