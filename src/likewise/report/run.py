"""A run as the report sees it: what its folder holds, and the table it was made from."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from likewise._typing import Array
from likewise.errors import InvalidArgument
from likewise.io.preparation import Prepared, prepared_as
from likewise.io.run_folder import (
    CENTERS,
    Assignments,
    CertificateSummary,
    checksum,
    read_center_rows,
)
from likewise.io.run_record import Input, RunRecord
from likewise.io.tables import read_table

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True)
class Run:
    """A folder that ``likewise fit`` left, with the table it was made from."""

    record: RunRecord
    certificate: CertificateSummary
    table: "pl.DataFrame"  # the rows that were clustered, as they stand in the file
    prepared: Prepared
    ids: list[object]
    distributions: Array
    labels: Array
    center_rows: Array  # places among the rows that were clustered

    @property
    def n_points(self) -> int:
        """Rows that were clustered."""
        return len(self.ids)

    @property
    def n_clusters(self) -> int:
        """Centres."""
        return int(self.distributions.shape[1])

    @property
    def weights(self) -> Array:
        """What each row counts; 1 where no column says it."""
        if self.record.weight is None:
            return np.ones(self.n_points)
        return self.table[self.record.weight].to_numpy().astype(float)

    def protected(self, rows: Array) -> dict[str, list[object]]:
        """The protected attributes of some rows."""
        return {name: self.table[name][rows].to_list() for name in self.record.protected}


def read_run(folder: Path, data: Path | None = None) -> Run:
    """The run, and its table: from ``data``, or from where it was read."""
    record = RunRecord.read(folder)
    table = read_table(_source(record.input, data), reading=record.input.reading)
    prepared = prepared_as(table, record.columns)
    assignments = Assignments.read(folder)
    return Run(
        record=record,
        certificate=CertificateSummary.read(folder),
        table=table[prepared.rows],
        prepared=prepared,
        ids=assignments.ids.to_list(),
        distributions=assignments.distributions,
        labels=assignments.labels,
        center_rows=_center_rows(folder, prepared.rows),
    )


def _source(recorded: Input, data: Path | None) -> Path:
    """Where the table is, a file or a folder of Parquet files; the same as then, to the byte."""
    source = Path(recorded.path) if data is None else data
    if not source.exists():
        raise FileNotFoundError(
            f"{source}: the table of this run is no longer there. Name it with --data FILE."
        )
    if checksum(source) != recorded.sha256:
        raise InvalidArgument(
            "data",
            f"{source} is not the file that this run was made from.",
            "Name the file as it was then.",
        )
    return source


def _center_rows(folder: Path, rows: Array) -> Array:
    """The places of the centres among the rows of the table that were clustered."""
    place = {int(row): at for at, row in enumerate(rows)}
    centers = read_center_rows(folder)
    if not place.keys() >= set(centers):
        raise InvalidArgument(
            str(folder / CENTERS),
            "it names rows that were not clustered.",
            "Name a folder as `likewise fit` left it.",
        )
    return np.array([place[row] for row in centers])
