"""The assignment problem as the engines see it: over merged points."""

from dataclasses import dataclass

import numpy as np

from likewise._typing import Array
from likewise.divergences.registry import Divergence
from likewise.problem.assignment import AssignmentProblem, Duals
from likewise.solvers.divergence_ops.base import DivergenceOps
from likewise.solvers.divergence_ops.choose import ops_for
from likewise.solvers.group_constraints import GroupRows
from likewise.solvers.presolve import Merging
from likewise.solvers.result import MergedDuals
from likewise.solvers.separation.base import Scanner
from likewise.solvers.separation.choose import make_scanner


@dataclass(frozen=True)
class MergedProblem:
    """Costs of merged points, and what bounds them: pairs, groups, openings, centres allowed."""

    cost: Array
    scanner: Scanner
    groups: GroupRows
    divergence: Divergence
    ops: DivergenceOps
    n_open: int | None = None
    allowed: Array | None = None

    @staticmethod
    def of(problem: AssignmentProblem) -> "MergedProblem":
        """Points that must be treated the same, merged: their costs add up, and they may use what
        all of them may.
        """
        ops = ops_for(problem.divergence)
        scanner = make_scanner(problem, ops)
        merging = scanner.merging
        cost = np.zeros((merging.n_merged, problem.n_centers))
        np.add.at(cost, merging.label, problem.cost)
        groups = GroupRows(problem.groups, merging)
        allowed = merging.common(problem.allowed)
        return MergedProblem(
            cost, scanner, groups, problem.divergence, ops, problem.n_open, allowed
        )

    @property
    def merging(self) -> Merging:
        return self.scanner.merging

    def merged(self, distributions: Array) -> Array:
        """Distributions of the points as those of merged points."""
        merged = np.empty_like(self.cost)
        merged[self.merging.label] = distributions
        return merged

    def unmerged(self, distributions: Array) -> Array:
        """The way back."""
        return np.asarray(distributions[self.merging.label])

    def duals_of_rows(self, duals: MergedDuals) -> Duals:
        """Evidence in terms of the rows of the data."""
        return duals.of_rows(self.merging, self.groups)
