"""The folder that a run leaves.

========================  ==================================================================
``assignments.parquet``   id, most_likely, and one column of probabilities for each centre; the
                          id is that of the file, or the number of the row there
``model.zip``             the fitted model, for people who come later (``likewise assign``)
``assignments.csv``       the same as CSV, where that is asked for (``--format csv``)
``centers.csv``           the centres: the numbers of their rows, and their columns as they
                          stand in the file
``certificate.json``      what was checked and proven; people by their ids, or by their rows
``run.json``              versions, parameters, seed, input checksum, what became of columns
                          and checksums of the other files (``run_record``)
========================  ==================================================================

Rows are numbered as a spreadsheet shows the file: the first below the header is row 2 (``rows``).
The folder appears whole or not at all.
"""

import hashlib
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from likewise._typing import Array
from likewise.errors import InvalidArgument
from likewise.io.atomic import atomic_folder, check_free
from likewise.io.json_values import read_json, write_json
from likewise.io.rows import places_of, row_numbers
from likewise.io.run_record import RUN, RunRecord, checksums
from likewise.io.tables import damage, parquet_files, read_table, write_table

if TYPE_CHECKING:
    import polars as pl

ASSIGNMENTS, CENTERS, CERTIFICATE = "assignments.parquet", "centers.csv", "certificate.json"
MODEL, REPORT = "model.zip", "report.html"
CLUSTERS = "clusters"  # of `likewise hard`, one file for each block
WRITTEN = {ASSIGNMENTS, CENTERS, CERTIFICATE, MODEL, RUN, REPORT, CLUSTERS}  # may be replaced
# of `likewise assign`
ASSIGN, OF_ASSIGN = "assign.json", {"assign.json", "assignments.csv", "refused.csv"}
AS_CSV = "assignments.csv"
OUR_COLUMNS = ("center", "row")  # of the table of centres, before those of the file
_REMEDY = "Name the folder of a run."
_PART = re.compile(r"part-\d{5,}\.parquet")


@contextmanager
def new_folder(path: Path, replace: bool = False) -> Iterator[Path]:
    """A folder to write a run into, put in the place of ``path`` if all went well. Only an earlier
    run is ever replaced, and only if it is asked for; an empty folder is filled.
    """
    check_out(path, replace)
    with atomic_folder(path) as beside:
        yield beside


def check_out(path: Path, replace: bool) -> None:
    """Raise unless a run may be written there: to be asked before anything long."""
    if not path.exists() or (path.is_dir() and not any(path.iterdir())):
        return
    check_free(path, replace)
    if not any((path / name).is_file() for name in (RUN, ASSIGN)):
        raise InvalidArgument(
            "out", f"{path} is no result of a run: not replaced.", "Choose another folder."
        )
    named = {each.name for each in path.iterdir()} - WRITTEN - OF_ASSIGN
    others = sorted(name for name in named if not _PART.fullmatch(name))
    if others:
        raise InvalidArgument(
            "out",
            f"{path} holds more than a run ({', '.join(others[:3])}): not replaced.",
            "Move it away, or choose another folder.",
        )


def part_name(number: int) -> str:
    """The name of a block's file, in the order of the blocks."""
    return f"part-{number:05d}.parquet"


def checksum(path: Path) -> str:
    """SHA-256 of a file; of a folder's Parquet files, that of theirs one after the other."""
    if path.is_dir():
        each = "".join(checksum(file) for file in parquet_files(path))
        return hashlib.sha256(each.encode()).hexdigest()
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def write_record(folder: Path, record: RunRecord) -> None:
    """The record of the run, and in it the checksums of everything else in the folder."""
    files = {file.name: checksum(file) for file in sorted(folder.iterdir()) if file.name != RUN}
    replace(record, files=files).write(folder)


def _unchanged(folder: Path, name: str) -> Path:
    """A file of a run, as the run wrote it."""
    path = folder / name
    written = checksums(folder).get(name) if path.is_file() else None
    if written is not None and written != checksum(path):
        raise InvalidArgument(
            str(path),
            "it is not as the run wrote it: damaged, or changed by hand.",
            "Run the command again, or put the file back.",
        )
    return path


def model_file(folder: Path) -> Path:
    """The fitted model of a run, as the run wrote it."""
    path = _unchanged(folder, MODEL)
    if not path.is_file():
        raise FileNotFoundError(
            f"{folder}: there is no {MODEL}, which people who come later need. Fit again: versions"
            " before 0.2 did not keep it."
        )
    return path


@dataclass(frozen=True)
class Assignments:
    """What ``assignments.parquet`` holds."""

    ids: "pl.Series"
    distributions: Array
    labels: Array

    def write(self, folder: Path, kind: str = "parquet") -> None:
        """One row for each person; with "csv", as such a file too."""
        import polars as pl

        columns = {"id": self.ids, "most_likely": pl.Series(self.labels.astype(np.int32))}
        for center, chances in enumerate(self.distributions.T):
            columns[f"p{center}"] = pl.Series(chances)
        write_table(columns, folder / ASSIGNMENTS)
        if kind == "csv":
            write_table(columns, folder / AS_CSV)

    @classmethod
    def read(cls, path: Path) -> "Assignments":
        """From the folder of a run, or from the file itself."""
        import polars as pl

        file = _unchanged(path, ASSIGNMENTS) if path.is_dir() else path
        if not file.is_file():
            raise FileNotFoundError(f"{path}: there is no {ASSIGNMENTS}. {_REMEDY}")
        try:
            table = pl.read_parquet(file)
            k = sum(name[:1] == "p" and name[1:].isdigit() for name in table.columns)
            names = [f"p{center}" for center in range(k)]
            distributions = table.select(names).to_numpy().astype(np.float64)
            return cls(table["id"], distributions, table["most_likely"].to_numpy())
        except damage() as problem:
            raise InvalidArgument(
                str(file), f"it is not what a run writes ({problem}).", _REMEDY
            ) from problem


def write_centers(folder: Path, table: "pl.DataFrame", places: Array) -> None:
    """The centres as they stand in the file, and the numbers of their rows there. Columns that are
    named as ours get another name; those that CSV cannot hold are left out.
    """
    import polars as pl

    named = {name: f"{name} (in the file)" for name in OUR_COLUMNS if name in table.columns}
    flat = table.rename(named).select(pl.all().exclude(pl.List, pl.Struct, pl.Array, pl.Object))
    rows = row_numbers(places)
    ours = pl.DataFrame([pl.Series("center", range(len(rows))), pl.Series("row", rows)])
    write_table(ours.hstack(flat), folder / CENTERS)


def read_center_rows(folder: Path) -> list[int]:
    """The places in the table of the rows that are the centres."""
    table = read_table(_unchanged(folder, CENTERS))
    if "row" not in table.columns or not table["row"].dtype.is_integer():
        problem = "it has no column 'row' of row numbers."
        raise InvalidArgument(str(folder / CENTERS), problem, _REMEDY)
    return [int(place) for place in places_of(table["row"].to_numpy())]


def write_certificate(folder: Path, certificate: Mapping[str, object]) -> None:
    """All of the certificate, and what else was proven."""
    write_json(folder / CERTIFICATE, certificate)


@dataclass(frozen=True)
class CertificateSummary:
    """Of ``certificate.json``, what a reader wants to know first."""

    is_fair: bool
    pairs_checked: int
    pairs_left: int  # that there was no time to check
    objective: float
    lower_bound: float
    notes: tuple[str, ...] = ()  # what a fair answer may still be poor at
    cost: float | None = None  # the root of the objective; None: the run did not write it

    @property
    def most_above_least(self) -> float:
        """How much more than the least possible it costs at most, as a share of the least: no fair
        assignment to these centres costs less than the bound. Infinite where that is nothing.
        """
        if self.objective <= self.lower_bound:
            return 0.0
        above = self.objective - self.lower_bound
        return above / self.lower_bound if self.lower_bound > 0 else float("inf")

    @classmethod
    def read(cls, folder: Path) -> "CertificateSummary":
        """From the folder of a run."""
        proof = read_json(_unchanged(folder, CERTIFICATE))
        return cls(
            is_fair=proof.get("is_fair", bool),
            pairs_checked=proof.get("pairs_checked", int),
            pairs_left=proof.get("pairs_left", int) if "pairs_left" in proof else 0,  # 0.1: none
            objective=proof.get("objective", float),
            lower_bound=proof.get("lower_bound", float),
            notes=proof.each("notes", str) if "notes" in proof else (),  # 0.1 wrote none
            cost=proof.get("cost", float) if "cost" in proof else None,
        )
