"""``likewise hard``: hard clustering of tables that need not fit in memory."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from likewise.cli.input import ColumnOptions, say_columns
from likewise.cli.options import (
    Categorical,
    Clusters,
    Dask,
    Decimal,
    Exclude,
    Features,
    Force,
    Json,
    NoOneHot,
    NoScale,
    OutFolder,
    Power,
    Quiet,
    Seed,
    Thousands,
    engine_of,
    power_of,
)
from likewise.cli.output import Output, caught_warnings

if TYPE_CHECKING:
    from likewise.distributed.block_clustering import BlockClustering
    from likewise.distributed.sources import PreparedTable
    from likewise.io.preparation import LeftOut
    from likewise.io.run_record import HardRecord


def hard(
    source: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="A folder of Parquet files, or one of them.")
    ],
    out: OutFolder,
    clusters: Clusters = 8,
    features: Features = None,
    exclude: Exclude = None,
    categorical: Categorical = None,
    p: Power = "2",
    dask: Dask = None,
    seed: Seed = 0,
    no_scale: NoScale = False,
    no_one_hot: NoOneHot = False,
    decimal: Decimal = None,
    thousands: Thousands = None,
    force: Force = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Give every row to the nearest of k centres, block by block, on a Dask cluster.

    The vanilla clustering, without fairness: for tables larger than memory. Columns become numbers
    as in `fit`. Writes the centres and one Parquet file of clusters for each block.
    """
    from likewise.distributed.block_clustering import cluster_blocks
    from likewise.distributed.client import client_for
    from likewise.distributed.preparing import prepare_blocks
    from likewise.io.number_format import PLAIN
    from likewise.io.run_folder import CLUSTERS, new_folder
    from likewise.io.tables import parquet_columns

    output = Output(json, quiet)
    columns = ColumnOptions(
        features, exclude, categorical, no_scale, no_one_hot, decimal, thousands
    )
    with new_folder(out, replace=force) as folder, caught_warnings() as warned:
        wanted = columns.wanted(parquet_columns(source, "FOLDER"))
        with client_for(engine_of(dask, "dask")) as client:
            table, left_out = prepare_blocks(
                source,
                wanted,
                numbers=columns.numbers or PLAIN,
                engine=client,
                verbose=output.verbosity,
            )
            say_columns(output, table.columns, left_out)
            found = cluster_blocks(
                table,
                clusters,
                p=power_of(p),
                engine=client,
                random_state=seed,
                out=folder / CLUSTERS,
                verbose=output.verbosity,
            )
        record = _write(folder, found, table, left_out)
    for message in warned:
        output.note(message)
    output.say(f"{found.n_points:,} rows, cost {found.cost:.8g}, {record.passes} passes")
    output.say(f"\n{out}", style="bold")
    output.result({"out": str(out), **asdict(record), "warnings": warned})


def _write(
    folder: Path, found: "BlockClustering", table: "PreparedTable", left_out: Sequence["LeftOut"]
) -> "HardRecord":
    """The centres and the record; the workers have written the clusters."""
    from likewise.io.run_folder import write_centers
    from likewise.io.run_record import HardRecord
    from likewise.io.tables import parquet_rows_at

    centers = parquet_rows_at(table.path, found.center_rows.tolist())
    write_centers(folder, centers, found.center_rows)
    record = HardRecord(
        rows=found.n_points,
        p=found.p,
        cost=found.cost,
        objective=found.objective,
        passes=1 + found.n_passes,  # the first to sum up the columns
        files=tuple(path.name for path in found.files),
        columns=table.columns,
        left_out=tuple(left_out),
    )
    record.write(folder)
    return record
