"""The command line on generated files, in this process: exit codes, whole results, clean JSON."""

import contextlib
import io
import json
import os
import signal
import sys
import tempfile
import traceback
import warnings
from pathlib import Path
from unittest import mock

import numpy as np

from tests.fuzz import referee
from tests.fuzz.generate import DIVERGENCES

DOCUMENTED = {0, 2, 3, 4, 5, 6, 7, 8, 130}
SPOILT, REPORTED = 0.15, 0.1  # shares of the files with a wrong byte, and of the runs with a report


def command_line(made, rng):
    """fit, draw, audit, assign, choose and report of a file that may be odd."""
    made.X = np.nan_to_num(made.X)
    made.options |= dict(metric="euclidean", p=float(rng.choice([1, 2, np.inf], p=[0.3, 0.6, 0.1])))
    made.divergence = str(rng.choice(DIVERGENCES[:7], p=[0.7, *[0.05] * 6]))
    made.similarity = str(rng.choice(["global", "local"]))
    made.D = referee.distances(made.X, "euclidean")
    with tempfile.TemporaryDirectory() as place, contextlib.chdir(place):
        file, spoilt = _written(made, rng)
        arguments = _fit_arguments(made, file, rng)
        complaints = _fit(made, arguments, spoilt)
        if Path("run").exists() and not complaints:
            complaints += _played("draw", "run", "--out", "labels.csv", "--json")
            unreadable = (
                {3} if spoilt else set()
            )  # the column of the clusters may be what is spoilt
            complaints += _played("audit", *_audit_arguments(file, rng), expected=unreadable)
            if rng.random() < REPORTED:
                complaints += _played("report", "run")
            if not spoilt:
                complaints += _assigned(file)
        if not spoilt and not complaints:
            complaints += _played("choose", *_choose_arguments(made, file, rng))
    return complaints


def _written(made, rng):
    """A file of the points, a text column and a weight; the second value: whether it is damaged."""
    import polars as pl

    columns = {f"c {number}": column for number, column in enumerate(made.X.T)}
    columns["kind"] = rng.choice(["a", "b", "=cmd|4", "ä,ö"], made.n)
    columns["cluster"] = rng.integers(0, 3, made.n)
    file, table = Path(str(rng.choice(["people.csv", "people.parquet"]))), pl.DataFrame(columns)
    if file.suffix == ".csv":
        table.write_csv(file, separator=str(rng.choice([",", ";", "\t"])))
    else:
        table.write_parquet(file)
    spoilt = bool(rng.random() < SPOILT)
    if spoilt:
        content = bytearray(file.read_bytes())
        content[int(rng.integers(len(content)))] = int(rng.integers(256))
        file.write_bytes(bytes(content))
    return file.name, spoilt


def _fit_arguments(made, file, rng):
    arguments = ["fit", file, "--out", "run", "-k", str(made.options["n_clusters"]), "--json"]
    arguments += ["--max-time", "2", "--tol", "0.01", *_compared_by(made)]
    arguments += ["--similarity", made.similarity, "--divergence", made.divergence]
    arguments += ["--p", str(made.options["p"])]
    made.options |= dict(n_neighbors=None, max_time=2, tol=0.01)
    if rng.random() < 0.3:
        made.options["n_neighbors"] = int(rng.integers(1, made.n + 2))
        arguments += ["--n-neighbors", str(made.options["n_neighbors"])]
    made.groups = None
    if rng.random() < 0.3:
        arguments += ["--protected", "kind", "--group-tolerance", "0.5"]
        made.groups = {"kind": None}  # counted, and judged by the certificate only
    return arguments


def _audit_arguments(file, rng):
    asked = [file, "--labels", "cluster", "--features", "c 0", "--no-scale", "--json"]
    return asked + (["--check"] if rng.random() < 0.5 else [])


def _choose_arguments(made, file, rng):
    """Some k, of the same table under the same bounds."""
    most = int(rng.integers(1, min(4, made.n) + 1))
    asked = [file, "-k", f"1:{most}", "--max-time", "1", "--json", *_compared_by(made)]
    return [*asked, "--similarity", made.similarity, "--p", str(made.options["p"])]


def _compared_by(made):
    features = ",".join(f"c {number}" for number in range(made.X.shape[1]))
    return ["--features", features, "--no-scale"]


def _assigned(file):
    """People who were fitted come again: each has their own distribution back, to the bit."""
    complaints = _played("assign", "run", file, "--out", "later", "--json", expected={3})
    if complaints or not Path("later").exists():
        return complaints
    again, fitted = _assignments("later"), _assignments("run")
    if again.shape != fitted.shape or (again != fitted).any():
        complaints.append("assign gives fitted people other distributions")
    return complaints


def _fit(made, arguments, spoilt):
    code, out, err = run(arguments)
    complaints = _judged(code, out, err)
    if (Path("run").exists()) != (code == 0):
        complaints.append(f"exit code {code}, and a run folder is missing or should not be there")
    if code != 0:
        made.found.add("refused")
        if not spoilt and made.options["n_clusters"] <= made.n and "infinite" not in err:
            complaints.append(f"refused: {err.strip()[-300:]}")
        return complaints
    said = json.loads(out)
    if not said["is_fair"]:
        complaints.append("the certificate says that it is not fair")
    if said["gap"] > made.options["tol"]:
        made.found.add("above tol, in a hurry")
        if not said["warnings"]:
            complaints.append(f"gap {said['gap']:.2e}, not a word")
    x = _assignments()
    complaints += referee.check_distributions(x)
    if made.groups is None and not spoilt and not complaints:
        F = referee.named_bounds(made.similarity, made.D, made.options["n_clusters"])
        F = referee.only_neighbors(F, made.D, made.options["n_neighbors"], "euclidean")
        judged = referee.Problem(np.zeros_like(x), F, made.divergence, np.ones(made.n), [])
        complaints += referee.check_fair(judged, x)
    return complaints


def _played(*arguments, expected=frozenset()):
    """Complaints about a command that should work, or end with one of the codes expected."""
    code, out, err = run(list(arguments))
    if code == 7 and "--check" in arguments:  # what it is there to say
        return _judged(0, out, err)
    complaints = _judged(code, out, err)
    if code != 0 and code not in expected:
        complaints.append(f"{arguments[0]} ended with {code}: {err.strip()[-300:]}")
    return complaints


def run(arguments):
    """(exit code, standard output, standard error) of a command."""
    from likewise.cli import main

    out, err = io.StringIO(), io.StringIO()
    signals = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    handlers = [signal.getsignal(number) for number in signals]
    code = 0
    with (
        mock.patch.object(sys, "argv", ["likewise", *arguments]),
        mock.patch.dict(os.environ, COLUMNS="200"),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        warnings.catch_warnings(),
    ):
        try:
            main()
        except SystemExit as end:
            code = end.code or 0
        except Exception:
            code = 1
            traceback.print_exc(limit=-4, file=err)
    for number, handler in zip(signals, handlers, strict=True):
        signal.signal(number, handler)
    return code, out.getvalue(), err.getvalue()


def _judged(code, out, err):
    complaints = []
    if code not in DOCUMENTED or "Traceback" in err:
        complaints.append(f"exit code {code}: {err.strip()[-600:]}")
    if code == 0 and out.strip().startswith("{"):
        try:
            json.loads(out)
        except ValueError:
            complaints.append(f"no JSON: {out[:200]}")
    litter = [path.name for path in Path().iterdir() if path.name.endswith((".part", ".old"))]
    if litter:
        complaints.append(f"litter: {litter}")
    return complaints


def _assignments(folder="run"):
    import polars as pl

    table = pl.read_parquet(Path(folder) / "*.parquet")
    names = [name for name in table.columns if name[:1] == "p" and name[1:].isdigit()]
    return table.select(names).to_numpy()
