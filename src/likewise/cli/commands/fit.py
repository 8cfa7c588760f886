"""``likewise fit``: from a table to a folder with everybody's distribution and its proof."""

import platform
import sys
import time
import warnings
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from likewise.cli.foreseeing import foresee
from likewise.cli.input import ColumnOptions, People, TableOptions, read_people
from likewise.cli.options import (
    BoundScale,
    Categorical,
    Clusters,
    Dask,
    Decimal,
    Divergence,
    DropMissing,
    Encoding,
    Exclude,
    Features,
    Force,
    Format,
    GroupTolerance,
    IdColumn,
    Json,
    MaxTime,
    Metric,
    Neighbors,
    NoOneHot,
    NoScale,
    OutFolder,
    Power,
    Protected,
    Quiet,
    Seed,
    Similarity,
    TableFile,
    Thousands,
    Tolerance,
    Yes,
    engine_of,
    power_of,
    refinements_of,
)
from likewise.cli.output import Output, caught_warnings
from likewise.cli.signals import heed
from likewise.cli.wording import in_options
from likewise.errors import SamenessWarning

if TYPE_CHECKING:
    from likewise.certificate import Certificate
    from likewise.estimator import LikewiseClustering
    from likewise.io.run_record import Parameters, RunRecord

LIBRARIES = ("numpy", "scipy", "scikit-learn", "numba", "highspy")  # what answers depend on


def fit(
    file: TableFile,
    out: OutFolder,
    clusters: Clusters = 8,
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
    weight: Annotated[
        str | None, typer.Option(metavar="COLUMN", help="Column with what each row counts.")
    ] = None,
    max_refine: Annotated[
        str,
        typer.Option(
            metavar="auto|NUMBER",
            help="How often centres may be chosen again; auto: as long as that saves much.",
        ),
    ] = "auto",
    tol: Tolerance = 1e-3,
    max_time: MaxTime = None,
    solver: Annotated[str, typer.Option(help="auto, exact or first-order.")] = "auto",
    dask: Dask = None,
    checkpoint: Annotated[
        Path | None,
        typer.Option(help="File for the state of a long run: the same command goes on from it."),
    ] = None,
    seed: Seed = 0,
    no_scale: NoScale = False,
    no_one_hot: NoOneHot = False,
    drop_missing: DropMissing = False,
    decimal: Decimal = None,
    thousands: Thousands = None,
    encoding: Encoding = None,
    kind: Format = "parquet",
    yes: Yes = False,
    force: Force = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Cluster a table so that like people are treated alike.

    Writes everybody's probabilities, the centres, a certificate and a record of the run.
    Ctrl-C ends with the best fair answer so far.
    """
    from likewise.estimator import LikewiseClustering
    from likewise.fitting.checkpoint import kept_until_written
    from likewise.fitting.estimate import told_already
    from likewise.fitting.pipeline import Settings
    from likewise.io.rescue import kept_elsewhere
    from likewise.io.run_folder import check_out, new_folder
    from likewise.io.run_record import Parameters
    from likewise.problem.specification import Specification

    output = Output(json, quiet)
    columns = ColumnOptions(
        features, exclude, categorical, no_scale, no_one_hot, decimal, thousands, encoding, metric
    )
    options = TableOptions(columns, protected, id_column, drop_missing, {"--weight": weight})
    check_out(out, replace=force)
    people = read_people(output, file, options)
    parameters = Parameters(
        n_clusters=clusters,
        p=power_of(p),
        metric=metric,
        similarity=similarity,
        bound_scale=bound_scale,
        n_neighbors=n_neighbors,
        divergence=divergence,
        group_tolerance=group_tolerance,
        max_refine=refinements_of(max_refine),
        solver=solver,
        tol=tol,
        max_time=max_time,
        random_state=seed,
    )
    model = LikewiseClustering(
        **asdict(parameters),
        engine=engine_of(dask),
        checkpoint=checkpoint,
        verbose=output.verbosity,
    )
    if people.protected and group_tolerance is None:
        output.note(
            "  protected columns are reported on, not balanced; --group-tolerance 0.2 balances them"
        )
    if max_time is None and dask is None:  # else that is how long it takes, or nobody knows
        told = Specification.of(model.get_params(deep=False))
        settings = Settings(solver, tol, parameters.max_refine, seed)
        foresee(output, people.prepared.X, told, settings, yes)
    heed()
    with kept_until_written(), told_already(), new_folder(out, replace=force) as folder:
        seconds, warned = _fit(model, people, weight)
        record = _record(file, parameters, people, weight, seconds, warned)
        with kept_elsewhere(out, lambda other: _write(other, model, people, record, kind)):
            _write(folder, model, people, record, kind)
    _show(output, model, people, record)
    output.say(f"\n{out}", style="bold")
    output.result(
        {
            "out": str(out),
            "seconds": seconds,
            **_certificate(model, people),
            "left_out": [asdict(each) for each in people.prepared.left_out],
            "warnings": record.warnings,
        }
    )


def _fit(
    model: "LikewiseClustering", people: People, weight: str | None
) -> tuple[float, tuple[str, ...]]:
    """How long it took, and what was warned of. Groups are kept balanced if there is a tolerance
    for them.
    """
    balanced = people.protected if model.group_tolerance is not None else ()
    started = time.perf_counter()
    with caught_warnings() as warned:
        warnings.simplefilter("ignore", SamenessWarning)  # the certificate says it
        model.fit(
            people.prepared.X,
            sensitive_features=people.columns(balanced),
            sample_weight=None if weight is None else people.table[weight].to_numpy(),
        )
    seconds = time.perf_counter() - started
    return seconds, tuple(warned)


def _record(
    file: Path,
    parameters: "Parameters",
    people: People,
    weight: str | None,
    seconds: float,
    warned: tuple[str, ...],
) -> "RunRecord":
    from importlib.metadata import version

    from likewise import __version__
    from likewise.io.run_folder import checksum
    from likewise.io.run_record import Input, RunRecord

    prepared = people.prepared
    return RunRecord(
        likewise=__version__,
        python=platform.python_version(),
        libraries={name: version(name) for name in LIBRARIES},
        command=tuple(sys.argv[1:]),
        input=Input(file.name, str(file.resolve()), checksum(file), people.reading),
        parameters=parameters,
        features=people.features,
        protected=people.protected,
        columns=prepared.columns,
        left_out=prepared.left_out,
        feature_names=prepared.feature_names,
        rows=len(prepared.rows),
        rows_left_out=prepared.dropped,
        seconds=seconds,
        id=people.id_column,
        weight=weight,
        warnings=warned,
    )


def _write(
    folder: Path, model: "LikewiseClustering", people: People, record: "RunRecord", kind: str
) -> None:
    from likewise.io.run_folder import (
        MODEL,
        Assignments,
        write_centers,
        write_certificate,
        write_record,
    )

    Assignments(people.ids, model.distributions_, model.labels_).write(folder, kind)
    rows = model.center_indices_
    write_centers(folder, people.table[rows], people.prepared.rows[rows])
    model.save(folder / MODEL)
    more = {"guarantee": model.guarantee_, "solver": model.solver_}
    write_certificate(folder, _certificate(model, people) | more)
    write_record(folder, record)


def _certificate(model: "LikewiseClustering", people: People) -> dict[str, object]:
    """All of it, the worst pair by their ids."""
    proof, ids = _in_options(model.certificate_), people.ids
    pair = None if proof.worst_pair is None else [ids[place] for place in proof.worst_pair]
    notes = proof.notes(people.in_words)
    return proof.as_dict() | {"worst_pair": pair, "cost": model.cost_, "notes": notes}


def _in_options(proof: "Certificate") -> "Certificate":
    """What would change an answer, in the words of the command line."""
    if proof.sameness is None:
        return proof
    remedies = tuple(map(in_options, proof.sameness.remedies))
    return replace(proof, sameness=replace(proof.sameness, remedies=remedies))


def _show(output: Output, model: "LikewiseClustering", people: People, record: "RunRecord") -> None:
    from likewise.problem.costs import root_in_words

    for message in record.warnings:
        output.note(message)
    output.say(_in_options(model.certificate_).in_words(people.in_words))
    output.say(f"cost:        {model.cost_:.8g}, {root_in_words(model.p)}")
    for line in _groups_in_words(model, people, record.weight):
        output.say(line)


def _groups_in_words(
    model: "LikewiseClustering", people: People, weight: str | None
) -> Iterator[str]:
    """The worst-off group, in one line for each attribute."""
    from likewise.metrics import balance

    weights = None if weight is None else people.table[weight].to_numpy()
    for name in people.protected:
        balances = balance(model.distributions_, people.columns([name]), weights)
        (_, value), least = min(balances.items(), key=lambda item: item[1])
        yield f"balance:     {least:.2f} for {name} = {value}, its worst cluster (1: even)"
