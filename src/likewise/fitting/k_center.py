"""k-center: the least radius within which everybody can be treated fairly (the paper's A.2).

A point may only use centres within R of it. The least R for which a fair assignment exists is one
of the distances to the centres; whether one exists gets no harder as R grows, so it is searched
for by halving. Below, supports alone rule radii out: everybody needs a centre, and two whose
treatment may not differ altogether need one in common. Above, one centre that is near enough to
everybody will do. In between a feasibility problem is solved for each candidate.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from likewise._typing import Array
from likewise.compute.budget import PREPARING, SOLVING, Budget
from likewise.problem.assignment import AssignmentProblem, Duals
from likewise.problem.supports import closed, distances_that_count, supports_suffice
from likewise.solvers.feasibility import MOST_ITERATIONS, Feasibility, Verdict

# Iterations spent on the least radius that is not ruled out, before anything else is known: a tenth
# of the others', because it is asked for again from above, where it is decided more easily.
AT_FIRST = 400
SLACKS = (1e-3, 1e-2)  # room for pairs that is looked for, as shares of their bounds


@dataclass(frozen=True)
class LeastRadius:
    """The radius, distributions within it, and why the next smaller candidate will not do."""

    radius: float
    distributions: Array
    allowed: Array
    next_smaller: float | None  # None: there is no smaller candidate
    # the proof, where supports alone are not enough; without it a smaller radius may do
    duals_below: Duals | None


class Bracket:
    """The least place at which something is possible, sought by halving.

    Places are 0, 1, 2, ...; whether a place is possible gets no harder as places grow. Below
    ``low`` everything is known to be impossible, and ``top`` is known to be possible. In between
    one asks: ``next()`` names a place, ``record()`` takes the verdict on it. A verdict may be that
    it could not be decided. Then the place is taken for impossible for the time being; if the
    search ends right above it, it is asked about once more.

    The first place asked about is ``low`` itself: often what rules out the places below is all
    there is to it.
    """

    def __init__(self, low: int, top: int) -> None:
        self.top = top  # the least place known to be possible
        self.distributions: Array | None = None  # of the verdict on ``top``, once there is one
        self.n_asked = 0
        self.low = low
        self._place = low  # the one that was asked about last
        self._proven = _Impossible(low - 1)
        self._given_up = self._proven  # the greatest place that is, or is taken for, impossible
        self._ask_again: dict[int, bool] = {}  # places left undecided: whether to ask once more

    def next(self) -> int | None:
        """The place to ask about; None where nothing is left to ask."""
        below = self._given_up.place
        if below + 1 >= self.top and not self._ask_again.get(below):
            return None
        # what was left undecided is asked again from where the places just above it ended
        self._place = self.low if self.n_asked == 0 else (below + self.top) // 2
        self.n_asked += 1
        return self._place

    @property
    def asks_again(self) -> bool:
        """Whether the place that ``next`` named was left undecided before."""
        return self._place in self._ask_again

    def record(self, verdict: Verdict, may_ask_again: bool = True) -> None:
        """The verdict on the place that ``next`` named."""
        place = self._place
        if verdict.distributions is not None:
            self.top, self.distributions = place, verdict.distributions
            if place == self._given_up.place:
                self._given_up = self._proven
            return
        self._given_up = _Impossible(place, verdict.duals)
        if verdict.duals is not None:
            self._proven = self._given_up
        is_first_time = verdict.duals is None and place not in self._ask_again
        self._ask_again[place] = is_first_time and may_ask_again

    @property
    def duals_below(self) -> Duals | None:
        """The proof that the place below the top is impossible, unless that was known from the
        start; None too where it was left undecided.
        """
        return self._given_up.duals


@dataclass(frozen=True)
class _Impossible:
    """A place that is not possible, and the duals that prove it. Without duals: it was known from
    the start, or it is taken for impossible because it could not be decided.
    """

    place: int
    duals: Duals | None = None


def least_radius(problem: AssignmentProblem, distances: Array, budget: Budget) -> LeastRadius:
    """Search the distances to the centres for the least radius of a fair assignment.

    The costs of ``problem`` do not matter, but points that cost nothing anywhere may go anywhere.
    """
    reach = distances_that_count(problem, distances)
    candidates = np.unique(reach)
    one = int(reach.max(axis=0).argmin())  # this centre alone would do for everybody
    x = np.zeros(reach.shape)
    x[:, one] = 1.0

    def allowed_at(place: int) -> Array:
        return closed(reach <= candidates[place], problem)

    top = int(np.searchsorted(candidates, reach[:, one].max()))
    bracket = Bracket(0, top)
    with budget.cut_short(PREPARING):
        low = _first(lambda place: supports_suffice(reach <= candidates[place], problem), 0, top)
        bracket = Bracket(low, top)
    with_room = None
    if bracket.low < bracket.top:
        with budget.cut_short(SOLVING):
            question = Feasibility(problem)
            _narrow(bracket, question, allowed_at, budget)
            x = x if bracket.distributions is None else bracket.distributions
            with_room = _with_room(question, allowed_at(bracket.top), x, budget)
    # cut short, it is what was known to be possible by then
    found = [x for x in (with_room, bracket.distributions) if x is not None]
    allowed = reach <= candidates[bracket.top]
    with budget.cut_short(PREPARING):
        allowed = closed(allowed, problem)
    return LeastRadius(
        radius=float(candidates[bracket.top]),
        distributions=found[0] if found else x,
        allowed=allowed,
        next_smaller=float(candidates[bracket.top - 1]) if bracket.top > 0 else None,
        duals_below=bracket.duals_below,
    )


def _narrow(
    bracket: Bracket, question: Feasibility, allowed_at: Callable[[int], Array], budget: Budget
) -> None:
    """Ask for radii until the bracket has nothing left to ask."""
    while (place := bracket.next()) is not None:
        iterations = AT_FIRST if bracket.n_asked == 1 else MOST_ITERATIONS
        verdict = question.decide(allowed_at(place), budget, iterations, by_cuts=bracket.asks_again)
        bracket.record(verdict, may_ask_again=not budget.is_spent)


def _with_room(question: Feasibility, allowed: Array, x: Array, budget: Budget) -> Array:
    """A fair answer whose pairs have as much room as is easily had: better to go on from."""
    for slack in SLACKS:
        question = question.tightened(slack)
        verdict = question.decide(allowed, budget)
        if verdict.distributions is None:
            break
        x = verdict.distributions
    return x


def _first(holds: Callable[[int], bool], low: int, high: int) -> int:
    """The first place from low on at which it holds; it holds at high."""
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle + 1, high)
    return low
