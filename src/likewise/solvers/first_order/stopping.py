"""When a first-order run ends, and when a repair of its iterate may end it.

A rule is a value: it is asked, with what the run knows, and remembers nothing. Two of them:
``RelativeGap`` for the cheapest answer, ``ElasticRule`` for whether there is an answer at all.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol

from likewise.problem.assignment import relative_gap

History = Sequence[tuple[int, float]]  # (iterations, gap) of each check so far

# No progress worth the name: over half of all iterations, and many, the gap fell by less than this.
STALL_AFTER, STALL_PROGRESS = 10_000, 0.8
# Within allowed centres the gap may not close at all (``repair``): there patience is short.
STALL_AFTER_WITHIN = 4_000
NEGLIGIBLE = 0.05  # share of the tolerance below which a repair need not save costs
# A try to close the gap that failed: where the gap is more than this many times the tolerance, the
# next one is due after this many times the iterations.
NEXT_TRIES = ((10.0, 1.5), (1.5, 1.1))
NEARLY = 5.0  # times the tolerance: an answer that is as near may only lack its proof
NEXT_TRY_AT_LEAST = 80  # iterations later, two quick scans

POSITIVE = 1e-7  # in points: a proven cost from here on is more than rounding
ELASTIC_GROWTH = 1.6  # tries to make the iterate fair are this factor apart; each takes seconds


class StoppingRule(Protocol):
    """What a run asks, about the best cost and the best bound so far."""

    # whether the cost of an iterate tells if a repair may end the run; else any repair may
    judges_by_cost: ClassVar[bool]

    @property
    def negligible(self) -> float:
        """A rise of the cost by this share of it is not worth a repair's while to avoid."""
        ...

    def gap(self, cost: float, bound: float) -> float:
        """How far the two are from what ends the run."""
        ...

    def is_reached(self, cost: float, bound: float) -> bool:
        """Whether the answer is good enough."""
        ...

    def ends(self, cost: float, bound: float) -> bool:
        """Whether nothing more is wanted: good enough, or known to be of no use."""
        ...

    def is_nearly_reached(self, gap: float) -> bool:
        """Whether a better bound is all that may be lacking."""
        ...

    def stalls(self, iterations: int, history: History) -> bool:
        """Whether going on is no use."""
        ...

    def next_try(self, iterations: int, gap: float) -> int:
        """The iteration of the next repair to close the gap, after one that left this gap."""
        ...


@dataclass(frozen=True)
class RelativeGap:
    """(cost - bound) / cost <= tol, or a bound of ``give_up_at``: then no answer is of any use. A
    cost below ``least`` counts as that much.
    """

    tol: float
    give_up_at: float = float("inf")
    patience: int = STALL_AFTER
    least: float = 0.0
    judges_by_cost: ClassVar[bool] = True

    @property
    def negligible(self) -> float:
        return NEGLIGIBLE * self.tol

    def gap(self, cost: float, bound: float) -> float:
        return relative_gap(cost, bound, self.least)

    def is_reached(self, cost: float, bound: float) -> bool:
        return self.gap(cost, bound) <= self.tol

    def gives_up(self, bound: float) -> bool:
        """Whether no answer can be cheap enough."""
        return bound >= self.give_up_at

    def ends(self, cost: float, bound: float) -> bool:
        return self.is_reached(cost, bound) or self.gives_up(bound)

    def is_nearly_reached(self, gap: float) -> bool:
        return self.tol < gap <= NEARLY * self.tol

    def stalls(self, iterations: int, history: History) -> bool:
        if iterations < self.patience:
            return False
        before = [gap for when, gap in history if when <= iterations / 2]
        return history[-1][1] > STALL_PROGRESS * before[-1]

    def next_try(self, iterations: int, gap: float) -> int:
        """The further off, the longer the wait."""
        for factor, growth in NEXT_TRIES:
            if gap > factor * self.tol:
                return int(iterations * growth) + NEXT_TRY_AT_LEAST
        return iterations


@dataclass(frozen=True)
class ElasticRule:
    """A positive bound, or a cost of zero: the question whether zero can be had is answered."""

    most_iterations: int
    negligible: float = 0.0
    judges_by_cost: ClassVar[bool] = False

    def gap(self, cost: float, bound: float) -> float:
        return 0.0 if self.is_reached(cost, bound) else float("inf")

    def is_reached(self, cost: float, bound: float) -> bool:
        return bound > POSITIVE or cost == 0.0

    def ends(self, cost: float, bound: float) -> bool:
        return self.is_reached(cost, bound)

    def is_nearly_reached(self, gap: float) -> bool:
        return False  # a gap has no size here

    def stalls(self, iterations: int, history: History) -> bool:
        return iterations >= self.most_iterations

    def next_try(self, iterations: int, gap: float) -> int:
        return int(ELASTIC_GROWTH * iterations) + 1
