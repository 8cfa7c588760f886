"""Polishing: from an iterate to a nearly fair answer near it, by the method itself.

The primal-dual iteration goes on from the iterate and its duals, on bounds a little tighter than
they are, with another balance of steps: those of distributions are so short that what is left to
gain in cost hardly moves them any more, while duals grow as fast as ever where a pair is above its
bound. So distributions become fair before they do anything else, all pairs pulling at once, and
their duals keep those pairs at their bounds that belong there. What sweeps and mixing then have to
mend is little. (PDLP's feasibility polishing is this in the limit: without costs and from no duals.
Measured on credit cards and census records, that raises the cost 2 to 50 times as much.)
"""

from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from likewise._typing import Array
from likewise.compute.cancellation import Cancelled, check
from likewise.solvers.divergence_ops.base import NOTHING
from likewise.solvers.first_order.pdhg import PrimalDual
from likewise.solvers.merged_problem import MergedProblem
from likewise.solvers.repair.base import KEPT, LOOKS, Repair, as_distributions, within
from likewise.solvers.repair.groups import GroupRepair
from likewise.solvers.separation.base import Scan
from likewise.solvers.working_set import CandidatePairs

# Bounds are tightened by so much that it costs this many times what a rise of the cost may be
# neglected (a fifth of the tolerance) at most; and a repair that costs more than so many times that
# is tried to better.
DEARER, WORTH_A_TRY = 4.0, 5.0
LEAST_SLACK, MOST_SLACK = 1e-7, 0.1  # iterations do not get below the first
ROUND, ROUNDS = 20, 24  # iterations between looks at the pairs known; such rounds
# Where only some centres are allowed, what polishing leaves cannot be mixed away, and the last
# dozens of pairs take long.
ROUNDS_WITHIN = 64
# Dual steps count so many times as much as in the iteration: at first, and then for some rounds
# each time more, so that what is left of the bounds comes before all cost. Were they to grow for
# longer, distributions would hardly move any more: of a million rows six pairs would stay above.
HEAVIER, GROWTH, GROWING = 1_000.0, 3.0, range(6, 9)
# Pairs above their bounds for each point, at most, that it begins with where pairs are listed, as
# there may be hundreds. Those that scans over every pair have found are few, and taken whole.
ADMITTED = 4
# Measured on credit cards and census records, from the first iterations to the last: with q the
# mean over points of the mixing weight that their worst pair needs, a polished repair goes about
# this part of the way from the cost of the iterate to that of the same distribution for everybody.
OF_THE_WAY = (0.4, 0.5)  # times q, and times its square
# Looks at all pairs of the repair that goes before, where it is only to find the pairs that matter:
# with 1 too few are known (credit cards), with 4 nothing is gained for twice the time.
LOOKS_BEFORE = 2
# Of that way: where less is expected sweeps alone are likely to do, where more nothing is.
LITTLE, FAR = 0.002, 0.5


class Polished(NamedTuple):
    """What polishing has made of distributions."""

    x: Array
    is_fair: bool  # a scan over all pairs has found nothing; else it is nearly so


class Polishing:
    """Looks for fair distributions near an iterate."""

    def __init__(self, problem: MergedProblem, iterate: PrimalDual) -> None:
        self.problem = problem
        self.iterate = iterate

    @cached_property
    def groups(self) -> GroupRepair:
        """Its program is only made where there is something to polish."""
        return GroupRepair(self.problem.groups, self.problem.cost)

    def polished(self, x: Array, slack: float) -> Polished:
        """Distributions near x, which is what became of the iterate's, that keep all bounds or
        nearly all.
        """
        scanner, ops = self.problem.scanner, self.problem.ops
        known = _tightened(scanner.known, slack)
        state = self._begun(x, known, slack)
        for number in range(ROUNDS if self.problem.allowed is None else ROUNDS_WITHIN):
            check()
            if number in GROWING:
                state.weight *= GROWTH
            state.iterate(ROUND)
            x = self._as_answer(state.x.image)
            above = self._above(x, known)
            if (ops.values(x, above) * (1.0 - slack) <= above.bound).all():
                found = scanner.full(x, weighs=False)
                if len(found.candidates) == 0 and self.groups.excess(x) <= KEPT:
                    return Polished(x, is_fair=True)
                known = _tightened(scanner.known, slack)  # with what it has found
                state.admit(Scan(_tightened(found.candidates, slack), 1.0))
            state.admit(Scan(above, 1.0))
        return Polished(x, is_fair=False)

    def _begun(self, x: Array, known: CandidatePairs, slack: float) -> PrimalDual:
        """The iteration from here on, on the pairs that have duals and the worst of the others."""
        scanner, ops = self.problem.scanner, self.problem.ops
        pairs = _tightened(self.iterate.pairs, slack)
        new = self._above(x, known).without(pairs, len(x))
        if scanner.knows_all:
            excess = ops.values(x, new) - new.bound
            most = ADMITTED * len(x)
            new = new.worst(excess, len(x), most, per_point=most)
        problem = self.problem
        if problem.allowed is not None:  # moving groups would need centres that are not allowed
            problem = replace(problem, groups=problem.groups.tightened(slack))
        state = PrimalDual(problem, rebalances=False)
        state.start_like(self.iterate, x, pairs, new)
        state.weight = HEAVIER * self.iterate.weight
        return state

    def _above(self, x: Array, known: CandidatePairs) -> CandidatePairs:
        """Those of the pairs that are above their bounds."""
        places, _ = self.problem.ops.above(x, known)
        return known.take(places)

    def _as_answer(self, x: Array) -> Array:
        """Distributions within the centres allowed and, as far as that goes, the groups' bounds."""
        if self.problem.allowed is not None:
            return within(x, self.problem.allowed)
        return self.groups.correct(as_distributions(x))


class PolishedRepair:
    """Polishing, and another repair of what it leaves; where that alone does, nothing else."""

    def __init__(self, repair: Repair, problem: MergedProblem, iterate: PrimalDual) -> None:
        self.repair = repair
        self.problem = problem
        self.cost = problem.cost
        self.polishing = Polishing(problem, iterate)

    def first(self) -> Array:
        return self.repair.first()

    def start_with(self, fair: Array) -> None:
        self.repair.start_with(fair)

    def estimate(self, x: Array, scan: Scan) -> float:
        """About what polishing makes of it."""
        cost = float(np.vdot(self.cost, x))
        return cost + self._way(x, scan) * self._rise_from(cost)

    def _way(self, x: Array, scan: Scan) -> float:
        """What part of the way to the same distribution for everybody it is likely to go."""
        pairs = scan.candidates
        if len(pairs) == 0:
            return 0.0
        needed = 1.0 - pairs.bound / self.problem.ops.values(x, pairs)
        of_point = np.zeros(len(x))
        for end in (pairs.a, pairs.b):
            np.maximum.at(of_point, end, needed)
        q = float(of_point.mean())
        return OF_THE_WAY[0] * q + OF_THE_WAY[1] * q * q

    def _rise_from(self, cost: float) -> float:
        return max(float(np.vdot(self.cost, self.repair.first())) - cost, 0.0)

    def _slack(self, x: Array, negligible: float) -> float:
        """By what part bounds may be tightened. Mixed with as much of the same distribution for
        everybody, what is fair keeps the tightened bounds, and costs that part of the way more.
        """
        if self.problem.allowed is not None:  # there may be no such distribution
            return DEARER * negligible
        cost = float(np.vdot(self.cost, x))
        return min(MOST_SLACK, DEARER * negligible * cost / max(self._rise_from(cost), NOTHING))

    def make_fair(
        self, x: Array, working: CandidatePairs, negligible: float, looks: int = LOOKS
    ) -> Array:
        """By the other repair where that is likely to do; else polished first. Not all pairs may be
        known: then the other repair, which looks at all of them, finds out about those that matter.
        """
        scanner = self.problem.scanner
        way, slack = self._way(x, scanner.quick(x)), self._slack(x, negligible)
        if way > FAR or slack < LEAST_SLACK:
            return self.repair.make_fair(x, working, negligible, looks)
        fair = self.first()
        if way < LITTLE or not scanner.knows_all:
            some = looks if way < LITTLE else min(looks, LOOKS_BEFORE)
            fair = self.repair.make_fair(x, working, negligible, some)
            cost, of_fair = (float(np.vdot(self.cost, each)) for each in (x, fair))
            if of_fair - cost <= WORTH_A_TRY * negligible * abs(of_fair):
                return fair
        try:
            polished, is_fair = self.polishing.polished(as_distributions(x), slack)
        except Cancelled:  # what the other repair has found stands
            return fair
        if not is_fair:
            polished = self.repair.make_fair(polished, working, negligible, looks)
        return polished if np.vdot(self.cost, polished) < np.vdot(self.cost, fair) else fair


def _tightened(pairs: CandidatePairs, slack: float) -> CandidatePairs:
    return replace(pairs, bound=(1.0 - slack) * pairs.bound)
