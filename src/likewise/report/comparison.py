"""This clustering beside others of the same people, with the same centres."""

from dataclasses import dataclass

import numpy as np

from likewise._typing import Array, ShowProgress
from likewise.auditing import PairAudit, audit_pairs
from likewise.baselines.clusterings import soft_assignment, stiffness_at_cost
from likewise.centers.choose import Centers
from likewise.divergences.registry import TotalVariation
from likewise.errors import InvalidArgument
from likewise.metrics.costs import expected_cost
from likewise.metrics.individual import Violations
from likewise.problem.costs import expected_total, powers, ratio_of_costs
from likewise.problem.specification import Task
from likewise.report.run import Run
from likewise.report.sample import some_rows

OURS, HARD, SOFT = "likewise", "hard clustering", "soft clustering of the same cost"
JUDGED_ROWS = 20_000  # people whose every pair is judged in seconds: 400 million pairs
JUDGED_ROWS_BY_LOGARITHMS = 7_000  # under divergences that take ten times as long
EXAMPLES = 6  # of pairs that are treated unequally


@dataclass(frozen=True)
class Way:
    """A way to cluster the same people: what it costs and whom it treats unequally."""

    name: str
    cost: float  # of everybody
    price: float  # cost over that of hard clustering
    audit: PairAudit  # of the pairs that were judged; of all, where the certificate has it


@dataclass(frozen=True)
class Comparison:
    """Ways to cluster the same people, judged under the bounds of the run."""

    ways: list[Way]  # ours, hard, and soft where there is one of the same cost
    judged: Array  # the rows whose pairs were judged: all, or a sample
    of_everybody: bool

    @property
    def ours(self) -> Way:
        """This run."""
        return self.ways[0]

    @property
    def hard(self) -> Way:
        """Everybody to the nearest centre."""
        return self.ways[1]


def compare(
    task: Task, centers: Centers, run: Run, random: np.random.Generator, show: ShowProgress
) -> Comparison:
    """Costs are those of everybody; pairs are judged among all, or among very many."""
    ways = _ways(task, centers.distances, run.distributions)
    power = 1.0 if np.isinf(task.p) else task.p
    costs = {
        name: expected_cost(x, centers.distances, power, task.weights) for name, x in ways.items()
    }
    rows = _judged_rows(task, random)
    audits = _audits({name: x[rows] for name, x in ways.items()}, task, rows, run, show)
    return Comparison(
        [
            Way(name, cost, ratio_of_costs(cost, costs[HARD]), audits[name])
            for name, cost in costs.items()
        ],
        rows,
        len(rows) == run.n_points,
    )


def _audits(
    ways: dict[str, Array], task: Task, rows: Array, run: Run, show: ShowProgress
) -> dict[str, PairAudit]:
    """What is found about the pairs of these rows in each way. What the certificate has proven of
    every pair is not computed again.
    """
    known = {}
    if run.certificate.is_fair and run.certificate.pairs_left == 0:
        known[OURS] = PairAudit(Violations(0, run.certificate.pairs_checked, 0.0), 0, [])
    pairs = task.pairs if len(rows) == run.n_points else task.pairs.of_rows(rows)
    judged = {name: x for name, x in ways.items() if name not in known}
    found = audit_pairs(
        list(judged.values()),
        pairs,
        divergence=task.divergence,
        examples=EXAMPLES,
        after_block=show("judging pairs", pairs.n_blocks),
    )
    return known | dict(zip(judged, found, strict=True))


def _judged_rows(task: Task, random: np.random.Generator) -> Array:
    """Everybody, unless there are too many pairs."""
    n, is_quick = len(task.weights), isinstance(task.divergence, TotalVariation)
    most = JUDGED_ROWS if is_quick else JUDGED_ROWS_BY_LOGARITHMS
    return some_rows(n, n if len(task.pairs) <= most * (most - 1) else most, random)


def _ways(task: Task, distances: Array, ours: Array) -> dict[str, Array]:
    """Everybody's distributions in each way, by its name."""
    ways = {OURS: ours, HARD: np.eye(distances.shape[1])[distances.argmin(axis=1)]}
    objective = expected_total(ours, powers(distances, task.p), task.weights)
    try:
        beta = stiffness_at_cost(distances, objective, task.p, task.weights)
        ways[SOFT] = soft_assignment(distances, beta, task.p)
    except InvalidArgument:  # more expensive than chance: soft clustering has no such beta
        pass
    return ways
