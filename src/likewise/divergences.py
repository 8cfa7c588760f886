"""How differently two people are treated: one small class a divergence.

A divergence compares two distributions over the centres. The solvers and the certificate ask it
for values, for cuts (linear inequalities that every fair pair obeys) and for the price of a dual
vector (what a lower bound pays for a pair); nothing else of the program knows which one is used.
"""

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from scipy.spatial.distance import cdist

from likewise.errors import InvalidArgument, NotYetSupported, unknown_name
from likewise.types import Array


@runtime_checkable
class Divergence(Protocol):
    """What every divergence offers."""

    @property
    def name(self) -> str: ...

    @property
    def symmetric(self) -> bool: ...

    @property
    def largest(self) -> float:
        """No two distributions are further apart than this."""
        ...

    def values(self, P: Array, Q: Array) -> Array:
        """D(P_r || Q_r), row by row."""
        ...

    def table(self, P: Array, Q: Array) -> Array:
        """D(P_r || Q_s) for every row r of P and every row s of Q."""
        ...

    def cuts(self, P: Array, Q: Array) -> tuple[Array, Array]:
        """(alpha, beta) a row, with alpha.p + beta.q <= D(p || q) for all p, q, tight at (P, Q)."""
        ...

    def price(self, alpha: Array, beta: Array, bound: Array) -> Array:
        """At least max alpha.p + beta.q over distributions with D(p || q) <= bound, row by row."""
        ...


@dataclass(frozen=True)
class TotalVariation:
    """``TV(P, Q) = 1/2 sum_c |P_c - Q_c| = max over sets S of sum_{c in S} (P_c - Q_c)``.

    The f-divergence of f(t) = |t - 1| / 2: the largest difference in the probability of any event.
    """

    name: str = "tv"
    symmetric: bool = True
    largest: float = 1.0

    def values(self, P: Array, Q: Array) -> Array:
        return 0.5 * np.abs(P - Q).sum(axis=1)

    def table(self, P: Array, Q: Array) -> Array:
        return 0.5 * cdist(P, Q, "cityblock")

    def cuts(self, P: Array, Q: Array) -> tuple[Array, Array]:
        best_set = (P > Q).astype(np.float64)
        return best_set, -best_set

    def price(self, alpha: Array, beta: Array, bound: Array) -> Array:
        # alpha.p + beta.q = alpha.(p - q) + (alpha + beta).q; the first term is at most TV times
        # the range of alpha because p - q sums to zero, the second at most the largest entry.
        moved = np.minimum(bound, self.largest) * np.ptp(alpha, axis=1)
        return moved + (alpha + beta).max(axis=1)


REGISTRY: dict[str, Divergence] = {"tv": TotalVariation()}
PLANNED = ("kl", "reverse-kl", "jensen-shannon", "hellinger", "chi2", "triangular", "max-ratio")


def as_divergence(divergence: object) -> Divergence:
    """The divergence of that name, or the object itself if it is one."""
    if isinstance(divergence, str):
        if divergence in REGISTRY:
            return REGISTRY[divergence]
        if divergence in PLANNED:
            raise NotYetSupported(
                f"divergence: {divergence!r} is not in this version. Use divergence='tv'."
            )
        raise unknown_name("divergence", divergence, [*REGISTRY, *PLANNED])
    if isinstance(divergence, TotalVariation):
        return divergence
    if isinstance(divergence, Divergence):
        raise NotYetSupported(
            "divergence: your own divergence is not in this version. Use divergence='tv'."
        )
    raise InvalidArgument(
        "divergence",
        f"{type(divergence).__name__} is neither a name nor a Divergence.",
        "Use divergence='tv'.",
    )
