"""What every repair offers, and where repairs begin."""

from typing import Protocol

import numpy as np

from likewise._typing import Array
from likewise.solvers.divergence_ops.base import cheapest_center
from likewise.solvers.separation.base import Scan
from likewise.solvers.working_set import CandidatePairs

KEPT = 1e-11  # a pair or a group missed by this much is within its bound: rounding
LOOKS = 4  # at all pairs, at most: each is a scan
LOST = 1e-9  # a row that has less than this on the centres allowed begins anew


class Repair(Protocol):
    """Makes iterates exactly fair."""

    def first(self) -> Array:
        """An answer to begin with."""
        ...

    def start_with(self, fair: Array) -> None:
        """Take note of an answer that is known to be fair."""
        ...

    def estimate(self, x: Array, scan: Scan) -> float:
        """About what the cost of a scanned iterate becomes."""
        ...

    def make_fair(
        self, x: Array, working: CandidatePairs, negligible: float, looks: int = LOOKS
    ) -> Array:
        """A copy of x that keeps every bound, or the last answer that did.

        ``working`` are the pairs that matter most, by all that is known: sweeps begin with them,
        and scans over all pairs, ``looks`` at most, add what they miss. A rise of the cost by
        ``negligible`` times it is not worth another round.
        """
        ...


def cheapest_for_all(cost: Array) -> Array:
    """Everybody at the one centre that is cheapest for all together: always fair."""
    return np.tile(cheapest_center(cost), (len(cost), 1))


def as_distributions(x: Array) -> Array:
    """x without what is negative, every row summing to one."""
    x = np.maximum(x, 0.0)
    x /= x.sum(axis=1, keepdims=True)
    return x


def within(x: Array, allowed: Array) -> Array:
    """x without what lies on centres that are not allowed, every row summing to one."""
    x = np.where(allowed, np.maximum(x, 0.0), 0.0)
    total = x.sum(axis=1, keepdims=True)
    lost = total[:, 0] < LOST
    x[lost] = allowed[lost]
    total[lost] = allowed[lost].sum(axis=1, keepdims=True)
    return np.asarray(x / total)


def mix(x: Array, weight: float, reference: Array) -> Array:
    """(1 - weight) x + weight times the reference, a distribution or one for each row."""
    if weight == 0.0:
        return x
    return (1.0 - weight) * x + weight * reference
