"""A linear program over distributions that grows by cuts, kept warm in HiGHS.

minimise   sum_j cost_j . x_j
subject to x_j a distribution
           alpha.x_a + beta.x_b <= bound    one row per cut
           bounds on groups, if there are any. Their rows would be dense: what a group brings to
           a centre is a variable of its own, so that each point stands in one row per group
           x_jc <= y_c and sum_c y_c <= n_open, if only n_open centres may be opened.
"""

from dataclasses import dataclass

import highspy
import numpy as np
from scipy import sparse

from likewise._typing import Array
from likewise.solvers.group_constraints import GroupRows
from likewise.solvers.highs import quiet_highs

FEASIBILITY = 1e-9  # by which HiGHS may miss a row or a reduced cost
# The program counts probability in thousandths. HiGHS takes a row as kept when it is missed by at
# most 1e-9, whatever its size; in these units that is a probability of 1e-12, so that the answer
# needs next to no repair even where bounds are tiny.
PARTS = 1000.0
# Measured at n = 1000: simplex 0.1 s against 0.2 s for interior point at k = 4 (4,000 variables),
# 9 to 14 s against 6 s at k = 10. Crossover is on, so the next solve starts from a basis.
INTERIOR_POINT_FROM = 6_000
DUAL_SIMPLEX, PRIMAL_SIMPLEX = 1, 4  # as HiGHS numbers its strategies
ENDS = (highspy.HighsModelStatus.kOptimal, highspy.HighsModelStatus.kTimeLimit)


@dataclass(frozen=True)
class Cuts:
    """Rows alpha.x_a + beta.x_b <= bound; ``pair`` is the caller's number of the pair."""

    pair: Array
    a: Array
    b: Array
    alpha: Array
    beta: Array
    bound: Array

    def __len__(self) -> int:
        return len(self.pair)

    def take(self, which: Array) -> "Cuts":
        return Cuts(*(getattr(self, name)[which] for name in self.__dataclass_fields__))

    @staticmethod
    def join(parts: "list[Cuts]") -> "Cuts":
        return Cuts(
            *(
                np.concatenate([getattr(part, name) for part in parts])
                for name in Cuts.__dataclass_fields__
            )
        )

    @staticmethod
    def none(k: int) -> "Cuts":
        rows = np.zeros(0, dtype=np.int64)
        return Cuts(rows, rows, rows, np.zeros((0, k)), np.zeros((0, k)), np.zeros(0))

    def scaled(self) -> "Cuts":
        """The same planes, with coefficients of at most 1: HiGHS refuses huge ones."""
        largest = np.maximum(np.abs(self.alpha).max(axis=1), np.abs(self.beta).max(axis=1))
        unit = np.where(largest > 0, largest, 1.0)
        alpha, beta = self.alpha / unit[:, None], self.beta / unit[:, None]
        return Cuts(self.pair, self.a, self.b, alpha, beta, self.bound / unit)

    def distinct(self) -> "Cuts":
        """Without repetitions."""
        rows = np.column_stack([self.pair, np.round(self.alpha, 12), np.round(self.beta, 12)])
        return self.take(np.unique(rows, axis=0, return_index=True)[1])


class CutLP:
    """The program, its cuts and its last solution."""

    def __init__(
        self,
        cost: Array,
        groups: GroupRows,
        n_open: int | None = None,
        allowed: Array | None = None,
    ) -> None:
        n, k = cost.shape
        self.shape = (n, k)
        self.cuts = Cuts.none(k)
        self.solves = 0
        self.pivots = 0
        self._method = "ipm" if n * k >= INTERIOR_POINT_FROM else "simplex"
        self._highs = quiet_highs(FEASIBILITY)
        self._pass_model(cost, allowed)
        self.groups = groups
        self._first_opening = n + self._add_groups(groups)
        self._first_cut = self._first_opening + self._add_openings(n_open)

    def _pass_model(self, cost: Array, allowed: Array | None) -> None:
        """Distributions and their costs."""
        n, k = self.shape
        lp = highspy.HighsLp()
        lp.num_col_, lp.num_row_ = n * k, n
        lp.col_cost_ = cost.ravel()
        lp.col_lower_ = np.zeros(n * k)
        open_to_all = np.full(n * k, highspy.kHighsInf)
        lp.col_upper_ = (
            open_to_all if allowed is None else np.where(allowed.ravel(), open_to_all, 0)
        )
        lp.row_lower_ = lp.row_upper_ = np.full(n, PARTS)
        lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
        lp.a_matrix_.start_ = np.arange(n + 1, dtype=np.int32) * k
        lp.a_matrix_.index_ = np.arange(n * k, dtype=np.int32)
        lp.a_matrix_.value_ = np.ones(n * k)
        self._highs.passModel(lp)

    def _add_groups(self, groups: GroupRows) -> int:
        """Masses of groups and of everybody as variables, and their bounds; returns the rows."""
        count, k = len(groups), self.shape[1]
        if count == 0:
            return 0
        n_masses = (count + 1) * k
        free = np.full(n_masses, highspy.kHighsInf)
        self._highs.addVars(n_masses, -free, free)
        members = sparse.hstack([groups.member, groups.weight[:, None]]).T
        sums = sparse.hstack(
            [sparse.kron(members, sparse.eye_array(k)), -sparse.eye_array(n_masses)]
        )
        over_masses = groups.over_masses(k)
        n_bounds = over_masses.shape[0]
        bounds = sparse.hstack([sparse.csr_array((n_bounds, self.shape[0] * k)), over_masses])
        rows = sparse.csr_array(sparse.vstack([sums, bounds]))
        zero, below = np.zeros(n_masses), np.full(n_bounds, -highspy.kHighsInf)
        self._add_rows(rows, np.r_[zero, below], np.zeros(rows.shape[0]))
        return int(rows.shape[0])

    def _add_openings(self, n_open: int | None) -> int:
        """How far each centre is open as a variable, and the rows; returns how many."""
        if n_open is None:
            return 0
        n, k = self.shape
        before = self._highs.getNumCol()
        self._highs.addVars(k, np.zeros(k), np.full(k, PARTS))
        between = sparse.csr_array((n * k, before - n * k))
        opened = sparse.kron(np.ones((n, 1)), -sparse.eye_array(k))
        used = sparse.hstack([sparse.eye_array(n * k), between, opened])
        total = sparse.hstack([sparse.csr_array((1, before)), np.ones((1, k))])
        upper = np.r_[np.zeros(n * k), n_open * PARTS]
        rows = sparse.csr_array(sparse.vstack([used, total]))
        self._add_rows(rows, np.full(len(upper), -highspy.kHighsInf), upper)
        return len(upper)

    def _add_rows(self, rows: sparse.csr_array, lower: Array, upper: Array) -> None:
        starts = rows.indptr[:-1].astype(np.int32)
        columns = rows.indices.astype(np.int32)
        self._highs.addRows(rows.shape[0], lower, upper, rows.nnz, starts, columns, rows.data)

    def add(self, cuts: Cuts) -> None:
        k = self.shape[1]
        row_a, col_a = np.nonzero(cuts.alpha)
        row_b, col_b = np.nonzero(cuts.beta)
        row = np.concatenate([row_a, row_b])
        column = np.concatenate([cuts.a[row_a] * k + col_a, cuts.b[row_b] * k + col_b])
        value = np.concatenate([cuts.alpha[row_a, col_a], cuts.beta[row_b, col_b]])
        rows = sparse.csr_array((value, (row, column)), shape=(len(cuts), self.shape[0] * k))
        self._add_rows(rows, np.full(len(cuts), -highspy.kHighsInf), cuts.bound * PARTS)
        self.cuts = Cuts.join([self.cuts, cuts])

    def solve(self, time_limit: float) -> Array | None:
        """The cheapest distributions within the cuts; None if time ran out or HiGHS failed."""
        n, k = self.shape
        self._highs.setOptionValue("solver", self._method)
        # HiGHS counts its time from the first solve on
        self._highs.setOptionValue("time_limit", self._highs.getRunTime() + time_limit)
        self._highs.run()
        if self._highs.getModelStatus() not in ENDS:
            # group bounds that leave no room look infeasible to its presolve
            self._highs.setOptionValue("presolve", "off")
            self._highs.run()
        self._method = "simplex"
        self._highs.setOptionValue("simplex_strategy", DUAL_SIMPLEX)
        self.solves += 1
        self.pivots += max(self._highs.getInfo().simplex_iteration_count, 0)
        if self._highs.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            return None
        return np.array(self._highs.getSolution().col_value)[: n * k].reshape(n, k) / PARTS

    def change_costs(self, cost: Array) -> None:
        """Other costs. The last answer keeps all rows, so that the next solve goes on from it, and
        stays there if nothing is cheaper.
        """
        columns = np.arange(cost.size, dtype=np.int32)
        self._highs.changeColsCost(len(columns), columns, np.ascontiguousarray(cost).ravel())
        self._highs.setOptionValue("simplex_strategy", PRIMAL_SIMPLEX)

    @property
    def objective(self) -> float:
        return float(self._highs.getInfo().objective_function_value) / PARTS

    def multipliers(self) -> Array:
        """What one unit of each cut's bound is worth (not negative)."""
        return self._paid()[self._first_cut :]

    def group_multipliers(self) -> Array:
        """The same for the bounds on groups: (side, group, k)."""
        used, k = self.groups.used, self.shape[1]
        paid = np.zeros((*used.shape, k))
        last = self._paid()[self._first_opening - used.sum() * k : self._first_opening]
        paid[used] = last.reshape(-1, k)
        return paid

    def opening_multipliers(self) -> Array:
        """The same for x <= y: (n, k), or nothing."""
        n, k = self.shape
        if self._first_cut == self._first_opening:
            return np.zeros((0, 0))
        return self._paid()[self._first_opening : self._first_opening + n * k].reshape(n, k)

    def _paid(self) -> Array:
        paid: Array = np.maximum(-np.array(self._highs.getSolution().row_dual), 0.0)
        return paid

    def drop_idle(self, slack: float = 1e-6) -> int:
        """Remove cuts that do not bind; returns how many went."""
        value = np.array(self._highs.getSolution().row_value)[self._first_cut :] / PARTS
        idle = (self.cuts.bound - value > slack) & (self.multipliers() == 0.0)
        rows = (self._first_cut + np.flatnonzero(idle)).astype(np.int32)
        self._highs.deleteRows(len(rows), rows)
        self.cuts = self.cuts.take(~idle)
        return len(rows)
