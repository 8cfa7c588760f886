"""The cheapest distribution near many others, under any f-divergence: cutting planes, by HiGHS.

    minimise cost.x  subject to  x a distribution,
                                 D(x || q_i) <= there_i  and  D(q_i || x) <= back_i  for all i

The planes touch the sets of distributions that are within a bound, so every x they cut off is
unfair to somebody. A plane that supports D has the same coefficients whatever the bound:
alpha.p + beta.q <= D(p || q) everywhere. So the least factor by which all bounds have to be
multiplied, where no x keeps them, is one more variable of the same program.

Where a divergence is infinite no plane says enough: centres that somebody's zero closes are closed
to the program, and those that somebody's probability asks for stay open a little. Where it is
finite, a zero of q_i makes its term linear in x, which planes are told exactly.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.optimize import linprog

from likewise._typing import Array
from likewise.divergences.generator import GeneratorDivergence
from likewise.divergences.registry import Divergence

MOST_ROUNDS = 400  # in general some twenty
WORST = 3  # of each order are cut off in a round
KEPT = 1e-9  # a bound exceeded by less is kept
# Planes are laid at bounds this much smaller, so that what meets them but for rounding is within.
WITHIN = 1 - 1e-8
SMALLEST = 1e-300  # not to divide by zero
OPEN = 1e-13  # the least probability of a centre that may not be left out
COST_BESIDE_FACTOR = 1e-7  # enough to tell equal factors apart
ENOUGH = 1e-7  # a factor exceeded by less, relatively, is the least
SAME = 1e-14  # answers that differ by less are the same: further rounds would repeat the last
INFEASIBLE = 2  # scipy's status


@dataclass(frozen=True)
class Peers:
    """The distributions q_i that others must be near to, and the divergence that says how near."""

    divergence: Divergence
    distributions: Array

    def pair_with(self, x: Array, x_first: bool) -> tuple[Array, Array]:
        """x against all of them, as the two arguments of the divergence."""
        same = np.broadcast_to(x, self.distributions.shape)
        return (same, self.distributions) if x_first else (self.distributions, same)

    def probabilities(self, there: Array, back: Array) -> "Range | None":
        """Where x must be for finite divergences from those it is compared with; None if nowhere.

        D(p || q) may be infinite where p_c = 0 < q_c, or where q_c = 0 < p_c.
        """
        half, one = np.array([[0.5, 0.5]]), np.array([[1.0, 0.0]])
        p_zero = np.isinf(self.divergence.values(one, half)[0])
        q_zero = np.isinf(self.divergence.values(half, one)[0])
        empty = self.distributions <= 0
        x_is_p, x_is_q = np.isfinite(there)[:, None], np.isfinite(back)[:, None]
        closes = (x_is_p & q_zero) | (x_is_q & p_zero)
        asks = (x_is_p & p_zero) | (x_is_q & q_zero)
        closed, asked = (closes & empty).any(axis=0), (asks & ~empty).any(axis=0)
        if closed.all() or (closed & asked).any():
            return None
        return Range(np.where(asked, OPEN, 0.0), np.where(closed, 0.0, 1.0))

    def planes(self, which: Array, x: Array, bound: Array, x_first: bool) -> tuple[Array, Array]:
        """(mine, theirs): mine.x + theirs is at most the divergence, for these of the others."""
        p, q = self.pair_with(x, x_first)
        alpha, beta, _ = self.divergence.cuts(p[which], q[which], bound)
        mine, of_theirs = (alpha, beta) if x_first else (beta, alpha)
        others = self.distributions[which]
        if isinstance(self.divergence, GeneratorDivergence):
            slope = self.divergence.at_infinity if x_first else self.divergence.at_zero
            mine = np.where((others <= 0) & np.isfinite(slope), slope, mine)
        return mine, np.where(others > 0, of_theirs * others, 0.0).sum(axis=1)


class Range(NamedTuple):
    """The least and the largest probability of each centre."""

    low: Array
    high: Array


class _Program:
    """A linear program over x, and over the factor of all bounds if that is a variable."""

    def __init__(self, cost: Array, within: Range, has_factor: bool) -> None:
        spread = max(float(np.ptp(cost)), SMALLEST)
        relative = (cost - cost.min()) / spread
        self.cost = np.r_[COST_BESIDE_FACTOR * relative, 1.0] if has_factor else relative
        limits = np.column_stack(within)
        self.limits = np.vstack([limits, [1.0, np.inf]]) if has_factor else limits
        self.total = np.r_[np.ones(len(cost)), np.zeros(int(has_factor))][None]
        self.has_factor = has_factor
        self.rows: list[Array] = []
        self.rest: list[float] = []

    def add(self, mine: Array, theirs: Array, bound: Array) -> None:
        """Planes mine.x + theirs <= bound, or, with a factor, <= factor * bound."""
        rows = np.column_stack([mine, -bound]) if self.has_factor else mine
        rest = -theirs if self.has_factor else bound - theirs
        size = np.maximum(np.abs(rows).max(axis=1), SMALLEST)
        self.rows += list(rows / size[:, None])
        self.rest += (rest / size).tolist()

    def solve(self) -> tuple[Array, float] | None:
        """(x, factor); None where there is none."""
        solved = linprog(
            self.cost,
            A_ub=np.array(self.rows) if self.rows else None,
            b_ub=np.array(self.rest) if self.rows else None,
            A_eq=self.total,
            b_eq=[1.0],
            bounds=self.limits,
            method="highs-ds",
            options={"primal_feasibility_tolerance": 1e-10},
        )
        if solved.x is None or solved.status == INFEASIBLE:
            return None
        # the program misses its own limits by its tolerance
        x = np.clip(solved.x, *self.limits.T)[: len(self.limits) - int(self.has_factor)]
        return x / x.sum(), float(solved.x[-1]) if self.has_factor else 1.0


def cheapest_within(
    cost: Array, peers: Peers, there: Array, back: Array, relaxed: bool = False
) -> Array | None:
    """The cheapest distribution within these bounds; None where there is none. With ``relaxed`` the
    one for which all bounds have to be multiplied by the least factor.
    """
    within = peers.probabilities(there, back)
    if within is None:
        return None
    program, x = _Program(cost, within, relaxed), np.full(len(cost), np.inf)
    for _ in range(MOST_ROUNDS):
        solved = program.solve()
        if solved is None:
            return x if relaxed and np.isfinite(x).all() else None
        last, (x, factor) = x, solved
        if np.abs(x - last).max() <= SAME:
            break
        added = _cut(program, x, peers, factor * there, factor, x_first=True)
        added |= _cut(program, x, peers, factor * back, factor, x_first=False)
        if not added:
            break
    return x


def _cut(
    program: _Program, x: Array, peers: Peers, bound: Array, factor: float, x_first: bool
) -> bool:
    """Planes that cut x off from what is fair to those it is most unfair to; whether there are."""
    p, q = peers.pair_with(x, x_first)
    excess = peers.divergence.values(p, q) - bound
    worst = np.argsort(-excess)[:WORST]
    least = ENOUGH * bound[worst] if program.has_factor else 0.0
    worst = worst[excess[worst] > np.maximum(0.1 * KEPT, least)]
    if not len(worst):
        return False
    within = WITHIN * bound[worst]
    program.add(*peers.planes(worst, x, within, x_first), within / factor)
    return True
