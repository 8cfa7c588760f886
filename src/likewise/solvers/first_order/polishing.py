"""Feasibility polishing: from an iterate to a fair answer near it, by the method itself.

The primal-dual iteration, started at the iterate without duals, with all costs zero and every bound
a little tighter than it is: it looks for fair distributions, not for cheap ones, and ends a short
way from where it began (a name and an idea of PDLP's). Where neighbourhoods are tight, sweeps
disturb one pair by mending the next, and what they leave is mixed away at everybody's cost; here
all pairs pull at once. Far from the optimum it drifts, and sweeps and mixing do better: so both are
tried, and the cheaper answer is taken.

With all costs zero the balance of primal and dual steps does not matter: duals of any size do.
"""

from dataclasses import replace
from functools import cached_property

import numpy as np

from likewise._typing import Array
from likewise.compute.cancellation import Cancelled, check
from likewise.solvers.first_order.pdhg import PrimalDual
from likewise.solvers.merged_problem import MergedProblem
from likewise.solvers.repair.base import KEPT, Repair, as_distributions, within
from likewise.solvers.repair.groups import GroupRepair
from likewise.solvers.result import MergedDuals
from likewise.solvers.separation.base import Scan
from likewise.solvers.working_set import CandidatePairs

# Of what a rise of the cost may be neglected: bounds are tightened by this many times that share
# (a fifth of the tolerance), and a repair that costs more than so many times it is tried to better.
SLACK, WORTH_A_TRY = 4.0, 5.0
LEAST_SLACK = 1e-7  # below, iterations do not get there
ROUND, MOST_ROUNDS = 20, 20  # iterations between looks at the pairs known; such rounds
# Measured on credit cards and census records, from the first iterations to the last: with q the
# mean over points of the mixing weight that their worst pair needs, polishing goes about this part
# of the way from the cost of the iterate to that of the same distribution for everybody.
OF_THE_WAY = (0.1, 1.0)  # times q, and times its square
NEAR = 0.9  # pairs below this part of their bounds are let in when they are above them, if ever


class Polishing:
    """Looks for fair distributions near given ones."""

    def __init__(self, problem: MergedProblem) -> None:
        self.problem = problem

    @cached_property
    def groups(self) -> GroupRepair:
        """Its program is only made where there is something to polish."""
        return GroupRepair(self.problem.groups, self.problem.cost)

    def polished(self, x: Array, slack: float) -> Array | None:
        """Distributions near x that keep every bound; None if there are none to be found."""
        scanner, ops = self.problem.scanner, self.problem.ops
        known = _tightened(scanner.known, slack)
        state = self._begun(x, known)
        for _ in range(MOST_ROUNDS):
            check()
            state.iterate(ROUND)
            x = self._as_answer(state.x.image)
            values = ops.values(x, known)
            above = np.flatnonzero(values > known.bound)
            if (values[above] * (1.0 - slack) <= known.bound[above]).all():
                found = scanner.full(x)
                if len(found.candidates) == 0 and self.groups.excess(x) <= KEPT:
                    return x
                new = _tightened(found.candidates, slack)
                known = scanner.merging.once(CandidatePairs.join([known, new]))
                state.admit(Scan(new, 1.0))
            state.admit(Scan(known.take(above), 1.0))
        return None

    def _begun(self, x: Array, known: CandidatePairs) -> PrimalDual:
        state = PrimalDual(replace(self.problem, cost=np.zeros_like(self.problem.cost)))
        near = np.flatnonzero(self.problem.ops.values(x, known) > NEAR * known.bound)
        none = np.zeros((len(near), x.shape[1]))
        groups = np.zeros_like(state.group_duals.iterates.image)
        state.start_from(x, MergedDuals(known.take(near), none, none, groups, np.zeros((0, 0))))
        return state

    def _as_answer(self, x: Array) -> Array:
        """Distributions within the centres allowed and, as far as that goes, the groups' bounds."""
        if self.problem.allowed is not None:
            return within(x, self.problem.allowed)
        return self.groups.correct(as_distributions(x))


class PolishedRepair:
    """Another repair or, where that raises the cost by much, polishing: whichever is cheaper."""

    def __init__(self, repair: Repair, problem: MergedProblem) -> None:
        self.repair = repair
        self.problem = problem
        self.cost = problem.cost
        self.polishing = Polishing(problem)

    def first(self) -> Array:
        return self.repair.first()

    def start_with(self, fair: Array) -> None:
        self.repair.start_with(fair)

    def estimate(self, x: Array, scan: Scan) -> float:
        """About what polishing makes of it."""
        cost, pairs = float(np.vdot(self.cost, x)), scan.candidates
        if len(pairs) == 0:
            return cost
        needed = 1.0 - pairs.bound / self.problem.ops.values(x, pairs)
        of_point = np.zeros(len(x))
        for end in (pairs.a, pairs.b):
            np.maximum.at(of_point, end, needed)
        q = float(of_point.mean())
        rise = float(np.vdot(self.cost, self.repair.first())) - cost
        return cost + (OF_THE_WAY[0] * q + OF_THE_WAY[1] * q * q) * max(rise, 0.0)

    def make_fair(self, x: Array, working: CandidatePairs, negligible: float) -> Array:
        fair = self.repair.make_fair(x, working, negligible)
        cost, of_fair = (float(np.vdot(self.cost, each)) for each in (x, fair))
        slack = SLACK * negligible
        if of_fair - cost <= WORTH_A_TRY * negligible * abs(of_fair) or slack < LEAST_SLACK:
            return fair
        if self.estimate(x, self.problem.scanner.quick(x)) >= of_fair:
            return fair
        try:
            polished = self.polishing.polished(as_distributions(x), slack)
        except Cancelled:  # what the other repair has found stands
            return fair
        if polished is None or np.vdot(self.cost, polished) >= of_fair:
            return fair
        return polished


def _tightened(pairs: CandidatePairs, slack: float) -> CandidatePairs:
    return replace(pairs, bound=(1.0 - slack) * pairs.bound)
