"""People in the plane, each in the colours of their probabilities."""

from typing import TYPE_CHECKING

import numpy as np
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from likewise._typing import Array
from likewise.displays.base import Display
from likewise.drawing.colors import mixtures, palette
from likewise.drawing.projection import Projection, project
from likewise.errors import InvalidArgument
from likewise.estimator import LikewiseClustering
from likewise.geometry.mixed import coordinates

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MAP_POINTS = 1_500  # drawn at most; more are a blur


class ClusterMapDisplay(Display):
    """A dot for each person, its colour mixed from those of the clusters in the proportion of the
    person's probabilities; numbered rings are the centres.

    Parameters
    ----------
    projection : Projection
        The people and the centres in the plane.
    distributions : (people, k) array
        Of the people that are drawn.
    """

    def __init__(self, projection: Projection, distributions: Array) -> None:
        self.projection = projection
        self.distributions = distributions

    @classmethod
    def from_estimator(
        cls, estimator: LikewiseClustering, X: object, *, ax: "Axes | None" = None
    ) -> "ClusterMapDisplay":
        """The map of the rows that the estimator was fitted on; of very many, some chosen at
        random. With precomputed distances pass any columns that tell the people apart.
        """
        check_is_fitted(estimator)
        rows, x = coordinates(X, estimator.metric), estimator.distributions_
        if len(rows) != len(x):
            raise InvalidArgument(
                "X",
                f"it has {len(rows)} rows, the estimator was fitted on {len(x)}.",
                "Pass the rows that were fitted.",
            )
        centers = estimator.center_indices_
        if (centers < 0).any():  # given points, which are no rows
            rows = np.vstack([rows, estimator.cluster_centers_])
            centers = np.arange(len(x), len(rows))
        shown = np.sort(check_random_state(0).permutation(len(x))[:MAP_POINTS])
        display = cls(project(rows, centers, shown), x[shown])
        display.plot(ax)
        return display

    def _draw(self, ax: "Axes") -> None:
        at, colors = self.projection, palette(self.distributions.shape[1])
        (across, up), (x, y) = at.points.T, at.centers.T
        ax.scatter(across, up, s=14, c=mixtures(self.distributions, colors), linewidths=0)
        ax.scatter(x, y, s=150, c="white", edgecolors=colors, linewidths=2.5, zorder=3)
        for number, place in enumerate(at.centers):
            ax.annotate(str(number), place, ha="center", va="center", fontsize=8, zorder=4)
        ax.set(xticks=[], yticks=[])
        ax.set_title(f"{at.explained:.0%} of how people differ", fontsize="medium")
