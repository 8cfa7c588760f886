"""``likewise hard``: hard clustering of tables that need not fit in memory."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from likewise.cli.options import (
    Clusters,
    Dask,
    Features,
    Json,
    OutFolder,
    Power,
    Quiet,
    Seed,
    engine_of,
    power_of,
    split,
)
from likewise.cli.output import Output, caught_warnings

if TYPE_CHECKING:
    from likewise.distributed.block_clustering import BlockClustering
    from likewise.io.run_record import HardRecord


def hard(
    source: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="A folder of Parquet files, or one of them.")
    ],
    out: OutFolder,
    clusters: Clusters = 8,
    features: Features = None,
    p: Power = "2",
    dask: Dask = None,
    seed: Seed = 0,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Give every row to the nearest of k centres, block by block, on a Dask cluster.

    The vanilla clustering, without fairness: for tables larger than memory. Writes the centres and
    one Parquet file of clusters for each block. Numbers are taken as they are.
    """
    from likewise.distributed.block_clustering import cluster_blocks
    from likewise.io.run_folder import new_folder

    output = Output(json, quiet)
    with new_folder(out) as folder, caught_warnings() as warned:
        found = cluster_blocks(
            source,
            clusters,
            p=power_of(p),
            columns=split(features) or None,
            engine=engine_of(dask, "dask"),
            random_state=seed,
            out=folder / "clusters",
            verbose=output.verbosity,
        )
        record = _write(folder, found)
    for message in warned:
        output.note(message)
    output.say(f"{found.n_points:,} rows, cost {found.cost:.8g}, {found.n_passes} passes")
    output.say(f"\n{out}", style="bold")
    output.result({"out": str(out), **asdict(record), "warnings": warned})


def _write(folder: Path, found: "BlockClustering") -> "HardRecord":
    """The centres and the record; the workers have written the clusters."""
    import polars as pl

    from likewise.io.run_folder import write_centers
    from likewise.io.run_record import HardRecord

    columns = zip(found.columns or (), found.centers.T, strict=True)
    write_centers(folder, pl.DataFrame(dict(columns)), found.center_rows)
    record = HardRecord(
        rows=found.n_points,
        p=found.p,
        cost=found.cost,
        objective=found.objective,
        passes=found.n_passes,
        files=tuple(path.name for path in found.files),
    )
    record.write(folder)
    return record
