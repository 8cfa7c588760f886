"""The assignment problem apart from any solver, and its answer.

minimise   sum_j cost_j . x_j
subject to x_j a distribution over the k centres
           D(x_i || x_j) <= F(i, j)   for every constrained ordered pair (i, j)
           every group's share of every cluster within its bounds, if groups are given
           sum over c of max over j of x_jc <= n_open, if that is given
           x_jc = 0 where (j, c) is not allowed, if that is said
"""

from dataclasses import dataclass, field, replace
from numbers import Integral

import numpy as np
from numpy.typing import ArrayLike

from likewise._typing import Array
from likewise._validation import check_costs, check_number
from likewise.compute.executor import LOCAL, Executor
from likewise.divergences.registry import Divergence, as_divergence
from likewise.errors import InvalidArgument
from likewise.groups.bounds import GroupBounds
from likewise.similarities.pairs import Pairs, PairSource


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
    n_open : int, optional
        How many of the centres may be opened, in fractions: a centre is open as far as anybody
        uses it. With every point a centre this is the paper's lower-bound program.
    allowed : (n, k) array of bool, optional
        Which centres each point may use. Whether a fair answer exists then is not a given:
        ``likewise.fitting.k_center`` finds out.
    executor : Executor
        Where work over all pairs is done.
    """

    def __init__(
        self,
        cost: ArrayLike,
        pairs: PairSource,
        divergence: str | Divergence = "tv",
        groups: GroupBounds | None = None,
        n_open: int | None = None,
        allowed: ArrayLike | None = None,
        executor: Executor = LOCAL,
    ) -> None:
        self.executor = executor
        self.cost = _checked_cost(np.ascontiguousarray(cost, dtype=np.float64))
        self.groups = None if groups is None else _checked_groups(groups, len(self.cost))
        if isinstance(pairs, Pairs):
            pairs.check_rows(len(self.cost))
        self.pairs = pairs
        self.divergence = as_divergence(divergence)
        if n_open is not None:
            check_number("n_open", n_open, Integral, 1)
        self.n_open = n_open
        self.allowed = None if allowed is None else self._checked_allowed(allowed)

    def _checked_allowed(self, allowed: ArrayLike) -> Array:
        mask = np.array(allowed, dtype=bool)
        if mask.shape != self.cost.shape or not mask.any(axis=1).all():
            raise InvalidArgument(
                "allowed",
                f"it has shape {mask.shape}, or leaves a point without any centre.",
                f"Pass an array of shape {self.cost.shape} with a True in every row.",
            )
        return mask

    @property
    def n_points(self) -> int:
        return len(self.cost)

    @property
    def n_centers(self) -> int:
        return int(self.cost.shape[1])

    def objective(self, distributions: Array) -> float:
        """The expected cost of these distributions."""
        return float(np.vdot(self.cost, distributions))


def _checked_cost(cost: Array) -> Array:
    if cost.ndim != 2 or 0 in cost.shape:
        raise InvalidArgument(
            "cost",
            f"it has shape {cost.shape}.",
            "Pass one row a point and one column a centre.",
        )
    return check_costs(cost)


def _checked_groups(groups: GroupBounds, n_points: int) -> GroupBounds:
    if groups.groups.n_points != n_points:
        raise InvalidArgument(
            "groups",
            f"they are groups of {groups.groups.n_points} points, not of {n_points}.",
            "Pass the groups of the points that the rows of cost stand for.",
        )
    groups.check_feasible()
    return groups


NEGLIGIBLE = 1e-6  # share of the largest differences of costs: far above what rounding leaves


@dataclass(frozen=True)
class Duals:
    """Evidence for a lower bound, in additions to the costs.

    Each pair (i, j) adds ``alpha`` to the costs of i and ``beta`` to those of j. Each group bound
    adds its multiplier (``above`` for upper bounds, ``below`` for lower ones; (groups, k), not
    negative) times its coefficients. Where only some centres may be opened, ``opening`` ((n, k),
    not negative) is added to the costs. For any values whatever, the least cost with these
    additions, less the support functions of the pairs and openings at these values, is a lower
    bound on the objective: see ``certificate``.
    """

    i: Array
    j: Array
    alpha: Array
    beta: Array
    above: Array = field(default_factory=lambda: np.zeros((0, 0)))
    below: Array = field(default_factory=lambda: np.zeros((0, 0)))
    opening: Array = field(default_factory=lambda: np.zeros((0, 0)))

    def binding(self) -> "Duals":
        """Without the pairs whose duals are zero: they prove nothing."""
        kept = np.flatnonzero(self.alpha.any(axis=1) | self.beta.any(axis=1))
        return replace(
            self, i=self.i[kept], j=self.j[kept], alpha=self.alpha[kept], beta=self.beta[kept]
        )


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

    @staticmethod
    def of(distributions: Array) -> "Assignment":
        """These distributions, without evidence: something to start from."""
        rows, nothing = np.zeros(0, dtype=np.int64), np.zeros((0, distributions.shape[1]))
        return Assignment(distributions, Duals(rows, rows, nothing, nothing), "", 0, 0.0, True)


def relative_gap(objective: float, bound: float, least: float = 0.0) -> float:
    """(objective - bound) / objective; zero if they agree. Of ``least`` where the objective is no
    more than that (``negligible_cost``).
    """
    difference = objective - bound
    if difference <= 0:
        return 0.0
    size = max(abs(objective), least)
    return difference / size if size else float("inf")


def negligible_cost(cost: Array) -> float:
    """A cost that is as good as none: a millionth of what it costs if everybody goes to the most
    expensive centre rather than to the cheapest. Rows that are nearly at their centres cost next to
    nothing, and what can be told of such a sum is mostly rounding.
    """
    return NEGLIGIBLE * float((cost.max(axis=1) - cost.min(axis=1)).sum())
