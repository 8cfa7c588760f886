"""The exact engine: a first-order start, then cutting planes on a warm linear program.

TV(P, Q) <= F is the same as sum_{c in S} (P_c - Q_c) <= F for every set S of centres. Only some
0.4 to 3 % of the pairs bind at the optimum, each with a few sets, so the program holds just those.
Other divergences have planes that support their fair pairs in place of the sets:

1. the first-order method runs to a gap of ``START_GAP``. Its duals name the sets: the level sets
   of the dual vector of a pair are the sets that pair needs, with their multipliers;
2. the program with these cuts is solved, all pairs are scanned, the violated ones add their best
   set, and again from the last basis, until no pair is violated.

Started cold, the loop takes hundreds of seconds at k = 10 (n = 1000): tens of thousands of cuts
come in before the first sensible answer. Started like this it takes a handful of rounds.

Often several answers cost the same: two centres of equal weight can share what they take from each
other in any proportion. Which of them the simplex method meets depends on the order of the rows, on
how often they are repeated, and on rows that cost nothing. So the program has costs that are
lowered by a hair (``tilted``), which leaves one best answer; at the end it goes on from there with
the costs as they are, and stays where it is unless something is cheaper.
"""

import numpy as np

from likewise._typing import Array
from likewise.compute.budget import SOLVING, Budget
from likewise.divergences.registry import Divergence
from likewise.solvers.cutting_planes.program import CutLP, Cuts
from likewise.solvers.first_order.run import FirstOrderRun
from likewise.solvers.first_order.stopping import RelativeGap
from likewise.solvers.result import MergedDuals, Outcome
from likewise.solvers.working_set import CandidatePairs

START_GAP = 5e-4  # where the first-order method hands over; of 1e-4 to 2e-3 the quickest
EXACT_GAP = 1e-9  # the answer is called optimal from here on: the accuracy of the linear program
VIOLATED = 1e-11  # a pair this far above its bound gets a cut: what the program can tell apart
# Answers that differ by less are the same: the last cuts say no more than others before them, to
# within what the program can tell apart, and neither would the next.
SAME = 1e-12
NEGLIGIBLE = 1e-12  # share of the cost below which a repair of the optimum need not save
NEARLY_TIGHT = 0.999  # share of its bound from which a pair of the start gets a cut
TILT = 1e-6  # share of the costs: far above what the program can tell apart, far below what counts
GOLDEN = 0.6180339887498949  # its multiples, less their whole part, are well apart from each other
MAX_ROUNDS = 500
CUTS_PER_POINT = 3  # new ones in a round
MOST_CUTS_PER_POINT = 20  # in the program, before the idle ones are dropped


def exact_gap(tol: float, divergence: Divergence) -> float:
    """The gap to aim at: none, but where fair pairs are not a polytope, and every round only halves
    what is left, ``tol``.
    """
    return EXACT_GAP if divergence.piecewise_linear else max(tol, EXACT_GAP)


def finish_by_cuts(
    start: FirstOrderRun,
    rule: RelativeGap,
    budget: Budget,
    any_of_equals: bool = False,
    most_rounds: int = MAX_ROUNDS,
) -> Outcome:
    """From where a first-order run stands to where the rule ends it: ``exact_gap`` has its gap.

    With ``any_of_equals`` it does not matter which of several answers of the same cost it is.
    """
    loop = _CutLoop(start, rule, any_of_equals)
    finished = False
    with budget.cut_short(SOLVING):
        finished = loop.run(budget, most_rounds)
    duals = start.problem.duals_of_rows(loop.duals)
    n_iter = start.state.iterations + loop.lp.pivots
    return Outcome(loop.best, duals, n_iter, finished, start.trace() | loop.trace())


class _CutLoop:
    """The program, and the best answer and bound so far; the start's to begin with."""

    def __init__(self, start: FirstOrderRun, rule: RelativeGap, any_of_equals: bool) -> None:
        self.problem = problem = start.problem
        self.rule = rule
        self.repair = start.repair
        self.best, self.best_cost = start.best, start.best_cost
        self.bound, self.duals = start.bound, start.best_duals
        self.scale = start.state.scale
        cost = problem.cost / self.scale
        # where fair pairs are curved, the optimum is only approached, as far as the rule says;
        # where centres are opened in fractions, it is the bound that is wanted
        any_of_equals |= problem.n_open is not None
        self.is_tilted = problem.divergence.piecewise_linear and not any_of_equals
        cost = tilted(cost) if self.is_tilted else cost
        self.lp = CutLP(cost, problem.groups, problem.n_open, problem.allowed)
        self.book = _PairBook(len(problem.cost))
        self.lp.add(self._first_cuts(start))

    def run(self, budget: Budget, most_rounds: int) -> bool:
        """Solve and cut until the rule ends it or no pair is violated (True); False if rounds or
        time ran out, or cuts do not cut any more.
        """
        last = np.full(self.lp.shape, np.inf)
        for _ in range(most_rounds):
            x = None if budget.is_spent else self.lp.solve(budget.seconds_left)
            if x is None:
                return False
            is_stuck, last = bool(np.abs(x - last).max() <= SAME), x
            self._take(x)
            scanner = self.problem.scanner
            gap = self.rule.gap(self.best_cost, self.bound)
            budget.report(gap, len(self.lp.cuts), scanner.pairs_scanned)
            candidates = scanner.full(x, weighs=False).candidates
            excess = self._values(x, candidates) - candidates.bound
            is_settled = not (excess > VIOLATED).any()
            if self._has_ended(is_settled):
                return True
            if is_settled or is_stuck:
                if not self.is_tilted:
                    return False
                self.is_tilted = False
                self.lp.change_costs(self.problem.cost / self.scale)
                last = np.full_like(x, np.inf)
                continue
            if len(self.lp.cuts) > MOST_CUTS_PER_POINT * len(x):
                self.lp.drop_idle()
            worst = _worst_of_each_point(candidates, excess)
            self.lp.add(self._cuts_at(x, candidates.take(worst)))
        return False

    def _has_ended(self, is_settled: bool) -> bool:
        """Whether this is the answer; while costs are tilted, only whether it is hopeless."""
        if self.is_tilted:
            return self.rule.gives_up(self.bound)
        return is_settled or self.rule.ends(self.best_cost, self.bound)

    def _take(self, x: Array) -> None:
        """The bound of the optimum of the program and, once fair, its cost, if they are better."""
        bound = self.lp.objective * self.scale
        if bound > self.bound:
            self.bound, self.duals = bound, self._duals()
        fair = self.repair.make_fair(x, self.book.pairs, negligible=NEGLIGIBLE)
        cost = float(np.vdot(self.problem.cost, fair))
        if cost < self.best_cost:
            self.best, self.best_cost = fair, cost

    def _values(self, x: Array, pairs: CandidatePairs) -> Array:
        """By the divergence itself, as its cuts are, not by the compiled loops."""
        return self.problem.divergence.values(x[pairs.a], x[pairs.b])

    def _cuts_at(self, x: Array, pairs: CandidatePairs) -> Cuts:
        """The best cut of each pair at x."""
        a, b = pairs.a, pairs.b
        alpha, beta, limit = self.problem.divergence.cuts(x[a], x[b], pairs.bound)
        return Cuts(self.book.numbers(pairs), a, b, alpha, beta, limit).scaled()

    def _first_cuts(self, start: FirstOrderRun) -> Cuts:
        """The planes that the duals name, and the best ones of the pairs that are nearly tight."""
        pairs, x = start.state.pairs, start.state.x.image
        number = self.book.numbers(pairs)
        parts = [Cuts.none(x.shape[1])]
        for which, alpha, beta in start.state.pair_duals.planes():
            pair = pairs.take(which)
            # what no fair pair exceeds
            limit = self.problem.divergence.support_function(alpha, beta, pair.bound)
            parts.append(Cuts(number[which], pair.a, pair.b, alpha, beta, limit).scaled())
        tight = pairs.take(self._values(x, pairs) > NEARLY_TIGHT * pairs.bound)
        parts.append(self._cuts_at(x, tight))
        return Cuts.join(parts).distinct()

    def _duals(self) -> MergedDuals:
        """The multipliers of the cuts, summed pair by pair, as evidence for the lower bound."""
        lp, pairs = self.lp, self.book.pairs
        paid = lp.multipliers() * self.scale
        alpha, beta = (np.zeros((len(pairs), lp.shape[1])) for _ in range(2))
        np.add.at(alpha, lp.cuts.pair, paid[:, None] * lp.cuts.alpha)
        np.add.at(beta, lp.cuts.pair, paid[:, None] * lp.cuts.beta)
        of_groups = lp.group_multipliers() * self.scale
        return MergedDuals(pairs, alpha, beta, of_groups, lp.opening_multipliers() * self.scale)

    def trace(self) -> dict[str, int]:
        """How much work it was."""
        return {
            "rounds": self.lp.solves,
            "pairs_with_cuts": len(self.book.pairs),
            "cuts": len(self.lp.cuts),
        }


def tilted(cost: Array) -> Array:
    """Costs that are lowered by a hair, by another share at every centre, so that equally cheap
    answers differ. What they prove is true of the costs themselves, which are nowhere less.
    """
    share = TILT * (GOLDEN * np.arange(1, cost.shape[1] + 1) % 1.0)
    return np.asarray(cost - share * (cost + cost.mean(axis=1, keepdims=True)))


def _worst_of_each_point(candidates: CandidatePairs, excess: Array) -> Array:
    """The violated pairs that are among the few worst of one of their points.

    A point that lacks the one pair that holds it jumps to a corner and is then at odds with
    hundreds of others; a few cuts hold it as well as hundreds do.
    """
    keep = np.zeros(len(candidates), dtype=bool)
    for end in (candidates.a, candidates.b):
        order = np.lexsort((-excess, end))
        starts = np.r_[True, np.diff(end[order]) != 0]
        rank = np.arange(len(order)) - np.maximum.accumulate(
            np.where(starts, np.arange(len(order)), 0)
        )
        keep[order[rank < CUTS_PER_POINT]] = True
    return np.flatnonzero(keep & (excess > VIOLATED))


class _PairBook:
    """Numbers the pairs that have cuts, and remembers them."""

    def __init__(self, n_merged: int) -> None:
        self.n_merged = n_merged
        self.number: dict[int, int] = {}
        self.pairs = CandidatePairs.none()

    def numbers(self, pairs: CandidatePairs) -> Array:
        """The number of each pair; new ones get the next."""
        keys = pairs.keys(self.n_merged).tolist()
        new = [place for place, key in enumerate(keys) if key not in self.number]
        for place in new:
            self.number[keys[place]] = len(self.number)
        self.pairs = CandidatePairs.join([self.pairs, pairs.take(np.array(new, dtype=np.int64))])
        return np.array([self.number[key] for key in keys], dtype=np.int64)
