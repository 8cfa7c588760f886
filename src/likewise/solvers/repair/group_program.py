"""The linear program behind ``groups``: the least change of cell masses that keeps every bound.

    minimise    rise.up + fall.down
    subject to  each cell gains what it loses, none loses more than it has,
                sums (of groups and of everybody, at each centre) follow from the cells' changes,
                the bounds on these sums are kept

A repair solves it again and again, hundreds of times in a fit, with other masses each time. So the
program is handed to HiGHS once; then only limits change. Every solve starts anew: what it answers
must not depend on what was asked before.
"""

import highspy
import numpy as np
from scipy import sparse

from likewise._typing import Array
from likewise.errors import SolverError
from likewise.solvers.highs import quiet_highs

PARTS = 1e4  # the program counts in ten-thousandths of everybody, as its tolerance is absolute
TOLERANCE = 1e-10
OPTIMAL = highspy.HighsModelStatus.kOptimal


class LeastChange:
    """The program for given cells, centres and bounds."""

    def __init__(self, relative_cost: Array, sums: sparse.csr_array, bounds: sparse.csr_array):
        self.shape = cells, k = relative_cost.shape
        n_sums, n_bounds = sums.shape[0], bounds.shape[0]
        balance = sparse.kron(sparse.eye_array(cells), np.ones((1, k)))
        rows = sparse.csr_array(
            sparse.vstack(
                [
                    sparse.hstack([sparse.csr_array((n_bounds, 2 * cells * k)), bounds]),
                    sparse.hstack([balance, -balance, sparse.csr_array((cells, n_sums))]),
                    sparse.hstack([sums, -sums, -sparse.eye_array(n_sums)]),
                ]
            )
        )
        self._down = np.arange(cells * k, 2 * cells * k, dtype=np.int32)  # columns
        self._highs = quiet_highs(TOLERANCE)
        changes = relative_cost.ravel()
        cost = np.concatenate([1 + changes, 1 - changes, np.zeros(n_sums)])
        self._pass_model(cost, rows, n_bounds)

    def _pass_model(self, cost: Array, rows: sparse.csr_array, n_bounds: int) -> None:
        cells, k = self.shape
        n_sums = len(cost) - 2 * cells * k
        lp = highspy.HighsLp()
        lp.num_row_, lp.num_col_ = rows.shape
        lp.col_cost_ = cost
        lp.col_lower_ = np.r_[np.zeros(2 * cells * k), np.full(n_sums, -highspy.kHighsInf)]
        lp.col_upper_ = np.full(len(cost), highspy.kHighsInf)
        equal = np.zeros(rows.shape[0] - n_bounds)
        lp.row_lower_ = np.r_[np.full(n_bounds, -highspy.kHighsInf), equal]
        lp.row_upper_ = np.r_[np.zeros(n_bounds), equal]
        lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
        lp.a_matrix_.start_ = rows.indptr.astype(np.int32)
        lp.a_matrix_.index_ = rows.indices.astype(np.int32)
        lp.a_matrix_.value_ = rows.data
        self._highs.passModel(lp)

    def _run(self, presolve: str) -> highspy.HighsModelStatus:
        self._highs.setOptionValue("presolve", presolve)
        self._highs.clearSolver()
        self._highs.run()
        return self._highs.getModelStatus()

    def solve(self, mass: Array, excess: Array) -> tuple[Array, Array]:
        """(up, down): what each cell gains and loses at each centre, as shares of everybody.

        ``mass`` is what each cell brings to each centre, ``excess`` by how much bounds are missed.
        """
        most = PARTS * mass.ravel()
        self._highs.changeColsBounds(len(most), self._down, np.zeros_like(most), most)
        for row, limit in enumerate((-PARTS * excess).tolist()):
            self._highs.changeRowBounds(row, -highspy.kHighsInf, limit)
        # bounds that leave no room look infeasible to presolve
        if self._run("choose") != OPTIMAL and self._run("off") != OPTIMAL:
            status = self._highs.getModelStatus()
            message = self._highs.modelStatusToString(status)
            raise SolverError(
                f"the bounds on groups could not be kept: {message}. Raise group_tolerance."
            )
        changes = np.array(self._highs.getSolution().col_value)[: 2 * len(self._down)]
        up, down = np.maximum(changes, 0.0).reshape(2, *self.shape) / PARTS
        both = np.minimum(up, down)
        return up - both, down - both
