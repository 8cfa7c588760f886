"""The assignment problem apart from any solver, and its answer.

minimise   sum_j cost_j . x_j
subject to x_j a distribution over the k centres
           D(x_i || x_j) <= F(i, j)   for every constrained ordered pair (i, j)
           every group's share of every cluster within its bounds, if groups are given
"""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from likewise.divergences import Divergence, as_divergence
from likewise.errors import InvalidArgument
from likewise.group_bounds import GroupBounds
from likewise.pairs import Pairs, PairSource
from likewise.types import Array


class AssignmentProblem:
    """Costs of every point at every centre, and the pairs whose treatment must be alike.

    Parameters
    ----------
    cost : (n, k) array
        ``cost[j, c]``: what it costs to give point j to centre c (weights included).
    pairs : Pairs or another pair source
        The constrained ordered pairs and their bounds.
    divergence : str or Divergence
        What the bounds bound.
    groups : GroupBounds, optional
        Bounds on the share of protected groups in every cluster.
    """

    def __init__(
        self,
        cost: ArrayLike,
        pairs: PairSource,
        divergence: str | Divergence = "tv",
        groups: GroupBounds | None = None,
    ) -> None:
        self.cost: Array = np.ascontiguousarray(cost, dtype=np.float64)
        if self.cost.ndim != 2 or 0 in self.cost.shape:
            raise InvalidArgument(
                "cost",
                f"it has shape {self.cost.shape}.",
                "Pass one row a point and one column a centre.",
            )
        self.cost = check_costs(self.cost)
        if groups is not None and groups.groups.n_points != len(self.cost):
            raise InvalidArgument(
                "groups",
                f"they are groups of {groups.groups.n_points} points, not of {len(self.cost)}.",
                "Pass the groups of the points that the rows of cost stand for.",
            )
        if groups is not None:
            groups.check_feasible()
        self.groups = groups
        if isinstance(pairs, Pairs):
            pairs.check_rows(len(self.cost))
        self.pairs = pairs
        self.divergence = as_divergence(divergence)

    @property
    def n_points(self) -> int:
        return self.cost.shape[0]

    @property
    def n_centers(self) -> int:
        return self.cost.shape[1]

    def objective(self, distributions: Array) -> float:
        """The expected cost of these distributions."""
        return float(np.vdot(self.cost, distributions))


def check_costs(cost: Array) -> Array:
    """The costs, if they and their sum are numbers that can be computed with."""
    with np.errstate(over="ignore", invalid="ignore"):
        usable = np.isfinite(cost.sum())
    if not usable:
        raise InvalidArgument(
            "cost",
            "some costs are infinite, not a number or too large to be added up.",
            "Scale the data, or lower p: the distances are raised to the power p.",
        )
    return cost


@dataclass(frozen=True)
class Duals:
    """Evidence for a lower bound, in additions to the costs.

    Each pair (i, j) adds ``alpha`` to the costs of i and ``beta`` to those of j. Each group bound
    adds its multiplier (``above`` for upper bounds, ``below`` for lower ones; (groups, k), not
    negative) times its coefficients. For any values whatever, the least cost with these additions,
    less the price of the pairs', is a lower bound on the objective: see ``certificate``.
    """

    i: Array
    j: Array
    alpha: Array
    beta: Array
    above: Array = field(default_factory=lambda: np.zeros((0, 0)))
    below: Array = field(default_factory=lambda: np.zeros((0, 0)))


@dataclass(frozen=True)
class Assignment:
    """What a solver found, and the evidence for how good it is."""

    distributions: Array
    duals: Duals
    solver: str
    n_iter: int
    seconds: float
    finished: bool  # False: stopped by the time limit or by the user
    trace: dict[str, int] = field(default_factory=dict)  # how much work it was


def relative_gap(objective: float, bound: float) -> float:
    """(objective - bound) / objective; zero if they agree."""
    distance = objective - bound
    if distance <= 0:
        return 0.0
    return distance / abs(objective) if objective else float("inf")
