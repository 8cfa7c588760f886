"""``likewise fit``: from a table to a folder with everybody's distribution and its proof."""

import platform
import sys
import time
import warnings
from pathlib import Path
from typing import Annotated, Any

import typer

from likewise.cli.input import People, read_people
from likewise.cli.options import (
    Dask,
    Divergence,
    DropMissing,
    Features,
    Json,
    Metric,
    Neighbors,
    NoOneHot,
    NoScale,
    Power,
    Protected,
    Quiet,
    Similarity,
    TableFile,
    engine_of,
    power_of,
    split,
)
from likewise.cli.output import Output


def fit(
    file: TableFile,
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder for the results.")],
    clusters: Annotated[int, typer.Option("--clusters", "-k", min=1, help="How many centres.")] = 8,
    features: Features = None,
    protected: Protected = None,
    group_tolerance: Annotated[
        float | None,
        typer.Option(help="Keep each protected group's share of every cluster within this."),
    ] = None,
    p: Power = "2",
    metric: Metric = "euclidean",
    similarity: Similarity = "global",
    n_neighbors: Neighbors = None,
    divergence: Divergence = "tv",
    id_column: Annotated[
        str | None, typer.Option("--id", help="Column that names people; default: row numbers.")
    ] = None,
    weight: Annotated[str | None, typer.Option(help="Column with what each row counts.")] = None,
    max_refine: Annotated[
        int, typer.Option(min=0, help="How often centres may be chosen again.")
    ] = 0,
    tol: Annotated[float, typer.Option(help="Certified gap that is good enough.")] = 1e-3,
    max_time: Annotated[
        float | None, typer.Option(help="Seconds after which the best so far is taken.")
    ] = None,
    solver: Annotated[str, typer.Option(help="auto, exact or first-order.")] = "auto",
    dask: Dask = None,
    checkpoint: Annotated[
        Path | None,
        typer.Option(help="File for the state of a long run: the same command goes on from it."),
    ] = None,
    seed: Annotated[int, typer.Option(help="Makes the choice of centres repeatable.")] = 0,
    no_scale: NoScale = False,
    no_one_hot: NoOneHot = False,
    drop_missing: DropMissing = False,
    force: Annotated[bool, typer.Option("--force", help="Replace an earlier result.")] = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Cluster a table so that like people are treated alike.

    Writes everybody's probabilities, the centres, a certificate and a record of the run.
    Ctrl-C ends with the best fair answer so far.
    """
    from likewise.estimator import LikewiseClustering
    from likewise.io.run_folder import new_folder

    output = Output(json, quiet)
    guarded = split(protected)
    extra = [name for name in (id_column, weight) if name is not None]
    people = read_people(
        output,
        file,
        features,
        [*guarded, *extra],
        no_scale=no_scale,
        no_one_hot=no_one_hot,
        drop_missing=drop_missing,
    )
    kept, prepared = people.table, people.prepared
    parameters: dict[str, Any] = dict(
        n_clusters=clusters,
        p=power_of(p),
        metric=metric,
        similarity=similarity,
        n_neighbors=n_neighbors,
        divergence=divergence,
        group_tolerance=group_tolerance,
        max_refine=max_refine,
        solver=solver,
        tol=tol,
        max_time=max_time,
        random_state=seed,
    )
    model = LikewiseClustering(
        **parameters,
        engine=engine_of(dask),
        checkpoint=checkpoint,
        verbose=0 if output.silent else 1,
    )
    constrained = guarded if group_tolerance is not None else []
    if guarded and not constrained:
        output.note(
            "  protected columns are reported on, not balanced; --group-tolerance 0.2 balances them"
        )
    started = time.perf_counter()
    with new_folder(out, replace=force) as folder, warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        model.fit(
            prepared.X,
            sensitive_features=people.columns(constrained),
            sample_weight=None if weight is None else kept[weight].to_numpy(),
        )
        seconds = time.perf_counter() - started
        record = _record(file, parameters, people, guarded, seconds)
        record |= {"id": id_column, "weight": weight}
        record["warnings"] = sorted({str(each.message) for each in told})
        _write(folder, model, people, id_column, record)
    for message in record["warnings"]:
        output.note(message)
    output.say(str(model.certificate_))
    for line in _groups_in_words(model, kept, guarded):
        output.say(line)
    output.say(f"\n{out}", style="bold")
    output.result(
        {
            "out": str(out),
            "seconds": seconds,
            **model.certificate_.as_dict(),
            "cost": model.cost_,
            "warnings": record["warnings"],
        }
    )


def _record(
    file: Path,
    parameters: dict[str, Any],
    people: People,
    protected: list[str],
    seconds: float,
) -> dict[str, Any]:
    from dataclasses import asdict
    from importlib.metadata import version

    from likewise import __version__
    from likewise.io.run_folder import checksum

    prepared = people.prepared
    return {
        "likewise": __version__,
        "python": platform.python_version(),
        "libraries": {
            name: version(name) for name in ("numpy", "scipy", "scikit-learn", "numba", "highspy")
        },
        "command": sys.argv[1:],
        "input": {"file": file.name, "path": str(file.resolve()), "sha256": checksum(file)},
        "parameters": parameters,
        "features": people.features,
        "protected": protected,
        "columns": [asdict(column) for column in prepared.columns],
        "feature_names": list(prepared.feature_names),
        "rows": len(prepared.rows),
        "rows_left_out": prepared.dropped,
        "seconds": seconds,
    }


def _write(folder: Path, model: Any, people: People, id_column: str | None, record: Any) -> None:
    import polars as pl

    from likewise.io import run_folder

    kept, prepared, ids = people.table, people.prepared, people.ids(id_column)
    run_folder.write_assignments(
        folder / run_folder.ASSIGNMENTS, ids, model.distributions_, model.labels_
    )
    rows = model.center_indices_
    named = {"center": "center (in the file)", "row": "row (in the file)"}
    centers = kept[rows].rename({old: new for old, new in named.items() if old in kept.columns})
    first = [pl.Series("center", range(len(rows))), pl.Series("row", prepared.rows[rows])]
    flat = centers.select(pl.all().exclude(pl.List, pl.Struct, pl.Array, pl.Object))
    pl.DataFrame(first).hstack(flat).write_csv(folder / run_folder.CENTERS)
    certificate = model.certificate_.as_dict()
    certificate |= {"cost": model.cost_, "guarantee": model.guarantee_, "solver": model.solver_}
    run_folder.write_json(folder / run_folder.CERTIFICATE, certificate)
    run_folder.write_json(folder / run_folder.RUN, record)


def _groups_in_words(model: Any, kept: Any, protected: list[str]) -> list[str]:
    """The worst-off group, in one line for each attribute."""
    from likewise.metrics import balance

    lines = []
    for name in protected:
        balances = balance(model.distributions_, {name: kept[name].to_list()})
        (_, value), least = min(balances.items(), key=lambda item: item[1])
        lines.append(f"balance:     {least:.2f} for {name} = {value}, its worst cluster (1: even)")
    return lines
