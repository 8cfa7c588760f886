"""What every divergence offers."""

from collections.abc import Callable
from typing import Protocol, runtime_checkable

import numpy as np

from likewise._typing import Array

TABLE_CELLS = 4_000_000  # probabilities in a block of a table: 32 MB


@runtime_checkable
class Divergence(Protocol):
    """D(P || Q) for distributions P and Q over the centres; pairs with D <= bound are fair."""

    @property
    def name(self) -> str: ...

    @property
    def symmetric(self) -> bool:
        """Whether D(P || Q) = D(Q || P)."""
        ...

    @property
    def largest(self) -> float:
        """No two distributions are further apart than this."""
        ...

    @property
    def piecewise_linear(self) -> bool:
        """Whether finitely many planes bound the fair pairs."""
        ...

    def fingerprint(self) -> str:
        """Tells this divergence from any other, in every process the same."""
        ...

    def values(self, P: Array, Q: Array) -> Array:
        """D(P_r || Q_r), row by row."""
        ...

    def table(self, P: Array, Q: Array) -> Array:
        """D(P_r || Q_s) for every row r of P and every row s of Q."""
        ...

    def cuts(self, P: Array, Q: Array, bound: Array) -> tuple[Array, Array, Array]:
        """(alpha, beta, limit) for each row: alpha.p + beta.q <= limit wherever D(p || q) <= bound,
        and not at (P, Q) if D(P || Q) > bound.
        """
        ...

    def support_function(self, alpha: Array, beta: Array, bound: Array) -> Array:
        """max of alpha.p + beta.q over distributions with D(p || q) <= bound, row by row, or more.

        The support function of the set of fair pairs, or an upper bound of it: what a lower bound
        pays for the duals (alpha, beta) of a pair.
        """
        ...


def table_of_values(values: Callable[[Array, Array], Array], P: Array, Q: Array) -> Array:
    """values(P_r, Q_s) for every row r of P and every row s of Q, a few rows at a time."""
    table = np.empty((len(P), len(Q)))
    rows = max(1, TABLE_CELLS // Q.size)
    for start in range(0, len(P), rows):
        part = slice(start, start + rows)
        table[part] = values(P[part, None, :], Q[None, :, :])
    return table
