"""All new rows in order, block by block: never more in memory than the blocks being worked on."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from likewise.assigning.block import AssignedBlock, assign_block
from likewise.assigning.run import LaterPeople
from likewise.errors import InvalidArgument
from likewise.io.table_blocks import table_blocks
from likewise.io.tables import Reading, column_names, is_parquet
from likewise.io.text import Dialect

if TYPE_CHECKING:
    import polars as pl

BLOCKS_PER_THREAD = 2  # on the way at the same time, so that nobody waits for the next


def assigned_blocks(
    path: Path, dialect: Dialect, later: LaterPeople, engine: object = "local"
) -> Iterator[AssignedBlock]:
    """What becomes of the rows of a table; with an engine other than "local", on its workers."""
    there = column_names(path, encoding=dialect.encoding)
    later.check(there)
    later = replace(later, numbers=dialect.numbers)
    if not (isinstance(engine, str) and engine == "local"):
        yield from _on_cluster(path, dialect, later, engine)
        return
    start = 0
    for block in table_blocks(path, dialect, later.texts):
        yield assign_block(block.select(later.read(there)), later, start)
        start += len(block)


def _on_cluster(
    path: Path, dialect: Dialect, later: LaterPeople, engine: object
) -> Iterator[AssignedBlock]:
    from likewise.distributed.client import client_for
    from likewise.distributed.passes import Passes
    from likewise.distributed.sources import Block, parquet_rows

    if not is_parquet(path):
        raise InvalidArgument(
            "engine", "workers read Parquet files only.", "Write the table as Parquet, or leave it."
        )
    reading = Reading(dialect.numbers, later.texts)
    columns = later.read(column_names(path))
    blocks = parquet_rows(path, columns, reading, len(columns))
    with client_for(engine) as client:
        step = BLOCKS_PER_THREAD * max(1, sum(client.nthreads().values()))
        for first in range(0, len(blocks), step):
            some: list[Block] = list(blocks[first : first + step])
            own: list[tuple[object, ...]] = [(each.start,) for each in blocks[first : first + step]]
            yield from Passes(client, some).map_blocks(_assign, later, own=own)


def _assign(table: "pl.DataFrame", later: LaterPeople, start: int) -> AssignedBlock:
    return assign_block(table, later, start)
