"""A primal-dual first-order method on a working set of pairs.

The saddle point: min over distributions x, max over duals u (a k-vector a pair) of

    sum_j cost_j . x_j + sum_p u_p . (x_a - x_b) - bound_p (max u_p - min u_p)

plus, where groups have bounds, a multiplier v >= 0 for each of their rows (``group_duals``), and,
where only so many centres may be opened, one for each point and centre (``opening``).

Reflected Halpern iteration of the primal-dual hybrid gradient, with restarts. What measured best,
on the paper's instances:

* the working set holds only pairs that pull or that a scan just found violated. Steps are
  inversely proportional to a point's number of pairs, so every idle pair would slow its points
  (creditcard, n = 1000, k = 10: 17,000 pairs kept 20 s, 6,500 pairs kept 9 s);
* scans are frequent (every ``SCAN_EVERY`` iterations) and add at most n pairs, the worst;
* a restart goes to the plain step, not to the average: duals that are zero stay exactly zero and
  their pairs go back to sleep;
* few new pairs do not restart the average; many do;
* the average restarts after a twentieth of all iterations at the latest (PDLP waits 0.36 of them).
"""

from dataclasses import dataclass

import numpy as np

from likewise._typing import Array
from likewise.compute.threads import over_ranges
from likewise.solvers.divergence_ops.base import DivergenceOps
from likewise.solvers.first_order import kernels
from likewise.solvers.first_order.group_duals import GroupDuals
from likewise.solvers.first_order.opening_duals import OpeningDuals
from likewise.solvers.group_constraints import GroupRows
from likewise.solvers.separation.base import Scan
from likewise.solvers.working_set import CandidatePairs

SCAN_EVERY = 40
FORBIDDEN = 1e6  # cost, in units of the usual one, of a centre that may not be used
STILL_NEAR = 0.98  # an idle pair leaves the working set below this share of its bound
MANY_IDLE = 0.1  # share of idle pairs from which they are let out
MANY_NEW = 0.02  # share of new pairs from which the average restarts
SUFFICIENT, NECESSARY, LONGEST = 0.4, 0.8, 0.05  # when to restart: see _should_restart


@dataclass
class _Average:
    """Where the Halpern average started and how the residual has gone since."""

    steps: int = 0
    first: float = np.inf
    last: float = np.inf


class PrimalDual:
    """The state of the method: distributions, duals and the pairs they belong to."""

    def __init__(
        self,
        cost: Array,
        groups: GroupRows,
        ops: DivergenceOps,
        n_open: int | None = None,
        allowed: Array | None = None,
    ) -> None:
        spread = float(np.mean(cost.max(axis=1) - cost.min(axis=1)))
        self.scale = spread if spread > 0 else 1.0
        self.cost = cost / self.scale
        self.allowed = allowed
        if allowed is not None:
            self.cost[~allowed] = FORBIDDEN
        n, k = cost.shape
        self.x = np.zeros((n, k))
        self.x[np.arange(n), self.cost.argmin(axis=1)] = 1.0
        self.x_anchor, self.x_image = self.x.copy(), self.x.copy()
        self.reflected = self.x.copy()
        self.ops = ops
        self.duals = ops.duals(n, k)
        self.groups = GroupDuals(groups, k)
        self.opening = OpeningDuals(n, k, n_open)
        self.pull = np.zeros((n, k))  # what the duals add to the costs
        self.weight = 1.0  # balance of dual against primal steps
        self.average = _Average()
        self.iterations = 0
        self._pairs_changed()

    def start_from(
        self, x: Array, pairs: CandidatePairs, alpha: Array, beta: Array, v: Array
    ) -> None:
        """Go on from an answer to a similar problem and its duals, in units of the cost."""
        self.x[:] = self.x_anchor[:] = self.x_image[:] = x
        self.duals.start_with(pairs, alpha / self.scale, beta / self.scale)
        self.groups.image[:] = v / self.scale
        self.groups.to_image()
        self._pairs_changed()

    @property
    def pairs(self) -> CandidatePairs:
        """The working set."""
        return self.duals.pairs

    def _pairs_changed(self) -> None:
        load = np.maximum(self.duals.load_of_points, 0.5)
        self.point_load: Array = self.groups.load(self.opening.load(load))
        self._gather_all()

    def _gather_all(self) -> None:
        """What the duals add to the costs, where the averages stand."""
        self._gather(self.duals.u, self.groups.v, self.opening.w, self.pull)

    def _gather(self, u: Array, v: Array, w: Array, pull: Array) -> None:
        self.duals.gather(u, pull)
        self.groups.add_pull(v, pull)
        self.opening.add_pull(w, pull)

    def admit(self, scan: Scan) -> None:
        """Let the worst of the violated pairs in and idle ones out."""
        found = self._worst_new(scan.candidates)
        if len(found) == 0:
            return
        many = len(found) > MANY_NEW * len(self.pairs)
        if many:
            self._to_image()
        self._replace_pairs(found, self._not_idle())
        if many:
            self._restart_average()

    def _worst_new(self, found: CandidatePairs) -> CandidatePairs:
        n = len(self.x)
        found = found.take(~np.isin(found.keys(n), self.pairs.keys(n)))
        if len(found) <= n:
            return found
        excess = self.ops.values(self.x_image, found) - found.bound
        return found.take(np.argpartition(-excess, n)[:n])

    def drop_idle(self) -> None:
        """Let idle pairs out, if they are many."""
        stays = self._not_idle()
        if len(stays) < (1 - MANY_IDLE) * len(self.pairs):
            self._replace_pairs(CandidatePairs.none(), stays)

    def _not_idle(self) -> Array:
        near = self.ops.values(self.x_image, self.pairs) > STILL_NEAR * self.pairs.bound
        return np.flatnonzero(self.duals.pulls() | near)

    def _replace_pairs(self, found: CandidatePairs, stays: Array) -> None:
        self.duals.replace(found, stays)
        self._pairs_changed()

    def _to_image(self) -> None:
        """Restart: from the plain step, with primal and dual steps rebalanced."""
        moved_x = np.linalg.norm((self.x_image - self.x_anchor) * np.sqrt(self.point_load)[:, None])
        moved_y, moved_w = self.opening.moved()
        moved_x = np.hypot(moved_x, moved_y)
        moved_u = np.hypot(np.hypot(self.duals.moved(), self.groups.moved()), moved_w)
        if self.average.steps > 3 and moved_x > 1e-10 and moved_u > 1e-10:
            self.weight = float(np.sqrt(self.weight * moved_u / moved_x))
        self.x[:] = self.x_anchor[:] = self.x_image
        for duals in (self.duals, self.groups, self.opening):
            duals.to_image()

    def _restart_average(self) -> None:
        self.average = _Average()
        self.duals.wake()
        self._gather_all()

    def _should_restart(self, residual: float) -> bool:
        average = self.average
        return average.steps > 3 and (
            residual < SUFFICIENT * average.first
            or (residual < NECESSARY * average.first and residual > average.last)
            or average.steps > LONGEST * self.iterations + 20
        )

    def iterate(self, count: int) -> None:
        """``count`` steps on the present working set."""
        for _ in range(count):
            steps = self.average.steps
            keep, back = (steps + 1) / (steps + 2), 1 / (steps + 2)
            moved = sum(
                over_ranges(
                    kernels.primal_step, len(self.x), self.x, self.x_anchor, self.x_image,
                    self.reflected, self.cost, self.pull, self.point_load, self.weight, keep, back,
                                    )
            )  # fmt: skip
            for duals in (self.duals, self.groups, self.opening):
                moved += duals.step(self.reflected, self.weight, keep, back, self.pull)
            residual = float(np.sqrt(moved))
            self.iterations += 1
            self.average.steps += 1
            if not np.isfinite(self.average.first):
                self.average.first = residual
            if self._should_restart(residual):
                self._to_image()
                self._restart_average()
            else:
                self.average.last = residual

    def lower_bound(self) -> float:
        """The bound that the present duals prove, in the units of the cost."""
        pull = np.empty_like(self.pull)
        self._gather(self.duals.image, self.groups.image, self.opening.image, pull)
        least = over_ranges(kernels.least_costs, len(self.x), self.cost, pull)
        return (sum(least) - self.duals.price() - self.opening.price()) * self.scale
