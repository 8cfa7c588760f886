"""How near an answer is to the same distribution for everybody.

Where bounds are tight everywhere, fairness leaves little but one distribution for all: everybody at
the one centre that is cheapest for all together. That is fair, and of little use, so it is said.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from likewise._typing import Array
from likewise.problem.assignment import AssignmentProblem
from likewise.problem.labels import most_likely

HALFWAY = 0.5  # of the way from hard clustering's objective to that of one distribution for all
NEARLY_ALL = 0.95  # of the people with the same most likely cluster


@dataclass(frozen=True)
class Sameness:
    """Of an answer with several centres."""

    way: float  # from hard clustering's objective (0) to that of one distribution for all (1)
    largest_share: float  # of the people: those with the same most likely cluster
    remedies: tuple[str, ...] = ()  # what would change it, in words
    outliers: tuple[int, ...] = ()  # rows far from all others, which may be why

    @property
    def is_one_cluster(self) -> bool:
        """Whether nearly everybody has the same most likely cluster."""
        return self.largest_share >= NEARLY_ALL

    @property
    def is_notable(self) -> bool:
        """Whether the answer is so much the same for everybody that it should be said."""
        return self.way > HALFWAY or self.is_one_cluster

    def sentences(self, name_of: Callable[[int], str]) -> list[str]:
        """What is to be said of it; nothing if it is not notable."""
        if not self.is_notable:
            return []
        said = []
        if self.way > HALFWAY:
            said.append(
                f"Nearly the same for everybody: {self.way:.0%} of the way from hard clustering's"
                " objective to that of one distribution for all."
            )
        if self.is_one_cluster:
            said.append(
                f"One cluster is the most likely one of {self.largest_share:.1%} of the people."
            )
        if self.remedies:
            said.append(f"What may change it: {'; '.join(self.remedies)}.")
        if self.outliers:
            said.append(f"Far from everybody else: {', '.join(map(name_of, self.outliers))}.")
        return said


def sameness_of(problem: AssignmentProblem, distributions: Array) -> Sameness | None:
    """From the costs and the answer alone; None with one centre, or where some may not be used."""
    if problem.n_centers == 1 or problem.allowed is not None:
        return None
    objective = problem.objective(distributions)
    nearest, at_one = float(problem.cost.min(axis=1).sum()), float(problem.cost.sum(axis=0).min())
    way = (objective - nearest) / (at_one - nearest) if at_one > nearest else 0.0
    counts = np.bincount(most_likely(distributions, problem.cost))
    return Sameness(float(np.clip(way, 0.0, 1.0)), float(counts.max() / problem.n_points))
