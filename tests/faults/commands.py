"""Commands as processes, and looking at what they leave behind."""

import hashlib
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import numpy as np

# the command line, with checkpoints every moment: kills come within seconds, not after minutes
LIKEWISE = [
    sys.executable,
    "-c",
    """
from likewise.cli import main
from likewise.cli.signals import end_as_with_ctrl_c
try:
    end_as_with_ctrl_c()
    from likewise.fitting.checkpoint import Checkpoint
    Checkpoint.__init__.__defaults__ = (0.1,)
except KeyboardInterrupt:
    raise SystemExit(130)
main()
""",
]
STARTING = 1.5  # seconds until a process listens to signals, on a busy machine
OUGHT_TO_END = 300  # seconds
SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


@dataclass
class Ended:
    """How a command ended."""

    code: int
    out: str
    err: str
    seconds: float = 0.0  # from the signal, if there was one
    signalled: bool = False


@dataclass
class Report:
    """What was tried, and what was wrong."""

    tried: dict[str, int] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)

    def count(self, kind):
        self.tried[kind] = self.tried.get(kind, 0) + 1

    def expect(self, holds, complaint):
        if not holds:
            self.wrong.append(complaint)
            print(f"WRONG {complaint}", flush=True)
        return bool(holds)


def run(arguments, folder, *, kill=None, after=0.0, before=None, environment=None, command=None):
    """Run a command; with ``kill``, send it that signal ``after`` so many seconds. Variables of
    the environment that are None are not set.
    """
    around = os.environ | {"COLUMNS": "200"} | (environment or {})
    process = subprocess.Popen(
        [*(command or LIKEWISE), *map(str, arguments)],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={name: value for name, value in around.items() if value is not None},
        preexec_fn=partial(_listening, before),
    )
    sent = None
    if kill is not None:
        try:
            out, err = process.communicate(timeout=after)
            return Ended(process.returncode, out, err)
        except subprocess.TimeoutExpired:
            sent = time.monotonic()
            process.send_signal(kill)
    try:
        out, err = process.communicate(timeout=OUGHT_TO_END)
    except subprocess.TimeoutExpired:
        process.kill()
        out, err = process.communicate()
        err += "\nhad to be killed"
    seconds = 0.0 if sent is None else time.monotonic() - sent
    return Ended(process.returncode, out, err, seconds, sent is not None)


def _listening(before):
    """In the child: signals mean what they mean in a terminal, also where this script was started
    with nohup or in the background, and its children would inherit deaf ears.
    """
    for number in SIGNALS:
        if number != signal.SIGKILL:
            signal.signal(number, signal.SIG_DFL)
    if before is not None:
        before()


def people(path, n=1200, seed=0):
    """A table of people."""
    import polars as pl

    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 4)) + 2 * rng.normal(size=(5, 4))[rng.integers(0, 5, n)]
    columns = {f"x{number}": column for number, column in enumerate(X.T)}
    columns["sex"] = rng.choice(["f", "m"], n)
    table = pl.DataFrame(columns)
    if path.suffix == ".csv":
        table.write_csv(path)
    else:
        table.write_parquet(path)


def litter(folder):
    """What is left of unfinished work, by name."""
    return sorted(
        path.name for path in Path(folder).rglob(".*") if path.suffix in (".part", ".old")
    )


def digest(path):
    """One text for the contents of a file or folder; report pages and times aside."""
    path = Path(path)
    if not path.exists():
        return None
    files = sorted(path.rglob("*")) if path.is_dir() else [path]
    total = hashlib.sha256()
    for file in files:
        if file.is_file():
            total.update(str(file.relative_to(path) if path.is_dir() else "").encode())
            total.update(file.read_bytes())
    return total.hexdigest()


def assignments(run_folder):
    """Everybody's probabilities, or None where there is no whole run."""
    import polars as pl

    needed = ("assignments.parquet", "centers.csv", "certificate.json", "run.json")
    if not all((run_folder / name).is_file() for name in needed):
        return None
    return pl.read_parquet(run_folder / "assignments.parquet")


def ended_well(ended, sent, after, report, what):
    """With an answer, or as interrupted commands do; killed outright only before it began."""
    killed = after < STARTING and ended.code == -sent
    report.expect(ended.code in (0, 130) or killed, f"{what}: exit code {ended.code}")


def traceless(ended, report, what):
    """No traceback, whatever happened."""
    report.expect("Traceback" not in ended.err, f"{what}: a traceback:\n{ended.err[-600:]}")
