"""Bounds as numbers: which are valid, how they are multiplied, how far a divergence is above."""

import numpy as np

from likewise._typing import Array
from likewise.errors import InvalidArgument


def excess_of(values: Array, bound: Array) -> Array:
    """How far divergences are above their bounds; minus infinity where there is no bound, also if
    the divergence itself is infinite.
    """
    with np.errstate(invalid="ignore"):
        return np.where(np.isfinite(bound), values - bound, -np.inf)


def times(bound: Array, factor: float) -> Array:
    """Bounds times a factor; 0 times infinity is 0."""
    with np.errstate(invalid="ignore"):
        return np.where(bound == 0, 0.0, bound * factor)


def check_bounds(argument: str, bound: Array) -> Array:
    """The bounds, if all of them are numbers that are not negative."""
    if np.isnan(bound).any():
        raise InvalidArgument(
            argument, "some bounds are not a number (NaN).", "Use inf for a pair without a bound."
        )
    if bound.min(initial=0.0) < 0:
        raise InvalidArgument(
            argument,
            f"some bounds are negative (smallest {bound.min():g}).",
            "A divergence is never negative: use bounds of at least 0.",
        )
    return bound
