"""``likewise choose``: how many clusters, side by side."""

from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from likewise._validation import check_limits
from likewise.cli.foreseeing import foresee
from likewise.cli.input import ColumnOptions, TableOptions, read_people
from likewise.cli.options import (
    BoundScale,
    Categorical,
    Decimal,
    Divergence,
    DropMissing,
    Encoding,
    Exclude,
    Features,
    Force,
    GroupTolerance,
    IdColumn,
    Json,
    MaxTime,
    Metric,
    Neighbors,
    NoOneHot,
    NoScale,
    Power,
    Protected,
    Quiet,
    Seed,
    Similarity,
    TableFile,
    Thousands,
    Tolerance,
    Yes,
    numbers_of_clusters,
    power_of,
)
from likewise.cli.output import Output, caught_warnings
from likewise.errors import InvalidArgument

if TYPE_CHECKING:
    from likewise.choosing import ChoiceOfK


def choose(
    file: TableFile,
    clusters: Annotated[
        str, typer.Option("--clusters", "-k", metavar="FROM:TO", help="Numbers of clusters to try.")
    ] = "2:12",
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="Folder for table and picture, for `report --choice`."),
    ] = None,
    features: Features = None,
    exclude: Exclude = None,
    categorical: Categorical = None,
    protected: Protected = None,
    group_tolerance: GroupTolerance = None,
    p: Power = "2",
    metric: Metric = "euclidean",
    similarity: Similarity = "local",
    bound_scale: BoundScale = 1.0,
    n_neighbors: Neighbors = None,
    divergence: Divergence = "tv",
    id_column: IdColumn = None,
    tol: Tolerance = 1e-3,
    max_time: MaxTime = None,
    seed: Seed = 0,
    no_scale: NoScale = False,
    no_one_hot: NoOneHot = False,
    drop_missing: DropMissing = False,
    decimal: Decimal = None,
    thousands: Thousands = None,
    encoding: Encoding = None,
    yes: Yes = False,
    force: Force = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Try several numbers of clusters and suggest one, with the reason.

    For each: what hard and fair clustering cost, how many pairs hard clustering would treat
    unequally, and how well the most likely clusters are separated.
    """
    from likewise.choosing import choose_k, settings_for
    from likewise.problem.specification import Specification

    output = Output(json, quiet)
    asked = numbers_of_clusters(clusters)
    if out is not None:
        _check_out(out, force)
    check_limits(tol, max_time)  # before any work
    columns = ColumnOptions(
        features, exclude, categorical, no_scale, no_one_hot, decimal, thousands, encoding, metric
    )
    people = read_people(output, file, TableOptions(columns, protected, id_column, drop_missing))
    balanced = people.protected if group_tolerance is not None else ()
    as_told = partial(
        choose_k,
        p=power_of(p),
        metric=metric,
        similarity=similarity,
        bound_scale=bound_scale,
        n_neighbors=n_neighbors,
        divergence=divergence,
        group_tolerance=group_tolerance,
    )
    if max_time is None:  # else that is how long it takes
        told = Specification.from_keywords(asked[0], as_told.keywords)
        foresee(output, people.prepared.X, told, settings_for(tol, seed), yes, asked)
    with output.working(f"fitting {asked[0]} to {asked[-1]} clusters"), caught_warnings() as warned:
        choice = as_told(
            people.prepared.X,
            asked,
            sensitive_features=people.columns(balanced),
            random_state=seed,
            tol=tol,
            max_time=max_time,
        )
    for message in warned:
        output.note(message)
    output.show(_table(choice))
    output.say(f"suggested: {choice.reason}")
    if out is not None:
        _write(out, choice, file.name, force)
        output.say(f"\n{out}", style="bold")
    output.result({"out": None if out is None else str(out), **asdict(choice), "warnings": warned})


def _table(choice: "ChoiceOfK") -> Table:
    table = Table("k", "hard cost", "fair cost", "at least", "price", "unequal", "silhouette")
    for row in choice.table:
        table.add_row(
            f"{row.n_clusters}{'*' if row.n_clusters == choice.suggested else ''}",
            f"{row.hard_cost:.5g}",
            f"{row.fair_cost:.5g}",
            f"{row.lower_bound:.5g}",
            f"{row.price:.3f}",
            f"{100 * row.violated_share:.2f}%",
            f"{row.silhouette:.3f}",
        )
    return table


def _check_out(out: Path, force: bool) -> None:
    """Only an earlier choice is replaced, and only if that is asked for."""
    from likewise.io.atomic import check_free
    from likewise.report.choice import CHOICE, PICTURE, TABLE

    if not out.exists() or (out.is_dir() and not any(out.iterdir())):
        return
    check_free(out, replace=force)
    if not out.is_dir() or {each.name for each in out.iterdir()} - {CHOICE, PICTURE, TABLE}:
        raise InvalidArgument(
            "out", f"{out} holds more than a choice: not replaced.", "Choose another folder."
        )


def _write(out: Path, choice: "ChoiceOfK", file: str, force: bool) -> None:
    from likewise.io.atomic import atomic_folder
    from likewise.io.tables import write_table
    from likewise.report.choice import PICTURE, TABLE, write_choice

    _check_out(out, force)
    with atomic_folder(out) as folder:
        write_choice(folder, choice, file)
        write_table([asdict(row) for row in choice.table], folder / TABLE)
        _draw(choice, folder / PICTURE)


def _draw(choice: "ChoiceOfK", path: Path) -> None:
    """Without a window, wherever it runs."""
    import io

    from matplotlib.figure import Figure

    from likewise.displays import ChooseKDisplay
    from likewise.io.atomic import write_atomically

    figure = Figure(figsize=(6.4, 4.0), layout="constrained")
    ChooseKDisplay.from_choice(choice, ax=figure.add_subplot())
    buffer = io.BytesIO()
    figure.savefig(buffer, format="svg")
    write_atomically(path, buffer.getvalue())
