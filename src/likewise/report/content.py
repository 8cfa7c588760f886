"""What a report says, as plain numbers: gathered from a run, drawn by ``page``."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from likewise._typing import Array
from likewise.auditing import Audit, audit
from likewise.baselines.clusterings import soft_assignment, stiffness_at_cost
from likewise.centers.choose import at_rows
from likewise.errors import InvalidArgument
from likewise.frontier import CostlyPair, FrontierPoint, frontier_of, price_of_pairs
from likewise.io.preparation import Prepared, prepare
from likewise.io.run_folder import checksum, read_assignments, read_run
from likewise.io.tables import read_table
from likewise.metrics.costs import expected_cost
from likewise.problem.assignment import AssignmentProblem
from likewise.problem.specification import Specification, Task
from likewise.report.projection import Projection, project
from likewise.solvers.solve import solve

MAP_POINTS = 1_500  # drawn at most; more are a blur and a heavy file
FRONTIER_ROWS = 1_000  # the frontier of more is that of a sample
COMPARED_ROWS = 5_000  # pairs of more people are judged on a sample
SCALES = (0.0, 0.1, 0.25, 0.5, 1.0, 2.0, 4.0, np.inf)


@dataclass(frozen=True)
class Run:
    """A folder that ``likewise fit`` left, with the table it was made from."""

    record: dict[str, Any]
    certificate: dict[str, Any]
    table: Any  # the rows that were clustered, as they stand in the file
    prepared: Prepared
    ids: list[Any]
    distributions: Array
    labels: Array
    center_rows: Array  # places among the rows that were clustered

    @property
    def protected(self) -> dict[str, list[Any]]:
        return {name: self.table[name].to_list() for name in self.record["protected"]}


@dataclass(frozen=True)
class Way:
    """A way to cluster the same people: what it costs and whom it treats unequally."""

    name: str
    cost: float
    price: float  # cost over that of hard clustering
    audit: Audit


@dataclass(frozen=True)
class Content:
    """Everything on the page."""

    run: Run
    projection: Projection
    ways: list[Way]
    frontier: list[FrontierPoint]
    frontier_rows: int
    costly: list[CostlyPair]
    judged_rows: Array  # the rows that pairs were judged on
    notes: list[str] = field(default_factory=list)


def read_folder(folder: Path, data: Path | None = None) -> Run:
    """The run, and its table: from ``data``, or from where it was read."""
    import json

    from likewise.io.run_folder import CENTERS, CERTIFICATE

    record = read_run(folder)
    source = Path(record["input"]["path"]) if data is None else data
    if not source.is_file():
        raise FileNotFoundError(
            f"{source}: the table of this run is no longer there. Name it with --data FILE."
        )
    if checksum(source) != record["input"]["sha256"]:
        raise InvalidArgument(
            "data",
            f"{source} is not the file that this run was made from.",
            "Name the file as it was then.",
        )
    table = read_table(source)
    kinds = {column["name"]: column for column in record["columns"]}
    prepared = prepare(
        table,
        record["features"],
        scale=any(column["mean"] is not None for column in kinds.values()),
        drop_missing=True,
    )
    found = read_assignments(folder)
    centers = read_table(folder / CENTERS)
    place = {int(row): at for at, row in enumerate(prepared.rows)}
    return Run(
        record=record,
        certificate=json.loads((folder / CERTIFICATE).read_text(encoding="utf-8")),
        table=table[prepared.rows],
        prepared=prepared,
        ids=found.ids.to_list(),
        distributions=found.distributions,
        labels=found.labels,
        center_rows=np.array([place[int(row)] for row in centers["row"]]),
    )


def gather(run: Run) -> Content:
    """Compute what the page shows; large runs are judged on a sample, and it says so."""
    n = len(run.ids)
    random = np.random.default_rng(0)
    notes = []
    judged = _some(n, COMPARED_ROWS, random)
    if len(judged) < n:
        notes.append(
            f"Comparisons are over the pairs of {len(judged):,} of the {n:,} people, chosen at"
            " random, with bounds as they are among these; the certificate is over all."
        )
    task = _task(run, judged)
    distances = task.distances.to_points(run.prepared.X[run.center_rows])
    ways = _ways(run, task, distances, judged)
    few = _some(n, FRONTIER_ROWS, random)
    points: list[FrontierPoint] = []
    costly: list[CostlyPair] = []
    asked = run.record["parameters"]
    if asked["n_neighbors"] is not None or asked["group_tolerance"] is not None:
        notes.append(
            "What fairness costs is shown without limits on neighbours or bounds on groups."
        )
    if not np.isinf(_p(run)):
        small = _task(run, few, run.center_rows)
        if len(few) < n:
            notes.append(f"What fairness costs is shown for {len(few):,} people chosen at random.")
        rows = np.concatenate([few, run.center_rows])
        centers = at_rows(np.arange(len(few), len(rows)), small.distances)
        points = frontier_of(small, centers, SCALES, tol=5e-3)
        costly = _costly(small, small.problem(centers.distances), rows)
    return Content(
        run=run,
        projection=project(run.prepared.X, run.center_rows, _some(n, MAP_POINTS, random)),
        ways=ways,
        frontier=points,
        frontier_rows=len(few),
        costly=costly,
        judged_rows=judged,
        notes=notes,
    )


def _some(n: int, most: int, random: np.random.Generator) -> Array:
    return np.arange(n) if n <= most else np.sort(random.choice(n, most, replace=False))


def _p(run: Run) -> float:
    power = run.record["parameters"]["p"]
    return np.inf if power is None else float(power)  # infinity has no place in JSON


def _task(run: Run, rows: Array, more: Array | None = None) -> Task:
    """The same fairness among some of the rows; ``more`` of no weight, to have centres in."""
    asked = run.record["parameters"]
    every = rows if more is None else np.concatenate([rows, more])
    weights = np.ones(len(every))
    if run.record.get("weight"):
        weights = run.table[run.record["weight"]].to_numpy().astype(float)[every]
    weights[len(rows) :] = 0.0
    within = asked["group_tolerance"] is not None  # then only these pairs are compared
    specification = Specification(
        n_clusters=asked["n_clusters"],
        p=_p(run),
        metric=asked["metric"],
        divergence=asked["divergence"],
        similarity=asked["similarity"],
        n_neighbors=asked["n_neighbors"] if len(every) == len(run.ids) else None,
        individual="within-groups" if within else True,
    )
    protected = _pick(run.protected, every) if within else None
    return specification.task(run.prepared.X[every], protected, weights)


def _ways(run: Run, task: Task, distances: Array, rows: Array) -> list[Way]:
    p = _p(run)
    power = 1.0 if np.isinf(p) else p
    ours = run.distributions[rows]
    k = ours.shape[1]
    hard = np.eye(k)[distances.argmin(axis=1)]
    objective = float((task.weights[:, None] * ours * distances**power).sum())
    ways = {"likewise": ours, "hard clustering": hard}
    try:
        beta = stiffness_at_cost(distances, objective, power, task.weights)
        ways["soft clustering of the same cost"] = soft_assignment(distances, beta, power)
    except InvalidArgument:  # dearer than chance: soft clustering has no such stiffness
        pass
    protected = _pick(run.protected, rows)
    cheapest = expected_cost(hard, distances, power, task.weights)
    found = []
    for name, x in ways.items():
        cost = expected_cost(x, distances, power, task.weights)
        judged = audit(x, task.pairs, protected or None, divergence=task.divergence)
        found.append(Way(name, cost, cost / cheapest if cheapest > 0 else 1.0, judged))
    return found


def _pick(columns: dict[str, list[Any]], rows: Array) -> dict[str, list[Any]]:
    return {name: [values[row] for row in rows] for name, values in columns.items()}


def _costly(task: Task, problem: AssignmentProblem, rows: Array) -> list[CostlyPair]:
    found = solve(problem, tol=5e-3)
    pairs = price_of_pairs(task, problem, found.duals, count=8)
    return [
        CostlyPair(int(rows[pair.i]), int(rows[pair.j]), pair.bound, pair.saving) for pair in pairs
    ]
