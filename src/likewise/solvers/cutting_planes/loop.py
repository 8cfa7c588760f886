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
"""

import numpy as np

from likewise._typing import Array
from likewise.problem.assignment import AssignmentProblem, Duals, relative_gap
from likewise.solvers.budget import Budget
from likewise.solvers.cutting_planes.program import CutLP, Cuts
from likewise.solvers.first_order.run import FirstOrderRun
from likewise.solvers.presolve import Merging
from likewise.solvers.result import Outcome, duals_of_rows
from likewise.solvers.working_set import CandidatePairs

START_GAP = 2e-3  # where the first-order method hands over
EXACT_GAP = 1e-9  # the answer is called optimal from here on: the accuracy of the linear program
VIOLATED = 1e-11  # a pair this far above its bound gets a cut: what the program can tell apart
MAX_ROUNDS = 500
CUTS_PER_POINT = 3  # new ones in a round


def finish_by_cuts(
    problem: AssignmentProblem, start: FirstOrderRun, budget: Budget, tol: float
) -> Outcome:
    """From where a first-order run stands to the optimum, or where fair pairs are not a polytope,
    and every round only halves what is left, to a gap of ``tol``.
    """
    good_enough = EXACT_GAP if problem.divergence.piecewise_linear else max(tol, EXACT_GAP)
    cost, scanner, scale = start.cost, start.scanner, start.state.scale
    book = _PairBook(len(cost))
    lp = CutLP(cost / scale, start.groups, problem.n_open, start.state.allowed)
    lp.add(_first_cuts(start, problem, book))
    best, best_cost = start.best, start.best_cost
    bound, duals = start.bound, start.duals()
    finished = False
    for _ in range(MAX_ROUNDS):
        x = None if budget.is_spent else lp.solve(budget.seconds_left)
        if x is None:
            break
        if lp.objective * scale > bound:
            bound, duals = lp.objective * scale, _duals_of(lp, book, scanner.merging, scale)
        fair = start.repair.make_fair(x, book.pairs, negligible=1e-12)
        fair_cost = float(np.vdot(cost, fair))
        if fair_cost < best_cost:
            best, best_cost = fair, fair_cost
        budget.report(relative_gap(best_cost, bound), len(lp.cuts), scanner.pairs_scanned)
        found = scanner.full(x).candidates
        excess = problem.divergence.values(x[found.a], x[found.b]) - found.bound
        done = relative_gap(best_cost, bound) <= good_enough or bound >= start.give_up_at
        if done or not (excess > VIOLATED).any():
            finished = True
            break
        if len(lp.cuts) > 20 * len(cost):
            lp.drop_idle()
        worst = _worst_of_each_point(found, excess)
        lp.add(_cuts_at(x, found.take(worst), problem, book))
    trace = {
        **start.trace(),
        "rounds": lp.solves,
        "pairs_with_cuts": len(book.pairs),
        "cuts": len(lp.cuts),
    }
    return Outcome(best, duals, start.state.iterations + lp.pivots, finished, trace)


def _worst_of_each_point(found: CandidatePairs, excess: Array) -> Array:
    """The violated pairs that are among the few worst of one of their points.

    A point that lacks the one pair that holds it jumps to a corner and is then at odds with
    hundreds of others; a few cuts hold it as well as hundreds do.
    """
    keep = np.zeros(len(found), dtype=bool)
    for end in (found.a, found.b):
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

    def numbers(self, found: CandidatePairs) -> Array:
        keys = found.keys(self.n_merged).tolist()
        new = [place for place, key in enumerate(keys) if key not in self.number]
        for place in new:
            self.number[keys[place]] = len(self.number)
        self.pairs = CandidatePairs.join([self.pairs, found.take(np.array(new, dtype=np.int64))])
        return np.array([self.number[key] for key in keys], dtype=np.int64)


def _cuts_at(x: Array, found: CandidatePairs, problem: AssignmentProblem, book: _PairBook) -> Cuts:
    """The best cut of each pair at x."""
    alpha, beta, limit = problem.divergence.cuts(x[found.a], x[found.b], found.bound)
    return Cuts(book.numbers(found), found.a, found.b, alpha, beta, limit).scaled()


def _first_cuts(start: FirstOrderRun, problem: AssignmentProblem, book: _PairBook) -> Cuts:
    """The planes that the duals name, and the best ones of the pairs that are nearly tight."""
    state = start.state
    pairs = state.pairs
    number = book.numbers(pairs)
    parts = [Cuts.none(problem.n_centers)]
    for which, alpha, beta in state.duals.planes():
        pair = pairs.take(which)
        limit = problem.divergence.price(alpha, beta, pair.bound)  # what no fair pair exceeds
        parts.append(Cuts(number[which], pair.a, pair.b, alpha, beta, limit).scaled())
    apart = problem.divergence.values(state.x_image[pairs.a], state.x_image[pairs.b])
    tight = pairs.take(apart > 0.999 * pairs.bound)
    parts.append(_cuts_at(state.x_image, tight, problem, book))
    return Cuts.join(parts).distinct()


def _duals_of(lp: CutLP, book: _PairBook, merging: Merging, scale: float) -> Duals:
    """The multipliers of the cuts, summed pair by pair, as evidence for the lower bound."""
    paid = lp.multipliers() * scale
    k = lp.shape[1]
    alpha, beta = np.zeros((len(book.pairs), k)), np.zeros((len(book.pairs), k))
    np.add.at(alpha, lp.cuts.pair, paid[:, None] * lp.cuts.alpha)
    np.add.at(beta, lp.cuts.pair, paid[:, None] * lp.cuts.beta)
    used = np.flatnonzero(alpha.any(axis=1) | beta.any(axis=1))
    pairs = book.pairs.take(used)
    of_groups = lp.group_multipliers() * scale / lp.groups.unit
    of_openings = lp.opening_multipliers() * scale
    return duals_of_rows(pairs, alpha[used], beta[used], merging, of_groups, of_openings)
