"""A primal-dual first-order method on a working set of pairs.

The saddle point: min over distributions x, max over duals u (a k-vector a pair) of

    sum_j cost_j . x_j + sum_p u_p . (x_a - x_b) - bound_p (max u_p - min u_p)

Reflected Halpern iteration of the primal-dual hybrid gradient, with restarts. What measured best,
on the paper's instances (n = 1000, k = 10, one thread, seconds to a certified gap of 1e-4):

* the working set holds only pairs that pull or that a scan just found violated. Steps are
  inversely proportional to a point's number of pairs, so every idle pair would slow its points;
* scans are frequent (every ``SCAN_EVERY`` iterations) and add at most n pairs, the worst;
* a restart goes to the plain step, not to the average: duals that are zero stay exactly zero and
  their pairs go back to sleep;
* few new pairs do not restart the average; many do.
"""

from dataclasses import dataclass

import numpy as np

from likewise.solvers import kernels
from likewise.solvers.scan import FoundPairs, PairScanner
from likewise.types import Array

SCAN_EVERY = 40
STILL_NEAR = 0.98  # an idle pair leaves the working set below this share of its bound
MANY_NEW = 0.02  # share of new pairs from which the average restarts
SUFFICIENT, NECESSARY, LONGEST = 0.4, 0.8, 0.1  # when to restart: see _should_restart
SMALL_BOUND_POWER = 0.25  # dual steps grow as bounds shrink, by this power


@dataclass
class _Average:
    """Where the Halpern average started and how the residual has gone since."""

    steps: int = 0
    first: float = np.inf
    last: float = np.inf


class PrimalDual:
    """The state of the method: distributions, duals and the pairs they belong to."""

    def __init__(self, cost: Array, scanner: PairScanner) -> None:
        self.scanner = scanner
        spread = float(np.mean(cost.max(axis=1) - cost.min(axis=1)))
        self.scale = spread if spread > 0 else 1.0
        self.cost = cost / self.scale
        n, k = cost.shape
        self.pairs = FoundPairs.none()
        self.x = np.zeros((n, k))
        self.x[np.arange(n), cost.argmin(axis=1)] = 1.0
        self.x_anchor, self.x_image = self.x.copy(), self.x.copy()
        self.reflected = self.x.copy()
        self.u = self.u_anchor = self.u_image = np.zeros((0, k))
        self.awake: Array = np.zeros(0, dtype=np.bool_)
        self.pull = np.zeros((n, k))
        self.weight = 1.0  # balance of dual against primal steps
        self.average = _Average()
        self.iterations = 0
        self.typical_bound = 1.0
        self._set_steps()

    def _set_steps(self) -> None:
        """Step sizes for the present pairs (Pock and Chambolle's diagonal preconditioning)."""
        bound = np.maximum(self.pairs.bound, 1e-300)
        if len(bound):
            self.typical_bound = float(np.median(bound))
        lean = np.clip((self.typical_bound / bound) ** SMALL_BOUND_POWER, 0.05, 20.0)
        n = len(self.x)
        load = np.bincount(self.pairs.a, lean, n) + np.bincount(self.pairs.b, lean, n)
        self.pair_step = 0.5 * lean
        self.point_load = np.maximum(load, 0.5)

    def scan(self) -> int:
        """Let violated pairs in and idle ones out; returns how many came in."""
        n = len(self.x)
        known = self.pairs.keys(n)
        found, _ = self.scanner.above(self.x_image, 1 + 1e-9, limit=n, known=known)
        if len(found) == 0:
            return 0
        many = len(found) > MANY_NEW * len(self.pairs)
        if many:
            self._to_image()
        self._replace_pairs(found)
        if many:
            self._restart_average()
        return len(found)

    def _replace_pairs(self, found: FoundPairs) -> None:
        apart = np.empty(len(self.pairs))
        kernels.total_variation(0, len(apart), self.x_image, self.pairs.a, self.pairs.b, apart)
        pulls = self.u_image.any(axis=1) | self.u_anchor.any(axis=1)
        stays = np.flatnonzero(pulls | (apart > STILL_NEAR * self.pairs.bound))
        joined = FoundPairs.join([self.pairs.take(stays), found])
        order = np.argsort(joined.keys(len(self.x)))  # neighbours in memory are neighbours in x
        self.pairs = joined.take(order)
        empty = np.zeros((len(found), self.x.shape[1]))
        self.u, self.u_anchor, self.u_image = (
            np.concatenate([duals[stays], empty])[order]
            for duals in (self.u, self.u_anchor, self.u_image)
        )
        self._set_steps()
        self._refresh()

    def _refresh(self) -> None:
        """Recompute what follows from the duals."""
        self.awake = np.any((self.u != 0) | (self.u_anchor != 0) | (self.u_image != 0), axis=1)
        self.pull[:] = 0.0
        kernels.add_pull(self.u, self.pairs.a, self.pairs.b, self.pull)

    def _to_image(self) -> None:
        """Restart: from the plain step, with primal and dual steps rebalanced."""
        moved_x = np.linalg.norm((self.x_image - self.x_anchor) * np.sqrt(self.point_load)[:, None])
        moved_u = np.linalg.norm((self.u_image - self.u_anchor) / np.sqrt(self.pair_step)[:, None])
        if self.average.steps > 3 and moved_x > 1e-10 and moved_u > 1e-10:
            self.weight = float(np.sqrt(self.weight * moved_u / moved_x))
        self.x[:] = self.x_anchor[:] = self.x_image
        self.u[:] = self.u_anchor[:] = self.u_image

    def _restart_average(self) -> None:
        self.average = _Average()
        self._refresh()

    def _should_restart(self, residual: float) -> bool:
        average = self.average
        return average.steps > 3 and (
            residual < SUFFICIENT * average.first
            or (residual < NECESSARY * average.first and residual > average.last)
            or average.steps > LONGEST * self.iterations + 20
        )

    def iterate(self, count: int) -> None:
        """``count`` steps on the present working set."""
        n, m = len(self.x), len(self.pairs)
        for _ in range(count):
            steps = self.average.steps
            keep, back = (steps + 1) / (steps + 2), 1 / (steps + 2)
            moved = kernels.primal_step(
                0, n, self.x, self.x_anchor, self.x_image, self.reflected, self.cost, self.pull,
                1.0 / (self.point_load * self.weight), keep, back,
            )  # fmt: skip
            self.pull[:] = 0.0
            moved += kernels.dual_step(
                0, m, self.u, self.u_anchor, self.u_image, self.awake, self.reflected,
                self.pairs.a, self.pairs.b, self.pairs.bound, self.pair_step * self.weight,
                self.pull, keep, back,
            )  # fmt: skip
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
        total = self.cost.copy()
        kernels.add_pull(self.u_image, self.pairs.a, self.pairs.b, total)
        price = kernels.dual_price(self.u_image, self.pairs.bound)
        return float(total.min(axis=1).sum() - price) * self.scale
