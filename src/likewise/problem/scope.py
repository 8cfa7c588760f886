"""Who is compared with whom, in words: what "every pair within its bound" is said of."""

from dataclasses import dataclass

from likewise.problem.fairness import whose_pairs
from likewise.problem.specification import Specification


@dataclass(frozen=True)
class Scope:
    """The pairs that a promise about pairs is about."""

    compared: str | None  # "all", "within-groups" or nobody
    n_neighbors: int | None = None  # None: not only neighbours
    by_rule: bool = True  # False: the similarity says itself which pairs it bounds

    @property
    def is_everybody(self) -> bool:
        """Whether every two people are compared."""
        return self.compared == "all" and self.n_neighbors is None and self.by_rule

    def __str__(self) -> str:
        if self.compared is None:
            return "nobody with anybody"
        if self.compared == "all":
            return self._pairs
        if self.by_rule and self.n_neighbors is None:
            return "everybody with those who share a protected value"
        return f"{self._pairs}, where both share a protected value"

    @property
    def _pairs(self) -> str:
        if self.n_neighbors is not None:
            nearest = f"each person with the {self.n_neighbors:,} nearest others, ties included"
            return nearest if self.by_rule else f"{nearest}, where the similarity sets a bound"
        return "everybody with everybody" if self.by_rule else "the pairs the similarity bounds"


def scope_of(specification: Specification, n_points: int) -> Scope:
    """Whom this many people are compared with if they are clustered as specified."""
    told = specification
    some = told.n_neighbors is not None and told.n_neighbors < n_points - 1
    return Scope(
        compared=whose_pairs(told.individual, told.bounds_groups),
        n_neighbors=told.n_neighbors if some else None,
        by_rule=isinstance(told.similarity, str),
    )
