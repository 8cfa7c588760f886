"""A primal-dual first-order method on a working set of pairs.

The saddle point: min over distributions x, max over duals u, one k-vector per pair (two where the
divergence needs them), of

    sum_j cost_j . x_j + sum_p u_p . (x_a - x_b) - bound_p (max u_p - min u_p)

plus, where groups have bounds, a multiplier v >= 0 for each of their rows (``group_duals``), and,
where only some centres may be opened, one for each point and centre (``opening_duals``).

Reflected Halpern iteration of the primal-dual hybrid gradient, with restarts. What measured best,
on the paper's instances:

* the working set holds only pairs that have duals or that a scan just found violated. Steps are
  inversely proportional to a point's number of pairs, so every idle pair would slow its points
  (measured: 17,000 pairs kept 20 s, 6,500 pairs kept 9 s);
* scans are frequent (every ``SCAN_EVERY`` iterations) and add at most n pairs, the worst, and of
  each point ``NEW_PER_POINT`` at most: the point that is worst for one is so for hundreds of its
  neighbours, and steps would be short there for all of them (measured, every pair: a third to half
  of the iterations);
* a restart goes to the plain step, not to the average: duals that are zero stay exactly zero and
  their pairs are no longer active;
* few new pairs do not restart the average; many do;
* the average restarts after a twentieth of all iterations at the latest (PDLP waits 0.36 of them).
"""

from collections.abc import Iterable
from dataclasses import asdict, dataclass

import numpy as np

from likewise._typing import Array
from likewise.compute.threads import over_ranges
from likewise.solvers.checkpoint import named, part
from likewise.solvers.divergence_ops.base import Mixture
from likewise.solvers.first_order import kernels
from likewise.solvers.first_order.blocks import DualBlock
from likewise.solvers.first_order.group_duals import GroupDuals
from likewise.solvers.first_order.opening_duals import OpeningDuals
from likewise.solvers.first_order.pair_duals import PairDuals
from likewise.solvers.kernels.halpern import HalpernStep, Iterates
from likewise.solvers.merged_problem import MergedProblem
from likewise.solvers.result import MergedDuals
from likewise.solvers.separation.base import Scan
from likewise.solvers.working_set import CandidatePairs

SCAN_EVERY = 40
NEW_PER_POINT = 4  # pairs that a scan adds to each point, at most: of 1 to 16 the quickest
# Not so where very many points have short lists. Measured, in iterations with that limit: 300 and
# 1,000 points with 50 or 75 neighbours 0.7 times as many, 20,000 with 100 0.8 times, 29,737 with
# 250 half; but 76,137 points with 100 neighbours 1.3 times. Nor where what is left cannot be mixed
# away: in the search for a radius, and within the centres allowed, repairs fail for pairs that are
# not known (4,000 points: 42 s, and 85 s without an answer).
SHORT, MANY = 125, 30_000
FORBIDDEN = 1e6  # cost, in units of the usual one, of a centre that may not be used
STILL_NEAR = 0.98  # an idle pair leaves the working set below this share of its bound
MANY_IDLE = 0.1  # share of idle pairs from which they are let out
MANY_NEW = 0.02  # share of new pairs from which the average restarts
# The average restarts when the residual has fallen to a share SUFFICIENT of the first one, or to
# NECESSARY and rises again, or after a share LONGEST of all iterations and AT_LEAST some.
SUFFICIENT, NECESSARY, LONGEST, AT_LEAST = 0.4, 0.8, 0.05, 20
FIRST_STEPS = 3  # of an average, which say nothing yet about its residual
# By what part, on a log scale, the balance of steps goes to what an average suggests. By half, it
# swings (measured: from 40 to 0.07 and back, and the bound with it). For total variation less is
# better: the slowest rows of the paper take two thirds of the time, all credit cards, every pair,
# nine tenths. Curved divergences take a fifth longer then (300 points, 4,000 points), and centres
# opened in fractions more than twice as long (24 bounds of the paper: 138 s).
REBALANCED, FOR_PLANES = 0.5, 0.3
NO_MOVE = 1e-10  # moves as short as this say nothing about how to balance primal and dual steps


@dataclass
class _Average:
    """How many steps the Halpern average has taken, and how the residual has gone."""

    steps: int = 0
    first: float = np.inf
    last: float = np.inf

    def take(self, residual: float) -> None:
        """Another step, with this residual."""
        self.steps += 1
        if not np.isfinite(self.first):
            self.first = residual

    def should_restart(self, residual: float, iterations: int) -> bool:
        return self.steps > FIRST_STEPS and (
            residual < SUFFICIENT * self.first
            or (residual < NECESSARY * self.first and residual > self.last)
            or self.steps > LONGEST * iterations + AT_LEAST
        )


def _takes_all(problem: MergedProblem) -> bool:
    """Whether a scan's new pairs are not limited in number for each point."""
    n, scanner = len(problem.cost), problem.scanner
    has_short_lists = scanner.knows_all and len(scanner.known) < SHORT * n
    return problem.allowed is not None or (has_short_lists and n > MANY)


class PrimalDual:
    """The state of the method: distributions, duals and the pairs they belong to."""

    def __init__(
        self,
        problem: MergedProblem,
        negligible: float = 0.0,
        rebalances: bool = True,
        hurries: bool = False,
    ) -> None:
        """What mixing everybody with ``negligible`` of the reference would mend is let be. One that
        ``hurries`` takes all pairs in that it is shown, be steps as short as they may.
        """
        cost = problem.cost
        spread = float(np.mean(cost.max(axis=1) - cost.min(axis=1)))
        self.scale = spread if spread > 0 else 1.0
        self.cost = cost / self.scale
        if problem.allowed is not None:
            self.cost[~problem.allowed] = FORBIDDEN
        n, k = cost.shape
        start = np.zeros((n, k))
        start[np.arange(n), self.cost.argmin(axis=1)] = 1.0
        self.x = Iterates.at(start)
        self.reflected = start.copy()
        self.ops = problem.ops
        self.mixture = Mixture.within(problem.allowed, problem.scanner.reference, negligible)
        self.pair_duals = PairDuals(problem.ops, n, k)
        self.group_duals = GroupDuals(problem.groups, k)
        self.opening_duals = OpeningDuals(n, k, problem.n_open)
        self.blocks: tuple[DualBlock, ...] = (
            self.pair_duals,
            self.group_duals,
            self.opening_duals,
        )
        self.shift = np.zeros((n, k))  # what the duals add to the costs
        self.most_new = n if hurries or _takes_all(problem) else NEW_PER_POINT  # pairs of a point
        self.weight = 1.0  # balance of dual against primal steps
        is_steady = problem.divergence.piecewise_linear and problem.n_open is None
        self.rebalanced = FOR_PLANES if is_steady else REBALANCED
        self.rebalances = rebalances
        self.average = _Average()
        self.iterations = 0
        self._pairs_changed()

    def start_from(self, x: Array, duals: MergedDuals) -> None:
        """Go on from an answer to a similar problem and its duals, in units of the cost."""
        self.x.restart_at(x)
        self.pair_duals.start_with(duals.pairs, duals.alpha / self.scale, duals.beta / self.scale)
        self.group_duals.iterates.restart_at(duals.of_groups / self.scale)
        self._pairs_changed()

    def start_like(
        self, other: "PrimalDual", x: Array, pairs: CandidatePairs, new: CandidatePairs
    ) -> None:
        """Go on from x and the duals of another state of this problem: on these pairs, which are
        its own or other bounds of the same, and on new ones.
        """
        self.x.restart_at(x)
        self.pair_duals.start_like(other.pair_duals, pairs, new)
        self.group_duals.iterates.restart_at(other.group_duals.iterates.image)
        self._pairs_changed()

    @property
    def pairs(self) -> CandidatePairs:
        """The working set."""
        return self.pair_duals.pairs

    def seen(self) -> Array:
        """The present distributions (the images), as scans and repairs take them."""
        return self.ops.seen(self.x.image, self.mixture)

    def duals(self) -> MergedDuals:
        """The present duals (the images), in units of the cost."""
        return self._duals(self.pairs, slice(None))

    def evidence(self) -> MergedDuals:
        """Those that are not zero: what the lower bound follows from."""
        used = np.flatnonzero(self.pair_duals.iterates.image.any(axis=1))
        return self._duals(self.pairs.take(used), used)

    def _duals(self, pairs: CandidatePairs, which: Array | slice) -> MergedDuals:
        return MergedDuals(
            pairs,
            *self.pair_duals.at_ends(which, self.scale),
            self.group_duals.iterates.image * self.scale,
            self.opening_duals.iterates.image * self.scale,
        )

    def _pairs_changed(self) -> None:
        self._set_inverse_step()
        self._write_shift((block.iterates.current for block in self.blocks), self.shift)

    def _set_inverse_step(self) -> None:
        """The points' steps, and those of groups; these come last, as they get a part of all."""
        inverse = np.zeros(len(self.cost))
        blocks: tuple[DualBlock, ...] = (self.pair_duals, self.opening_duals, self.group_duals)
        for block in blocks:
            inverse = block.inverse_step(inverse)
        self.inverse_step = inverse

    def _write_shift(self, duals: Iterable[Array], shift: Array) -> None:
        """What these duals, one array per block, add to the costs."""
        shift[:] = 0.0
        for block, of_block in zip(self.blocks, duals, strict=True):
            block.add_cost_shift(of_block, shift)

    def admit(self, scan: Scan) -> None:
        """Let the worst of the violated pairs in and idle ones out."""
        new = self._worst_new(scan.candidates)
        if len(new) == 0:
            return
        many = len(new) > MANY_NEW * len(self.pairs)
        if many:
            self._to_images()
        self._replace_pairs(new, self._not_idle())
        if many:
            self._restart_average()

    def _worst_new(self, candidates: CandidatePairs) -> CandidatePairs:
        n = len(self.cost)
        new = candidates.without(self.pairs, n)
        return new.worst(self.ops.values(self.seen(), new) - new.bound, n, n, self.most_new)

    def drop_idle(self) -> None:
        """Let idle pairs out, if they are many."""
        stays = self._not_idle()
        if len(stays) < (1 - MANY_IDLE) * len(self.pairs):
            self._replace_pairs(CandidatePairs.none(), stays)

    def _not_idle(self) -> Array:
        near = self.ops.values(self.seen(), self.pairs) > STILL_NEAR * self.pairs.bound
        return np.flatnonzero(self.pair_duals.have_duals() | near)

    def _replace_pairs(self, new: CandidatePairs, stays: Array) -> None:
        self.pair_duals.replace(new, stays)
        self._pairs_changed()

    def _to_images(self) -> None:
        """Restart: from the plain step, with primal and dual steps rebalanced."""
        if self.rebalances:
            self._rebalance()
        self.x.restart()
        for block in self.blocks:
            block.restart()

    def _rebalance(self) -> None:
        """Steps as long as either side has moved since the average started."""
        move = self.x.image - self.x.anchor
        primal = float(np.linalg.norm(move * np.sqrt(self.inverse_step)[:, None]))
        dual = 0.0
        for block in self.blocks:
            of_block = block.moved()
            primal, dual = float(np.hypot(primal, of_block[0])), float(np.hypot(dual, of_block[1]))
        if self.average.steps > FIRST_STEPS and primal > NO_MOVE and dual > NO_MOVE:
            self.weight *= (dual / primal / self.weight) ** self.rebalanced

    def _restart_average(self) -> None:
        self.average = _Average()
        self.pair_duals.find_active()
        self._write_shift((block.iterates.current for block in self.blocks), self.shift)

    def iterate(self, count: int) -> None:
        """``count`` steps on the present working set."""
        for _ in range(count):
            residual = self._step(HalpernStep.after(self.average.steps, self.weight))
            self.iterations += 1
            self.average.take(residual)
            if self.average.should_restart(residual, self.iterations):
                self._to_images()
                self._restart_average()
            else:
                self.average.last = residual

    def _step(self, step: HalpernStep) -> float:
        """One step of everything; returns its length, in the step's norm."""
        moved = sum(
            over_ranges(
                kernels.primal_step, len(self.cost), self.x, self.reflected, self.cost, self.shift,
                self.inverse_step, step,
            )
        )  # fmt: skip
        self.shift[:] = 0.0
        for block in self.blocks:
            moved += block.step(self.reflected, step, self.shift)
        return float(np.sqrt(moved))

    def lower_bound(self) -> float:
        """The bound that the present duals prove, in the units of the cost."""
        shift = np.empty_like(self.shift)
        self._write_shift((block.iterates.image for block in self.blocks), shift)
        bound = sum(over_ranges(kernels.least_costs, len(self.cost), self.cost, shift))
        for block in self.blocks:
            bound -= block.support_function()
        return float(bound * self.scale)

    def arrays(self) -> dict[str, Array]:
        """What is not the blocks' own."""
        own = {"reflected": self.reflected, "shift": self.shift}
        numbers = {"weight": self.weight, "iterations": self.iterations}
        return (
            own
            | {name: np.array(number) for name, number in numbers.items()}
            | named("x", self.x._asdict())
            | named("average", {name: np.array(n) for name, n in asdict(self.average).items()})
        )

    def restore(self, arrays: dict[str, Array]) -> None:
        """Take the state back, after the blocks have taken theirs."""
        self._set_inverse_step()
        self.x.restore(part("x", arrays))
        self.reflected[:], self.shift[:] = arrays["reflected"], arrays["shift"]
        self.weight, self.iterations = arrays["weight"].item(), arrays["iterations"].item()
        average = part("average", arrays)
        self.average = _Average(**{name: value.item() for name, value in average.items()})
