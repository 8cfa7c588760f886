"""What more or less fairness costs."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from likewise.centers.choose import choose_for
from likewise.displays.base import LINE, Display, task_of
from likewise.estimator import LikewiseClustering
from likewise.frontier import COARSE_SCALES, FrontierPoint, frontier_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class FrontierDisplay(Display):
    """Cost over that of hard clustering, against what all bounds are multiplied by.

    Parameters
    ----------
    points : FrontierPoints
        As ``likewise.frontier.frontier`` gives them.
    """

    def __init__(self, points: Sequence[FrontierPoint]) -> None:
        self.points = list(points)

    @classmethod
    def from_estimator(
        cls,
        estimator: LikewiseClustering,
        X: object,
        *,
        scales: Sequence[float] = COARSE_SCALES,
        sensitive_features: object = None,
        sample_weight: ArrayLike | None = None,
        tol: float = 1e-3,
        ax: "Axes | None" = None,
    ) -> "FrontierDisplay":
        """Solve for each scale, with the estimator's centres and whatever else it was asked."""
        check_is_fitted(estimator)
        task = task_of(estimator, X, sensitive_features, sample_weight)
        rows = estimator.center_indices_
        at = rows if (rows >= 0).all() else estimator.cluster_centers_
        display = cls(list(frontier_of(task, choose_for(task, at), scales, tol=tol)))
        display.plot(ax)
        return display

    def _draw(self, ax: "Axes") -> None:
        places, prices = np.arange(len(self.points)), [point.price for point in self.points]
        ax.plot(places, prices, "o-", color=LINE)
        asked = [at for at in places if self.points[at].scale == 1.0]
        ax.plot(asked, [prices[at] for at in asked], "o", color=LINE, markersize=11)
        names = ["none" if np.isinf(point.scale) else f"{point.scale:g}" for point in self.points]
        ax.set_xticks(places, names)
        ax.set(xlabel="bounds times", ylabel="cost, hard clustering = 1")
