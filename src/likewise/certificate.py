"""The proof that comes with every answer, recomputed from the answer alone.

Nothing here is shared with the solvers: a mistake there cannot hide here. Every constrained pair
is checked, block by block, so all n (n - 1) pairs need no n x n memory.
"""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from likewise.problem import AssignmentProblem, PairDuals, relative_gap
from likewise.types import Array

ALLOWED_EXCESS = 1e-9  # no pair of an answer may exceed its bound by more


@dataclass(frozen=True)
class Certificate:
    """What was checked and what was found."""

    pairs_checked: int
    worst_excess: float  # largest divergence - bound over all pairs; <= 0: every pair within
    worst_pair: tuple[int, int] | None
    row_sum_error: float
    smallest_probability: float
    objective: float
    lower_bound: float
    gap: float  # (objective - lower_bound) / objective

    @property
    def is_fair(self) -> bool:
        """Every row is a distribution and every pair is within its bound."""
        return (
            self.worst_excess <= ALLOWED_EXCESS
            and self.row_sum_error <= ALLOWED_EXCESS
            and self.smallest_probability >= 0
        )

    def as_dict(self) -> dict[str, Any]:
        return {**asdict(self), "is_fair": self.is_fair}

    def __str__(self) -> str:
        verdict = "every pair within its bound" if self.is_fair else "NOT FAIR"
        worst = "" if self.worst_pair is None else f" (pair {self.worst_pair})"
        return "\n".join(
            [
                f"fair:        {verdict}; {self.pairs_checked:,} ordered pairs checked",
                f"worst pair:  divergence - bound = {self.worst_excess:.2e}{worst}",
                f"rows:        sum to 1 within {self.row_sum_error:.1e}",
                f"cost:        {self.objective:.8g}, proven at least {self.lower_bound:.8g}",
                f"gap:         {self.gap:.2e} of the cost",
            ]
        )


def certify(problem: AssignmentProblem, distributions: Array, duals: PairDuals) -> Certificate:
    """Check an answer against the problem it answers."""
    pairs_checked, worst_excess, worst_pair, alike = _check_pairs(problem, distributions)
    objective = problem.objective(distributions)
    everyone_nearest = float(problem.cost.min(axis=1).sum())  # the bound without any duals
    bound = min(max(_lower_bound(problem, duals, alike), everyone_nearest), objective)
    return Certificate(
        pairs_checked=pairs_checked,
        worst_excess=worst_excess,
        worst_pair=worst_pair,
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


def _linked(label: Array, i: Array, j: Array) -> Array:
    """The classes of ``label`` after the classes of i and of j have become one."""
    if len(i) == 0:
        return label
    n = len(label)
    graph = sparse.coo_array((np.ones(len(i)), (label[i], label[j])), shape=(n, n))
    return connected_components(graph, directed=False)[1][label]


def _lower_bound(problem: AssignmentProblem, duals: PairDuals, alike: Array) -> float:
    """Lagrange: the least cost with the duals added, less their price.

    Points that must be equal (``alike``) move together, so the least is taken over their sum.
    """
    bound = problem.pairs.bounds_at(duals.i, duals.j)
    price = problem.divergence.price(duals.alpha, duals.beta, bound)
    moved = problem.cost.copy()
    np.add.at(moved, duals.i, duals.alpha)
    np.add.at(moved, duals.j, duals.beta)
    together = np.zeros((alike.max() + 1, problem.n_centers))
    np.add.at(together, alike, moved)
    return float(together.min(axis=1).sum() - price.sum())
