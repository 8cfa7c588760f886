"""From group bounds nearly kept to group bounds kept.

Points that belong to the same groups form a cell. Bounds on groups only see what each cell brings
to each centre, so a small linear program finds the least change of these cell masses that keeps
every bound. Each cell then moves as one: a share of its probability at some centres goes to
others, the same share for every member. That is one Markov kernel for the whole cell, and
divergences never grow under a common kernel (data processing), so pairs within a cell stay within
their bounds; pairs across cells are disturbed by no more than what was moved.
"""

import numpy as np
from scipy import sparse

from likewise._typing import Array
from likewise.solvers.divergence_ops.base import NOTHING
from likewise.solvers.group_constraints import GroupRows
from likewise.solvers.repair.group_program import LeastChange

KEPT = 1e-13  # a bound missed by this share of everybody is kept: what sums of doubles can tell


class GroupRepair:
    """Moves cells until every group bound is kept."""

    def __init__(self, rows: GroupRows, cost: Array) -> None:
        self.rows = rows
        if len(rows) == 0:
            return
        self.cell, self.profile = _cells(rows)
        mean = _sums(cost, self.cell, len(self.profile))
        mean /= np.bincount(self.cell)[:, None]
        low, high = mean.min(axis=1, keepdims=True), mean.max(axis=1, keepdims=True)
        relative_cost = (mean - low) / np.maximum(high - low, NOTHING)
        k = cost.shape[1]
        # masses of groups and of everybody from those of cells, and the bounds on the former
        per_cell = np.column_stack([self.profile, np.ones(len(self.profile))])
        self.sums = sparse.kron(sparse.csr_array(per_cell.T), sparse.eye_array(k), format="csr")
        self.bounds = rows.over_masses(k)
        self.least_change = LeastChange(relative_cost, self.sums, self.bounds)

    def correct(self, x: Array) -> Array:
        """x, moved as little as needed for every group bound to be kept."""
        if len(self.rows) == 0:
            return x
        mass, excess = self._mass_and_excess(x)
        if excess.max(initial=0.0) <= KEPT:
            return x
        up, down = self.least_change.solve(mass, excess)
        return _moved(x, self.cell, mass, up, down)

    def excess(self, x: Array) -> float:
        """By how much the worst bound is missed, as a share of everybody."""
        return float(self._mass_and_excess(x)[1].max(initial=0.0)) if len(self.rows) else 0.0

    def _mass_and_excess(self, x: Array) -> tuple[Array, Array]:
        """What each cell brings to each centre, and by how much each bound is missed."""
        everybody = max(self.rows.weight.sum(), NOTHING)
        mass = _sums(x * self.rows.weight[:, None], self.cell, len(self.profile)) / everybody
        return mass, self.bounds @ (self.sums @ mass.ravel())


def _cells(rows: GroupRows) -> tuple[Array, Array]:
    """(the cell of each point, what a unit of weight of each cell weighs in each group)."""
    # equal profiles have equal images under a random map, others different ones
    rng = np.random.default_rng(0)
    image = rows.profile @ (rng.normal(size=len(rows)) + 1j * rng.normal(size=len(rows)))
    _, first, cell = np.unique(image, return_index=True, return_inverse=True)
    return cell, rows.profile[first].toarray()


def _sums(values: Array, label: Array, count: int) -> Array:
    """The sum of the rows of each label."""
    return np.column_stack([np.bincount(label, column, count) for column in values.T])


def _moved(x: Array, cell: Array, mass: Array, up: Array, down: Array) -> Array:
    """Every member of a cell gives up the same share at a centre and gets it back elsewhere."""
    gained = up.sum(axis=1, keepdims=True)
    down = np.where(gained > 0, down, 0.0)
    kept = 1.0 - np.divide(down, mass, out=np.zeros_like(mass), where=mass > 0)
    kept = np.clip(kept, 0.0, 1.0)
    where_to = np.divide(up, gained, out=np.zeros_like(up), where=gained > 0)
    stays = x * kept[cell]
    released = (x - stays).sum(axis=1, keepdims=True)
    return np.asarray(stays + released * where_to[cell])
