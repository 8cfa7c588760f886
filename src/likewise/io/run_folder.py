"""The folder that a run leaves: assignments, centres, certificate, and how it came about.

========================  ==================================================================
``assignments.parquet``   id, most_likely, and one column of probabilities for each centre
``centers.csv``           the centres: their ids and columns as they stand in the file
``certificate.json``      what was checked and proven
``run.json``              versions, parameters, seed, input checksum, what became of columns
========================  ==================================================================

The folder appears whole or not at all: it is written beside and then put in place.
"""

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from likewise._typing import Array
from likewise.errors import InvalidArgument
from likewise.io.atomic import umask, write_atomically

if TYPE_CHECKING:
    import polars as pl

ASSIGNMENTS, CENTERS = "assignments.parquet", "centers.csv"
CERTIFICATE, RUN = "certificate.json", "run.json"
WRITTEN = {ASSIGNMENTS, CENTERS, CERTIFICATE, RUN, "report.html"}


@contextmanager
def new_folder(path: Path, replace: bool = False) -> Iterator[Path]:
    """A folder to write into, put in the place of ``path`` if all went well."""
    if path.exists() and not replace:
        raise InvalidArgument(
            "out", f"{path} is there already.", "Choose another folder, or replace it (--force)."
        )
    if path.exists() and not (path / RUN).is_file():
        raise InvalidArgument(
            "out", f"{path} is no result of a run: not replaced.", "Choose another folder."
        )
    others = sorted({each.name for each in path.iterdir()} - WRITTEN) if path.exists() else []
    if others:
        raise InvalidArgument(
            "out",
            f"{path} holds more than a run ({', '.join(others[:3])}): not replaced.",
            "Move it away, or choose another folder.",
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = Path(tempfile.mkdtemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part"))
    try:
        yield beside
        beside.chmod(0o777 & ~umask())
        _put_in_place(beside, path)
    except BaseException:
        shutil.rmtree(beside, ignore_errors=True)
        raise


def _put_in_place(beside: Path, path: Path) -> None:
    if not path.exists():
        os.rename(beside, path)
        return
    old = Path(tempfile.mkdtemp(dir=path.parent, prefix=f".{path.name}.", suffix=".old"))
    os.rename(path, old / path.name)
    try:
        os.rename(beside, path)
    except BaseException:
        os.rename(old / path.name, path)
        raise
    finally:
        shutil.rmtree(old, ignore_errors=True)


def checksum(path: Path) -> str:
    """SHA-256 of a file; of a folder's Parquet files, that of theirs one after the other."""
    if path.is_dir():
        each = "".join(checksum(file) for file in sorted(path.glob("*.parquet")))
        return hashlib.sha256(each.encode()).hexdigest()
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def write_json(path: Path, values: dict[str, Any]) -> None:
    """Readable JSON; numbers that are none (NaN, infinity) as null."""
    text = json.dumps(plain(values), indent=2, allow_nan=False, ensure_ascii=False)
    write_atomically(path, f"{text}\n".encode())


def plain(value: Any) -> Any:
    """numpy's values as Python's, keys as text."""
    if isinstance(value, dict):
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [plain(inner) for inner in value]
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, float) and not np.isfinite(value):
        return None
    if value is None or isinstance(value, bool | int | float | str):
        return value
    return str(value)


def write_assignments(path: Path, ids: Any, distributions: Array, labels: Array) -> None:
    """One row a person."""
    import polars as pl

    columns = {"id": ids, "most_likely": labels.astype(np.int32)}
    columns |= {f"p{center}": column for center, column in enumerate(distributions.T)}
    pl.DataFrame(columns).write_parquet(path)


@dataclass(frozen=True)
class Assignments:
    """What ``assignments.parquet`` holds."""

    ids: "pl.Series"
    distributions: Array
    labels: Array


def read_assignments(path: Path) -> Assignments:
    """From the folder of a run, or from the file itself."""
    import polars as pl

    file = path / ASSIGNMENTS if path.is_dir() else path
    if not file.is_file():
        raise FileNotFoundError(f"{path}: there is no {ASSIGNMENTS}. Name the folder of a run.")
    try:
        table = pl.read_parquet(file)
        k = sum(name[:1] == "p" and name[1:].isdigit() for name in table.columns)
        names = [f"p{center}" for center in range(k)]
        distributions = table.select(names).to_numpy().astype(np.float64)
        return Assignments(table["id"], distributions, table["most_likely"].to_numpy())
    except pl.exceptions.PolarsError as problem:
        raise InvalidArgument(
            str(file), f"it is not what a run writes ({problem}).", "Name the folder of a run."
        ) from problem


def read_run(path: Path) -> dict[str, Any]:
    """How a run came about."""
    file = path / RUN
    if not file.is_file():
        raise FileNotFoundError(f"{path}: there is no {RUN}. Name the folder of a run.")
    return json.loads(file.read_text(encoding="utf-8"))
