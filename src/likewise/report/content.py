"""What a report says, as plain numbers: gathered from a run, drawn by ``page``.

Everything is about everybody, under the bounds of the run. Where a part is about some people only
(pictures, and what would take too long for all), it knows how many they are.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass

import numpy as np

from likewise._typing import Array, ShowProgress
from likewise.centers.choose import at_rows
from likewise.choosing import ChoiceOfK
from likewise.drawing.projection import Projection, project
from likewise.geometry.mixed import coordinates
from likewise.metrics.group import GroupShares, group_shares
from likewise.metrics.tallies import nothing
from likewise.problem.scope import Scope, scope_of
from likewise.problem.specification import Specification, Task
from likewise.report.comparison import Comparison, compare
from likewise.report.fairness_cost import FairnessCost, fairness_cost
from likewise.report.run import Run
from likewise.report.sample import some_rows

MAP_POINTS = 1_500  # drawn at most; more are a blur and a heavy file


@dataclass(frozen=True)
class Content:
    """Everything on the page."""

    run: Run
    scope: Scope
    projection: Projection
    cluster_sizes: Array  # how many people each is expected to have
    groups: list[GroupShares]
    comparison: Comparison
    fairness_cost: FairnessCost | None
    choice: ChoiceOfK | None = None  # of the number of clusters


def unseen(what: str, steps: int | None) -> Callable[[], None]:
    """The stages of a report that nobody watches."""
    return nothing


def gather(run: Run, show: ShowProgress = unseen, choice: ChoiceOfK | None = None) -> Content:
    """Compute what the page shows."""
    show("measuring how alike people are", None)
    random = np.random.default_rng(0)
    task = _task(run)
    centers = at_rows(run.center_rows, task.distances)
    everybody = np.arange(run.n_points)
    shown = some_rows(run.n_points, MAP_POINTS, random)
    protected = run.protected(everybody)
    return Content(
        run=run,
        scope=scope_of(task.specification, run.n_points),
        projection=project(
            coordinates(run.prepared.X, task.specification.metric), run.center_rows, shown
        ),
        cluster_sizes=run.distributions.sum(axis=0),
        groups=group_shares(run.distributions, protected, run.weights) if protected else [],
        comparison=compare(task, centers, run, random, show),
        fairness_cost=fairness_cost(task, centers, run.distributions, random, show),
        choice=choice,
    )


def _task(run: Run) -> Task:
    """What the run was asked, of the same people: the bounds of every figure on the page."""
    specification = Specification.of(asdict(run.record.parameters))
    groups = run.protected(np.arange(run.n_points)) if specification.bounds_groups else None
    return specification.task_of_table(run.prepared.X, groups, run.weights)
