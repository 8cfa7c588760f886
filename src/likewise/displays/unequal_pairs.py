"""Pairs whom hard clustering parts, and how differently they are treated here."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from likewise.auditing import audit_pairs
from likewise.displays.base import FAINT, LINE, Display, task_of
from likewise.estimator import LikewiseClustering

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True)
class PartedPair:
    """Two rows, how differently they may be treated, and how differently they are."""

    i: int
    j: int
    bound: float
    hard: float  # by hard clustering
    fair: float  # by the fair one


class UnequalPairsDisplay(Display):
    """For each pair its bound, and how differently hard and fair clustering treat it.

    Parameters
    ----------
    pairs : list of PartedPair
        The worst first.
    """

    def __init__(self, pairs: list[PartedPair]) -> None:
        self.pairs = pairs

    @classmethod
    def from_estimator(
        cls,
        estimator: LikewiseClustering,
        X: object,
        *,
        sensitive_features: object = None,
        sample_weight: ArrayLike | None = None,
        count: int = 10,
        ax: "Axes | None" = None,
    ) -> "UnequalPairsDisplay":
        """The pairs that giving everybody to the nearest centre would treat most unequally, nobody
        twice, and what the estimator makes of them.
        """
        check_is_fitted(estimator)
        task, x = task_of(estimator, X, sensitive_features, sample_weight), estimator.distributions_
        hard = np.eye(x.shape[1])[np.asarray(estimator.transform(X)).argmin(axis=1)]
        (found,) = audit_pairs([hard], task.pairs, divergence=task.divergence, examples=count)
        i, j = (np.array([getattr(pair, end) for pair in found.examples], int) for end in "ij")
        fair = task.divergence.values(x[i], x[j])
        display = cls(
            [
                PartedPair(pair.i, pair.j, pair.bound, pair.divergence, float(here))
                for pair, here in zip(found.examples, fair, strict=True)
            ]
        )
        display.plot(ax)
        return display

    def _draw(self, ax: "Axes") -> None:
        rows = np.arange(len(self.pairs))[::-1]
        fair, hard, bound = (
            [getattr(pair, name) for pair in self.pairs] for name in ("fair", "hard", "bound")
        )
        ax.hlines(rows, fair, hard, color=FAINT, linewidth=1)
        ax.plot(hard, rows, "x", color="#d55e00", label="hard")
        ax.plot(fair, rows, "o", color=LINE, label="fair")
        ax.plot(bound, rows, "|", color="black", markersize=14, label="bound")
        ax.set_yticks(rows, [f"{pair.i} and {pair.j}" for pair in self.pairs])
        ax.set(xlabel="treated differently by")
        ax.legend(frameon=False)
