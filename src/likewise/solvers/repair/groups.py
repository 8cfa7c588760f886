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
from scipy.optimize import linprog

from likewise._typing import Array
from likewise.errors import SolverError
from likewise.solvers.group_constraints import GroupRows

KEPT = 1e-13  # a bound missed by this share of everybody is kept: what sums of doubles can tell
PARTS = 1e4  # the program counts in ten-thousandths of everybody, as its tolerance is absolute


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
        self.relative_cost = (mean - low) / np.maximum(high - low, 1e-300)
        k = cost.shape[1]
        # masses of groups and of everybody from those of cells, and the bounds on the former
        per_cell = np.column_stack([self.profile, np.ones(len(self.profile))])
        self.sums = sparse.kron(sparse.csr_array(per_cell.T), sparse.eye_array(k), format="csr")
        self.bounds = rows.over_masses(k)

    def correct(self, x: Array) -> Array:
        """x, moved as little as needed for every group bound to be kept."""
        if len(self.rows) == 0:
            return x
        mass, excess = self._mass_and_excess(x)
        if excess.max(initial=0.0) <= KEPT:
            return x
        up, down = self._least_change(mass, excess)
        return _moved(x, self.cell, mass, up, down)

    def excess(self, x: Array) -> float:
        """By how much the worst bound is missed, as a share of everybody."""
        return float(self._mass_and_excess(x)[1].max(initial=0.0)) if len(self.rows) else 0.0

    def _mass_and_excess(self, x: Array) -> tuple[Array, Array]:
        """What each cell brings to each centre, and by how much each bound is missed."""
        everybody = max(self.rows.weight.sum(), 1e-300)
        mass = _sums(x * self.rows.weight[:, None], self.cell, len(self.profile)) / everybody
        return mass, self.bounds @ (self.sums @ mass.ravel())

    def _least_change(self, mass: Array, excess: Array) -> tuple[Array, Array]:
        """(up, down): what each cell gains and loses at each centre."""
        cells, k = mass.shape
        rise = (1 + self.relative_cost).ravel()
        fall = (1 - self.relative_cost).ravel()
        balance = sparse.kron(sparse.eye_array(cells), np.ones((1, k)))
        n_sums = self.sums.shape[0]  # changes of the masses of groups are variables of their own
        nothing = sparse.csr_array((self.bounds.shape[0], 2 * cells * k))
        most = np.concatenate([np.full(cells * k, np.inf), PARTS * mass.ravel()])
        answer = linprog(
            np.concatenate([rise, fall, np.zeros(n_sums)]),
            A_ub=sparse.hstack([nothing, self.bounds]),
            b_ub=-PARTS * excess,
            A_eq=sparse.vstack(
                [
                    sparse.hstack([balance, -balance, sparse.csr_array((cells, n_sums))]),
                    sparse.hstack([self.sums, -self.sums, -sparse.eye_array(n_sums)]),
                ]
            ),
            b_eq=np.zeros(cells + n_sums),
            bounds=np.column_stack(
                [
                    np.concatenate([np.zeros(2 * cells * k), np.full(n_sums, -np.inf)]),
                    np.concatenate([most, np.full(n_sums, np.inf)]),
                ]
            ),
            method="highs",
            options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
        )
        if answer.x is None:
            raise SolverError(
                f"the bounds on groups could not be kept: {answer.message}. Raise group_tolerance."
            )
        up, down = np.maximum(answer.x[:-n_sums], 0.0).reshape(2, cells, k) / PARTS
        both = np.minimum(up, down)
        return up - both, down - both


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
