"""What an assignment of later people leaves.

=======================  ======================================================================
``part-00000.parquet``   id, most_likely, probabilities, relaxation: one file for each block
``assignments.csv``      the same in one file, where CSV is asked for
``refused.csv``          the rows that have no place: row, id, column, value, reason
``assign.json``          how many, and by how much bounds had to be relaxed
=======================  ======================================================================
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from likewise.assigning.block import AssignedBlock
from likewise.io.json_values import write_json
from likewise.io.preparation.placing import Refusal
from likewise.io.rows import row_numbers
from likewise.io.run_folder import ASSIGN, part_name
from likewise.io.tables import csv_lines, write_table

if TYPE_CHECKING:
    import polars as pl

CSV, PARQUET = "csv", "parquet"
ASSIGNMENTS, REFUSED = "assignments.csv", "refused.csv"
LISTED = 10  # refused rows that are told at once


@dataclass
class Summary:
    """How many there were, and what became of their bounds."""

    assigned: int = 0
    refused: int = 0
    relaxed: int = 0  # people whose bounds could not all be kept
    largest_factor: float = 1.0  # by which bounds had to be multiplied
    clusters: list[int] = field(default_factory=list)  # people by their most likely cluster
    examples: list[str] = field(default_factory=list)  # of rows that were refused
    warnings: list[str] = field(default_factory=list)

    def add(self, block: AssignedBlock) -> None:
        """One more block."""
        k = block.distributions.shape[1]
        counts = np.bincount(block.labels.astype(np.int64), minlength=k)
        before = self.clusters or [0] * k
        self.clusters = [one + int(more) for one, more in zip(before, counts, strict=True)]
        self.assigned += len(block.labels)
        self.refused += len({each.place for each in block.refused})
        self.relaxed += int((block.factors > 1).sum())
        self.largest_factor = max(self.largest_factor, float(block.factors.max(initial=1.0)))
        self.warnings += [each for each in block.warnings if each not in self.warnings]
        told = zip(block.refused, block.refused_ids, strict=True)
        left = LISTED - len(self.examples)
        self.examples += [_in_words(each, name) for each, name in islice(told, left)]


def _in_words(refusal: Refusal, name: object) -> str:
    row = row_numbers(refusal.place)
    who = f"row {row}" if name == row else f"row {row} ({name})"  # without ids rows are the names
    value = "" if refusal.value is None else f"{refusal.value!r}: "
    return f"{who}: {refusal.column} {value}{refusal.reason}"


class Writer:
    """Writes blocks one after the other into a folder."""

    def __init__(self, folder: Path, kind: str) -> None:
        self.folder = folder
        self.kind = kind
        self.summary = Summary()
        self._count = 0

    def write(self, block: AssignedBlock) -> None:
        """One more block."""
        frame = _frame(block)
        if self.kind == PARQUET:
            write_table(frame, self.folder / part_name(self._count))
        else:
            with (self.folder / ASSIGNMENTS).open("ab") as file:
                file.write(csv_lines(frame, header=self._count == 0))
        self._count += 1
        self.summary.add(block)
        if block.refused:
            self._write_refused(block)

    def _write_refused(self, block: AssignedBlock) -> None:
        import polars as pl

        path = self.folder / REFUSED
        table = pl.DataFrame(
            {
                "row": [row_numbers(each.place) for each in block.refused],
                "id": [str(name) for name in block.refused_ids],
                "column": [each.column for each in block.refused],
                "value": pl.Series([each.value for each in block.refused], dtype=pl.String),
                "reason": [each.reason for each in block.refused],
            }
        )
        is_first = not path.exists()
        with path.open("ab") as file:
            file.write(csv_lines(table, header=is_first))

    def close(self, more: Mapping[str, object]) -> None:
        """The summary, and what else is to be known."""
        write_json(self.folder / ASSIGN, {**more, **asdict(self.summary)})


def _frame(block: AssignedBlock) -> "pl.DataFrame":
    import polars as pl

    columns = [
        block.ids.rename("id"),
        pl.Series("most_likely", block.labels.astype(np.int32)),
        *(pl.Series(f"p{center}", chances) for center, chances in enumerate(block.distributions.T)),
        pl.Series("relaxation", block.factors),
    ]
    return pl.DataFrame(columns)
