"""``likewise hard``: hard clustering of tables that need not fit in memory."""

from pathlib import Path
from typing import Annotated

import typer

from likewise.cli.options import Dask, Features, Json, Power, Quiet, engine_of, power_of, split
from likewise.cli.output import Output


def hard(
    source: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="A folder of Parquet files, or one of them.")
    ],
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder for the results.")],
    clusters: Annotated[int, typer.Option("--clusters", "-k", min=1, help="How many centres.")] = 8,
    features: Features = None,
    p: Power = "2",
    dask: Dask = None,
    seed: Annotated[int, typer.Option(help="Makes the choice of centres repeatable.")] = 0,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Give every row to the nearest of k centres, block by block, on a Dask cluster.

    The vanilla clustering, without fairness: for tables larger than memory. Writes the centres and
    one Parquet file of clusters for each block. Numbers are taken as they are.
    """
    from likewise.distributed.block_clustering import cluster_blocks
    from likewise.io.run_folder import new_folder, write_json
    from likewise.io.tables import write_table

    output = Output(json, quiet)
    with new_folder(out) as folder:
        found = cluster_blocks(
            source,
            clusters,
            p=power_of(p),
            columns=split(features) or None,
            engine=engine_of(dask, "dask"),
            random_state=seed,
            out=folder / "clusters",
            verbose=0 if output.silent else 1,
        )
        columns = {"center": range(clusters), "row": found.center_rows}
        for name, values in zip(found.columns or (), found.centers.T, strict=True):
            columns[f"{name} (in the file)" if name in columns else name] = values
        write_table(columns, folder / "centers.csv")
        summary = {
            "rows": found.n_points,
            "p": found.p,
            "cost": found.cost,
            "objective": found.objective,
            "passes": found.n_passes,
            "files": [path.name for path in found.files],
        }
        write_json(folder / "run.json", summary)
    output.say(f"{found.n_points:,} rows, cost {found.cost:.8g}, {found.n_passes} passes")
    output.say(f"\n{out}", style="bold")
    output.result({"out": str(out)} | summary)
