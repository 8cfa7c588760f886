"""The largest log ratio of two probabilities: what differential privacy bounds."""

from dataclasses import dataclass

import numpy as np

from likewise._typing import Array
from likewise.divergences.base import table_of_values


@dataclass(frozen=True)
class MaxRatio:
    """``max_c |log(P_c / Q_c)|``: Dwork's relative l-infinity metric. Not an f-divergence.

    D <= F is the same as P_c <= e^F Q_c and Q_c <= e^F P_c at every centre; 0 / 0 counts as 1.
    """

    name: str = "max-ratio"
    symmetric: bool = True
    largest: float = np.inf
    piecewise_linear: bool = True

    def fingerprint(self) -> str:
        return self.name

    def values(self, P: Array, Q: Array) -> Array:
        P, Q = np.maximum(P, 0.0), np.maximum(Q, 0.0)
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = np.abs(np.log(P) - np.log(Q))
        return np.asarray(np.where(P == Q, 0.0, ratio).max(axis=-1))

    def table(self, P: Array, Q: Array) -> Array:
        return table_of_values(self.values, P, Q)

    def cuts(self, P: Array, Q: Array, bound: Array) -> tuple[Array, Array, Array]:
        """The most broken of the inequalities e^-F P_c <= Q_c and e^-F Q_c <= P_c: e^F would
        overflow where a large F stands for no bound.
        """
        rows = np.arange(len(P))
        share = np.exp(-bound)
        above, below = share[:, None] * P - Q, share[:, None] * Q - P
        from_p = above.max(axis=1) >= below.max(axis=1)
        center = np.where(from_p, above.argmax(axis=1), below.argmax(axis=1))
        alpha, beta = np.zeros(P.shape), np.zeros(P.shape)
        alpha[rows, center] = np.where(from_p, share, -1.0)
        beta[rows, center] = np.where(from_p, -1.0, share)
        return alpha, beta, np.zeros(len(P))

    def support_function(self, alpha: Array, beta: Array, bound: Array) -> Array:
        """An upper bound: max_c beta_c + alpha_c e^F (alpha_c e^-F where alpha_c is negative).

        For given q, every p_c is between q_c e^-F and q_c e^F; and q is a distribution.
        """
        with np.errstate(over="ignore", invalid="ignore"):
            factor = np.exp(bound)[:, None]
            kept = np.where(alpha > 0, alpha * factor, alpha / factor)
        free = alpha.max(axis=1) + beta.max(axis=1)  # without any bound
        bounded = np.nan_to_num(beta + kept, nan=np.inf).max(axis=1)
        return np.asarray(np.minimum(free, bounded))
