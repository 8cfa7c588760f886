"""Bounds on the share of each protected group in every cluster.

    beta_r S_c <= M_rc <= alpha_r S_c      M_rc = sum_{j in G_r} w_j x_jc,  S_c = sum_j w_j x_jc

for every group r and centre c. Giving everybody the same distribution makes every share in every
cluster the group's share in the data. So the bounds can be kept, together with any bounds on
pairs, exactly when each group's share in the data lies between its two bounds.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from numbers import Real
from typing import cast

import numpy as np

from likewise._typing import Array
from likewise.errors import InvalidArgument
from likewise.groups.membership import GroupName, Groups, describe, plain_value

ROUNDING = 1e-12  # shares that are equal but for rounding are equal


@dataclass(frozen=True)
class GroupBounds:
    """Every group's least and largest share of a cluster; ``weights`` are those of the points."""

    groups: Groups
    lower: Array  # beta
    upper: Array  # alpha
    weights: Array

    def __post_init__(self) -> None:
        for name, low, high in zip(self.groups.names, self.lower, self.upper, strict=True):
            if not 0 <= low <= high:
                raise InvalidArgument(
                    "group_bounds",
                    f"{describe(name)} has the bounds ({low:g}, {high:g}).",
                    "Use a lower bound of at least 0 and an upper bound of at least the lower.",
                )

    def __len__(self) -> int:
        return len(self.groups)

    def as_dict(self) -> dict[GroupName, tuple[float, float]]:
        """{(attribute, value): (lower, upper)}."""
        pairs = zip(self.lower.tolist(), self.upper.tolist(), strict=True)
        return dict(zip(self.groups.names, pairs, strict=True))

    @cached_property
    def shares(self) -> Array:
        """Each group's share of the data."""
        return self.groups.shares(self.weights)

    def check_feasible(self) -> None:
        """Raise if no clustering can keep the bounds."""
        for r, name in enumerate(self.groups.names):
            share, low, high = self.shares[r], self.lower[r], self.upper[r]
            if share < low - ROUNDING:
                _raise_infeasible(name, share, "lower", low)
            if share > high + ROUNDING:
                _raise_infeasible(name, share, "upper", high)

    def excess(self, distributions: Array) -> Array:
        """(groups, k): by how much each bound is missed, as a share of everybody; <= 0: kept."""
        mass, total = self.groups.masses(distributions, self.weights)
        above = mass - self.upper[:, None] * total
        below = self.lower[:, None] * total - mass
        everybody = self.weights.sum()
        worst: Array = np.maximum(above, below)
        return worst / (everybody if everybody > 0 else 1.0)


def _raise_infeasible(name: GroupName, share: float, side: str, bound: float) -> None:
    raise InvalidArgument(
        "group_bounds",
        f"{describe(name)} makes up {share:.6g} of the data, but its {side} bound is {bound:.6g}:"
        " some cluster must miss it.",
        f"Make the {side} bound {'at most' if side == 'lower' else 'at least'} {share:.6g}.",
    )


def bounds_from(
    groups: Groups, weights: Array, tolerance: float | None, explicit: object
) -> GroupBounds | None:
    """The bounds that a tolerance and explicit bounds describe; None if neither is given.

    With a tolerance delta a share may shrink to share * (1 - delta) and grow to share / (1 -
    delta). Explicit bounds go before the tolerance; groups that have neither are free.
    """
    flat = _flat(explicit, groups)
    if tolerance is None and not flat:
        return None
    lower, upper = np.zeros(len(groups)), np.full(len(groups), np.inf)
    if tolerance is not None:
        delta = check_tolerance(tolerance)
        share = groups.shares(weights)
        lower, upper = share * (1 - delta), share / (1 - delta)
    place = {name: r for r, name in enumerate(groups.names)}
    for name, pair in flat.items():
        lower[place[name]], upper[place[name]] = _two_numbers(name, pair)
    return GroupBounds(groups, lower, np.minimum(upper, np.maximum(lower, 1.0)), weights)


def check_tolerance(tolerance: object) -> float:
    """The tolerance, if it is one."""
    if isinstance(tolerance, Real) and not isinstance(tolerance, bool):
        delta = float(tolerance)
        if 0 <= delta < 1:
            return delta
    raise InvalidArgument(
        "group_tolerance",
        f"{tolerance!r} is not a number in [0, 1).",
        "Use for example 0.2: shares may shrink to 0.8 and grow to 1 / 0.8 of the data's.",
    )


def _flat(explicit: object, groups: Groups) -> dict[GroupName, object]:
    """{(attribute, value): (beta, alpha)} from any of the forms users may write it in."""
    if explicit is None:
        return {}
    if not isinstance(explicit, Mapping):
        raise InvalidArgument(
            "group_bounds",
            f"{type(explicit).__name__} is not a dict.",
            "Use {(attribute, value): (lower, upper)}.",
        )
    known_names = set(groups.names)
    attributes = groups.attributes
    flat: dict[GroupName, object] = {}
    for key, value in explicit.items():
        if isinstance(value, Mapping):  # {attribute: {value: bounds}}
            flat.update({(key, plain_value(inner)): pair for inner, pair in value.items()})
        elif isinstance(key, tuple) and len(key) == 2 and key[0] in attributes:
            flat[(key[0], plain_value(key[1]))] = value
        elif len(attributes) == 1:
            flat[(attributes[0], plain_value(key))] = value
        else:
            flat[key] = value
    for name in flat:
        if name not in known_names:
            known = ", ".join(repr(known) for known in groups.names[:20])
            raise InvalidArgument(
                "group_bounds",
                f"there is no group {name!r} in sensitive_features, or it has no members.",
                f"The groups are {known}.",
            )
    return flat


def _two_numbers(name: GroupName, pair: object) -> tuple[float, float]:
    try:
        low, high = (float(bound) for bound in cast("Iterable[float]", pair))
    except (TypeError, ValueError):
        raise InvalidArgument(
            "group_bounds",
            f"{pair!r} is not a pair of bounds for {describe(name)}.",
            "Use (lower, upper), each a share between 0 and 1.",
        ) from None
    return low, high
