"""The command line on generated files: exit codes, whole results, clean JSON."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from tests.fuzz import referee
from tests.fuzz.generate import case

DOCUMENTED = {0, 2, 3, 4, 5, 6, 7, 130}


def command_line(rng):
    """fit, draw and audit of a file that may be odd."""
    import polars as pl

    made = case(rng, most=30)
    columns = {f"c {number}": column for number, column in enumerate(np.asarray(made.X).T)}
    columns["kind"] = rng.choice(["a", "b", "=cmd|4", "ä,ö"], made.n)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        file = folder / str(rng.choice(["people.csv", "people.parquet"]))
        table = pl.DataFrame(columns)
        if file.suffix == ".csv":
            table.write_csv(file, separator=str(rng.choice([",", ";", "\t"])))
        else:
            table.write_parquet(file)
        if rng.random() < 0.2:
            _spoil(file, rng)
        k = made.options["n_clusters"]
        arguments = ["fit", file.name, "--out", "run", "-k", str(k), "--json", "--max-time", "5"]
        if rng.random() < 0.5:
            arguments += ["--protected", "kind", "--group-tolerance", "0.5"]
        arguments += ["--similarity", str(rng.choice(["global", "local"]))]
        code, out, err = _run(arguments, folder)
        complaints = _judged(code, out, err, folder)
        if code == 0 and not complaints:
            code, out, err = _run(["draw", "run", "--out", "labels.csv", "--json"], folder)
            complaints += _judged(code, out, err, folder)
    return made, complaints


def _spoil(file, rng):
    content = bytearray(file.read_bytes())
    if content:
        content[int(rng.integers(len(content)))] = int(rng.integers(256))
    file.write_bytes(bytes(content))


def _run(arguments, folder):
    environment = os.environ | {"COLUMNS": "200"}
    done = subprocess.run(
        [sys.executable, "-c", "from likewise.cli import main; main()", *arguments],
        cwd=folder, capture_output=True, text=True, timeout=120, env=environment,
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr


def _judged(code, out, err, folder):
    complaints = []
    if code not in DOCUMENTED or "Traceback" in err:
        complaints.append(f"exit code {code}: {err.strip()[-300:]}")
    if code == 0:
        try:
            json.loads(out)
        except ValueError:
            complaints.append(f"no JSON: {out[:200]}")
    litter = [path.name for path in folder.iterdir() if path.name.endswith((".part", ".old"))]
    if litter:
        complaints.append(f"litter: {litter}")
    if (folder / "run").exists() != (code == 0) and "draw" not in out:
        complaints.append("a run folder that should not be there, or is missing")
    if (folder / "run").exists():
        complaints += _assignments(folder / "run")
    return complaints


def _assignments(run):
    import polars as pl

    table = pl.read_parquet(run / "assignments.parquet")
    names = [name for name in table.columns if name[:1] == "p" and name[1:].isdigit()]
    return referee.check_distributions(table.select(names).to_numpy())
