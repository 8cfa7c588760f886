"""The proof that comes with every answer, recomputed from the answer alone.

Nothing here is shared with the solvers: a mistake there cannot hide here. Every constrained pair
is checked, block by block, so all n (n - 1) pairs need no n x n memory.
"""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from likewise.group_bounds import GroupBounds
from likewise.groups import describe
from likewise.problem import AssignmentProblem, Duals, relative_gap
from likewise.types import Array

ALLOWED_EXCESS = 1e-9  # no pair and no group of an answer may exceed its bound by more


@dataclass(frozen=True)
class Certificate:
    """What was checked and what was found."""

    pairs_checked: int
    worst_excess: float  # largest divergence - bound over all pairs; <= 0: every pair within
    worst_pair: tuple[int, int] | None
    groups_checked: int  # group bounds: two a group and cluster
    worst_group_excess: float  # furthest outside its bounds, in shares of everybody; <= 0: within
    worst_group: tuple[Any, Any, int] | None  # (attribute, value, cluster)
    row_sum_error: float
    smallest_probability: float
    objective: float
    lower_bound: float
    gap: float  # (objective - lower_bound) / objective

    @property
    def is_fair(self) -> bool:
        """Every row is a distribution, every pair and every group is within its bounds."""
        return (
            self.worst_excess <= ALLOWED_EXCESS
            and self.worst_group_excess <= ALLOWED_EXCESS
            and self.row_sum_error <= ALLOWED_EXCESS
            and self.smallest_probability >= 0
        )

    def as_dict(self) -> dict[str, Any]:
        return {**asdict(self), "is_fair": self.is_fair}

    def __str__(self) -> str:
        verdict = "every bound kept" if self.is_fair else "NOT FAIR"
        worst = "" if self.worst_pair is None else f" (pair {self.worst_pair})"
        checked = f"{self.pairs_checked:,} ordered pairs"
        lines = [f"worst pair:  divergence - bound = {self.worst_excess:.2e}{worst}"]
        if self.worst_group is not None:
            checked += f" and {self.groups_checked:,} bounds on groups"
            *name, cluster = self.worst_group
            group = f"{describe((name[0], name[1]))} in cluster {cluster}"
            lines.append(
                f"worst group: {self.worst_group_excess:.2e} of everybody beyond bounds ({group})"
            )
        return "\n".join(
            [
                f"fair:        {verdict}; {checked} checked",
                *lines,
                f"rows:        sum to 1 within {self.row_sum_error:.1e}",
                f"cost:        {self.objective:.8g}, proven at least {self.lower_bound:.8g}",
                f"gap:         {self.gap:.2e} of the cost",
            ]
        )


def certify(
    problem: AssignmentProblem, distributions: Array, duals: Duals | None = None
) -> Certificate:
    """Check an answer against the problem it answers.

    Without duals the lower bound is the cost of giving everybody to the nearest centre.
    """
    pairs_checked, worst_excess, worst_pair, alike = _check_pairs(problem, distributions)
    groups_checked, worst_group_excess, worst_group = _check_groups(problem.groups, distributions)
    objective = problem.objective(distributions)
    bound = float(problem.cost.min(axis=1).sum())  # everybody to the nearest centre
    if duals is not None:
        bound = max(bound, _lower_bound(problem, duals, alike))
    bound = min(bound, objective)
    return Certificate(
        pairs_checked=pairs_checked,
        worst_excess=worst_excess,
        worst_pair=worst_pair,
        groups_checked=groups_checked,
        worst_group_excess=worst_group_excess,
        worst_group=worst_group,
        row_sum_error=float(np.abs(distributions.sum(axis=1) - 1.0).max()),
        smallest_probability=float(distributions.min()),
        objective=objective,
        lower_bound=bound,
        gap=relative_gap(objective, bound),
    )


def _check_pairs(
    problem: AssignmentProblem, distributions: Array
) -> tuple[int, float, tuple[int, int] | None, Array]:
    """How many pairs, the worst excess, its pair, and the classes of points bound to be equal."""
    checked, worst, where = 0, -np.inf, None
    alike = np.arange(problem.n_points)
    for block in problem.pairs.blocks():
        excess = block.divergences(problem.divergence, distributions) - block.bound
        checked += block.n_pairs
        position = np.argmax(excess)
        if excess.flat[position] > worst:
            i, j = block.pairs_at(np.array([position]))
            worst, where = float(excess.flat[position]), (int(i[0]), int(j[0]))
        i, j = block.pairs_at(np.flatnonzero(block.bound == 0))
        alike = _linked(alike, i, j)
    return checked, worst if where else 0.0, where, alike


def _check_groups(
    groups: GroupBounds | None, distributions: Array
) -> tuple[int, float, tuple[Any, Any, int] | None]:
    """How many group bounds, the worst excess, and its group and cluster."""
    if groups is None or len(groups) == 0:
        return 0, 0.0, None
    excess = groups.excess(distributions)
    r, c = np.unravel_index(np.argmax(excess), excess.shape)
    return 2 * excess.size, float(excess[r, c]), (*groups.groups.names[r], int(c))


def _linked(label: Array, i: Array, j: Array) -> Array:
    """The classes of ``label`` after the classes of i and of j have become one."""
    if len(i) == 0:
        return label
    n = len(label)
    graph = sparse.coo_array((np.ones(len(i)), (label[i], label[j])), shape=(n, n))
    return connected_components(graph, directed=False)[1][label]


def _lower_bound(problem: AssignmentProblem, duals: Duals, alike: Array) -> float:
    """Lagrange: the least cost with the duals added, less their price.

    Points that must be equal (``alike``) move together, so the least is taken over their sum.
    """
    bound = problem.pairs.bounds_at(duals.i, duals.j)
    price = problem.divergence.price(duals.alpha, duals.beta, bound)
    moved = problem.cost.copy()
    np.add.at(moved, duals.i, duals.alpha)
    np.add.at(moved, duals.j, duals.beta)
    if problem.groups is not None and duals.above.size:
        moved += _pull_of_groups(problem.groups, duals)
    together = np.zeros((alike.max() + 1, problem.n_centers))
    np.add.at(together, alike, moved)
    return float(together.min(axis=1).sum() - price.sum())


def _pull_of_groups(groups: GroupBounds, duals: Duals) -> Array:
    """What the multipliers of the group bounds add to the costs. The bounds' right-hand sides are
    zero, so that the multipliers, if they are not negative, have no price.
    """
    above, below = np.maximum(duals.above, 0.0), np.maximum(duals.below, 0.0)
    of_everybody = groups.lower @ below - groups.upper @ above
    pull = groups.groups.member @ (above - below) + of_everybody
    return np.asarray(groups.weights[:, None] * pull)
