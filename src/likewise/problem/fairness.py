"""Which notions of fairness a fit is asked for: pairs, groups, or both."""

import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from likewise._typing import Array
from likewise.errors import InvalidArgument
from likewise.groups.bounds import GroupBounds, bounds_from
from likewise.groups.membership import Groups
from likewise.similarities.pairs import Pairs, PairSource

INDIVIDUAL = ("all", "within-groups")


@dataclass(frozen=True)
class Fairness:
    """Whose pairs are compared ("all", "within-groups" or nobody's), and the bounds on groups."""

    compared: str | None
    groups: Groups | None = None
    bounds: GroupBounds | None = None

    def pairs(self, build: Callable[[], PairSource]) -> PairSource:
        """Of the pairs that ``build`` makes the ones that are compared."""
        if self.compared is None:
            return Pairs([], [], [])
        if self.compared == "within-groups" and self.groups is not None:
            return build().within(self.groups)
        return build()

    def of_rows(self, rows: Array) -> "Fairness":
        """The same for some of the rows. Bounds on groups are kept by everybody together, and say
        nothing of some: there are none.
        """
        return Fairness(self.compared, None if self.groups is None else self.groups.among(rows))

    def fingerprint(self) -> Iterator[object]:
        """What tells it from other notions of fairness: plain values and arrays."""
        yield self.compared
        if self.groups is not None:
            yield from (repr(self.groups.names), self.groups.masks)
        if self.bounds is not None:
            yield from (self.bounds.lower, self.bounds.upper)


def read_fairness(
    individual: bool | str,
    sensitive_features: object,
    weights: Array,
    *,
    tolerance: float | None,
    explicit: object,
    missing: str,
) -> Fairness:
    """What the arguments of a fit ask for, for people of these weights.

    ``individual=True`` is the paper's choice: all pairs are compared where no group has bounds,
    and only pairs that share a group where groups do. Comparing everybody *and* balancing groups
    leaves nearly nothing but the same distribution for all: see ``examples/within_groups.py``.
    """
    if sensitive_features is None:
        _check_not_needed(individual, tolerance, explicit)
        return Fairness(whose_pairs(individual, groups_have_bounds=False))
    groups = Groups.from_features(sensitive_features, len(weights), missing)
    bounds = bounds_from(groups, weights, tolerance, explicit)
    compared = whose_pairs(individual, bounds is not None)
    if bounds is None and compared != "within-groups":
        warnings.warn(
            "sensitive_features is given, but no bounds on its groups: they play no part in the"
            " fit. Set group_tolerance or group_bounds.",
            stacklevel=3,
        )
    return Fairness(compared, groups, bounds)


def check_individual(individual: object) -> None:
    """Raise unless it says who is compared with whom."""
    if isinstance(individual, bool | np.bool_):
        return
    if not isinstance(individual, str) or individual not in INDIVIDUAL:
        raise InvalidArgument(
            "individual",
            f"{individual!r} is not known.",
            "Use True, False, 'all' or 'within-groups'.",
        )


def _check_not_needed(individual: bool | str, tolerance: float | None, explicit: object) -> None:
    for name, value in [("group_tolerance", tolerance), ("group_bounds", explicit)]:
        if value is not None:
            raise InvalidArgument(
                name, "fit got no sensitive_features.", "Pass fit(X, sensitive_features=...)."
            )
    if individual == "within-groups":
        raise InvalidArgument(
            "individual",
            "'within-groups' needs groups, but fit got no sensitive_features.",
            "Pass fit(X, sensitive_features=...), or use individual=True.",
        )


def whose_pairs(individual: bool | str, groups_have_bounds: bool) -> str | None:
    """Whose pairs are compared: "all", "within-groups", or None: nobody's."""
    if isinstance(individual, str):
        return individual
    whole = "within-groups" if groups_have_bounds else "all"
    return whole if individual else None
