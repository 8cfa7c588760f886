"""How differently two people are treated: one small class a divergence.

A divergence compares two distributions over the centres. The solvers and the certificate ask it
for values, for cuts (linear inequalities that every fair pair obeys) and for the price of a dual
vector (what a lower bound pays for a pair); nothing else of the program knows which one is used.
"""

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from scipy.spatial.distance import cdist

from likewise._typing import Array
from likewise.divergences.f_divergence import table_of_values
from likewise.divergences.named import (
    ChiSquared,
    Hellinger,
    JensenShannon,
    KullbackLeibler,
    ReverseKullbackLeibler,
    Triangular,
)
from likewise.errors import InvalidArgument, unknown_name


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

    @property
    def piecewise_linear(self) -> bool:
        """Whether finitely many planes bound the fair pairs."""
        ...

    def cuts(self, P: Array, Q: Array, bound: Array) -> tuple[Array, Array, Array]:
        """(alpha, beta, limit) a row: alpha.p + beta.q <= limit wherever D(p || q) <= bound, and
        not at (P, Q) if D(P || Q) > bound.
        """
        ...

    def price(self, alpha: Array, beta: Array, bound: Array) -> Array:
        """At least max alpha.p + beta.q over distributions with D(p || q) <= bound, row by row."""
        ...


@dataclass(frozen=True)
class MaxRatio:
    """``max_c |log(P_c / Q_c)|``: Dwork's relative l-infinity metric. Not an f-divergence.

    D <= F is the same as P_c <= e^F Q_c and Q_c <= e^F P_c at every centre; 0 / 0 counts as 1.
    """

    name: str = "max-ratio"
    symmetric: bool = True
    largest: float = np.inf
    piecewise_linear: bool = True

    def values(self, P: Array, Q: Array) -> Array:
        P, Q = np.maximum(P, 0.0), np.maximum(Q, 0.0)
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = np.abs(np.log(P) - np.log(Q))
        return np.where(P == Q, 0.0, ratio).max(axis=-1)

    def table(self, P: Array, Q: Array) -> Array:
        return table_of_values(self.values, P, Q)

    def cuts(self, P: Array, Q: Array, bound: Array) -> tuple[Array, Array, Array]:
        rows = np.arange(len(P))
        factor = np.exp(bound)
        above, below = P - factor[:, None] * Q, Q - factor[:, None] * P
        from_p = above.max(axis=1) >= below.max(axis=1)
        center = np.where(from_p, above.argmax(axis=1), below.argmax(axis=1))
        alpha, beta = np.zeros(P.shape), np.zeros(P.shape)
        alpha[rows, center] = np.where(from_p, 1.0, -factor)
        beta[rows, center] = np.where(from_p, -factor, 1.0)
        return alpha, beta, np.zeros(len(P))

    def price(self, alpha: Array, beta: Array, bound: Array) -> Array:
        # given q, every p_c is between q_c / e^F and q_c e^F; and q is somewhere
        with np.errstate(over="ignore", invalid="ignore"):
            factor = np.exp(bound)[:, None]
            kept = np.where(alpha > 0, alpha * factor, alpha / factor)
        free = alpha.max(axis=1) + beta.max(axis=1)
        return np.minimum(free, np.nan_to_num(beta + kept, nan=np.inf).max(axis=1))


@dataclass(frozen=True)
class TotalVariation:
    """``TV(P, Q) = 1/2 sum_c |P_c - Q_c| = max over sets S of sum_{c in S} (P_c - Q_c)``.

    The f-divergence of ``f(t) = |t - 1| / 2``: the largest difference in the probability of any
    event.
    """

    name: str = "tv"
    symmetric: bool = True
    largest: float = 1.0
    piecewise_linear: bool = True

    def values(self, P: Array, Q: Array) -> Array:
        return 0.5 * np.abs(P - Q).sum(axis=1)

    def table(self, P: Array, Q: Array) -> Array:
        return 0.5 * cdist(P, Q, "cityblock")

    def cuts(self, P: Array, Q: Array, bound: Array) -> tuple[Array, Array, Array]:
        best_set = (P > Q).astype(np.float64)
        return best_set, -best_set, bound

    def price(self, alpha: Array, beta: Array, bound: Array) -> Array:
        # alpha.p + beta.q = alpha.(p - q) + (alpha + beta).q; the first term is at most TV times
        # the range of alpha because p - q sums to zero, the second at most the largest entry.
        moved = np.minimum(bound, self.largest) * np.ptp(alpha, axis=1)
        return moved + (alpha + beta).max(axis=1)


REGISTRY: dict[str, Divergence] = {
    divergence.name: divergence
    for divergence in (
        TotalVariation(),
        KullbackLeibler(),
        ReverseKullbackLeibler(),
        JensenShannon(),
        Hellinger(),
        ChiSquared(),
        Triangular(),
        MaxRatio(),
    )
}


def as_divergence(divergence: object) -> Divergence:
    """The divergence of that name, or the object itself if it is one."""
    if isinstance(divergence, str):
        if divergence in REGISTRY:
            return REGISTRY[divergence]
        raise unknown_name("divergence", divergence, REGISTRY)
    if isinstance(divergence, Divergence) and not isinstance(divergence, type):
        return divergence
    raise InvalidArgument(
        "divergence",
        f"{type(divergence).__name__} is neither a name nor a Divergence.",
        f"Use one of {', '.join(REGISTRY)}, or FDivergence(f) for your own.",
    )
