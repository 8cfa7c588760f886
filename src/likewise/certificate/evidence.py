"""What a certificate says, and how it says it."""

from collections.abc import Callable
from dataclasses import asdict, dataclass

from likewise.certificate.sameness import Sameness
from likewise.groups.membership import describe

ALLOWED_EXCESS = 1e-9  # no pair and no group of an answer may exceed its bound by more: rounding

# what an answer rests on where time was up before its certificate had checked every pair
NOT_ALL = (
    "             (time was up; the solver's own scans have seen every pair, and the answer is"
    " mixed\n             with one distribution for all as far as they asked for)"
)


@dataclass(frozen=True)
class RadiusProof:
    """k-center: how far anybody is sent, and why nothing smaller will do for these centres."""

    radius: float
    farthest: float  # largest distance at which anybody has any probability
    next_smaller: float | None  # the next candidate: a distance to a centre
    mass_beyond: float  # proven to lie beyond that one; inf: who may use what rules it out
    is_minimal: bool

    def __str__(self) -> str:
        if self.next_smaller is None:
            return f"{self.radius:.8g}, nothing smaller is possible"
        verdict = "impossible" if self.is_minimal else "NOT RULED OUT"
        return f"{self.radius:.8g}; {self.next_smaller:.8g} is {verdict}"


@dataclass(frozen=True)
class Certificate:
    """What was checked and what was found."""

    pairs_checked: int  # ordered ones
    worst_excess: float  # largest divergence - bound over all pairs; <= 0: every pair within
    worst_pair: tuple[int, int] | None
    groups_checked: int  # group bounds: two a group and cluster
    worst_group_excess: float  # furthest outside its bounds, in shares of everybody; <= 0: within
    worst_group: tuple[object, object, int] | None  # (attribute, value, cluster)
    row_sum_error: float
    smallest_probability: float
    forbidden_probability: float  # largest at a centre that a point may not use
    opened_excess: float  # how much of centres is opened beyond what may be; <= 0: within
    objective: float
    lower_bound: float
    gap: float  # (objective - lower_bound) / objective; what costs next to nothing counts as more
    radius: RadiusProof | None = None  # of k-center
    pairs_left: int = 0  # that there was no time to check
    compared: str | None = None  # who with whom, in words; None: whoever the pairs are of
    sameness: Sameness | None = None  # how near it is to the same for everybody
    bound_scale: float = 1.0  # what the bounds of the similarity were multiplied by

    @property
    def is_fair(self) -> bool:
        """Every row is a distribution; every pair that was checked and every group is within its
        bounds.
        """
        return (
            self.worst_excess <= ALLOWED_EXCESS
            and self.worst_group_excess <= ALLOWED_EXCESS
            and self.row_sum_error <= ALLOWED_EXCESS
            and self.opened_excess <= ALLOWED_EXCESS
            and self.forbidden_probability == 0
            and self.smallest_probability >= 0
        )

    @property
    def is_complete(self) -> bool:
        """Whether there was time to check every pair."""
        return self.pairs_left == 0

    def as_dict(self) -> dict[str, object]:
        """All of it as plain values, the verdict included."""
        return {**asdict(self), "is_fair": self.is_fair, "is_complete": self.is_complete}

    def __str__(self) -> str:
        return self.in_words(lambda row: f"X[{row}]")

    def in_words(self, name_of: Callable[[int], str]) -> str:
        """All of it for people; the worst pair by their names."""
        verdict = "every bound kept" if self.is_fair else "NOT FAIR"
        worst = "" if self.worst_pair is None else f" ({_both(self.worst_pair, name_of)})"
        checked = f"{self.pairs_checked:,} ordered pairs"
        if not self.is_complete:
            checked = (
                f"{self.pairs_checked:,} of {self.pairs_checked + self.pairs_left:,} ordered pairs"
            )
        lines = [f"worst pair:  divergence - bound = {self.worst_excess:.2e}{worst}"]
        if self.worst_group is not None:
            checked += f" and {self.groups_checked:,} bounds on groups"
            *name, cluster = self.worst_group
            group = f"{describe((name[0], name[1]))} in cluster {cluster}"
            lines.append(
                f"worst group: {self.worst_group_excess:.2e} of everybody beyond bounds ({group})"
            )
        if self.radius is not None:
            lines.append(f"radius:      {self.radius}")
        scope = [] if self.compared is None else [f"compared:    {self.compared}"]
        if self.bound_scale != 1:
            scope.append(f"bounds:      those of the similarity times {self.bound_scale:g}")
        return "\n".join(
            [
                f"fair:        {verdict}; {checked} checked",
                *([] if self.is_complete else [NOT_ALL]),
                *scope,
                *lines,
                f"rows:        sum to 1 within {self.row_sum_error:.1e}",
                f"objective:   {self.objective:.8g}, proven at least {self.lower_bound:.8g}",
                f"gap:         {self.gap:.2e} of the objective",
                *(f"note:        {note}" for note in self.notes(name_of)),
            ]
        )

    def notes(self, name_of: Callable[[int], str]) -> list[str]:
        """What a fair answer may still be poor at, in sentences."""
        return [] if self.sameness is None else self.sameness.sentences(name_of)


def _both(pair: tuple[int, int], name_of: Callable[[int], str]) -> str:
    return " and ".join(name_of(row) for row in pair)
