"""Columns of a table that comes in blocks, treated as those of a table in memory: one pass over the
blocks sums them up, and the passes that follow read them as points.
"""

from dataclasses import dataclass
from functools import reduce
from pathlib import Path

import numpy as np

from likewise.distributed.client import client_for
from likewise.distributed.passes import Passes
from likewise.distributed.sources import Block, ParquetRows, PreparedTable, parquet_rows
from likewise.io.number_format import PLAIN, NumberFormat
from likewise.io.preparation import LeftOut, Summary, Wanted
from likewise.io.preparation.plan import missing_values
from likewise.io.tables import Reading, parquet_columns

Summaries = dict[str, Summary]


@dataclass(frozen=True)
class SummedUp:
    """A block that is not read as points but summed up."""

    rows: ParquetRows
    numbers: NumberFormat
    wanted = None

    @property
    def reader(self) -> "SummedUp":
        return self

    def read(self, given: object) -> Summaries:
        table = self.rows.read(given)
        places = self.rows.start + np.arange(len(table))
        return {column.name: Summary.of(column, self.numbers, places) for column in table}


def prepare_blocks(
    path: Path,
    wanted: Wanted,
    *,
    numbers: NumberFormat = PLAIN,
    engine: object = "dask",
    verbose: int = 0,
) -> tuple[PreparedTable, tuple[LeftOut, ...]]:
    """What is to become of the columns of Parquet files, for ``cluster_blocks``, and which of them
    are left out.
    """
    candidates = wanted.candidates(parquet_columns(path, "source"))
    reading = Reading(numbers, wanted.categorical)
    rows = parquet_rows(path, candidates, reading, len(candidates))
    blocks: list[Block] = [SummedUp(each, numbers) for each in rows]
    with client_for(engine) as client:
        found: list[Summaries] = Passes(client, blocks, verbose).map_blocks(_as_they_are)
    summaries = reduce(_joined, found)
    features, left_out = wanted.features_among(summaries)
    for name in features:
        summary = summaries[name]
        if summary.missing:
            raise missing_values(name, summary.missing, summary.missing + summary.rows, "")
    columns = tuple(wanted.column(name, summaries[name]) for name in features)
    return PreparedTable(path, columns, reading), left_out


def _as_they_are(summaries: Summaries) -> Summaries:
    return summaries


def _joined(ours: Summaries, theirs: Summaries) -> Summaries:
    return {name: ours[name].joined(theirs[name]) for name in ours}
