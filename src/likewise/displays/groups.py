"""Protected groups in each cluster."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from likewise.displays.base import Display
from likewise.drawing.colors import palette
from likewise.estimator import LikewiseClustering
from likewise.groups.membership import describe
from likewise.metrics.group import GroupShares, group_shares

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WIDTH = 0.8  # of the bars of a cluster together


class GroupDisplay(Display):
    """Each group's share of each cluster, with a line at its share of everybody.

    Parameters
    ----------
    groups : GroupShares
        Of the groups that are drawn.
    """

    def __init__(self, groups: Sequence[GroupShares]) -> None:
        self.groups = list(groups)

    @classmethod
    def from_estimator(
        cls,
        estimator: LikewiseClustering,
        sensitive_features: object,
        *,
        sample_weight: ArrayLike | None = None,
        ax: "Axes | None" = None,
    ) -> "GroupDisplay":
        """Of the people that the estimator was fitted on."""
        check_is_fitted(estimator)
        found = group_shares(estimator.distributions_, sensitive_features, sample_weight)
        display = cls(found)
        display.plot(ax)
        return display

    def _draw(self, ax: "Axes") -> None:
        width = WIDTH / len(self.groups)
        clusters = np.arange(len(self.groups[0].cluster_shares))
        for number, (group, color) in enumerate(
            zip(self.groups, palette(len(self.groups)), strict=True)
        ):
            places = clusters + (number - (len(self.groups) - 1) / 2) * width
            shares = np.nan_to_num(group.cluster_shares)
            ax.bar(places, shares, width, color=color, label=describe(group.group))
            level = np.full(len(places), group.share)
            ax.hlines(level, places - width / 2, places + width / 2, color="black", linewidth=1.5)
        ax.set_xticks(clusters)
        ax.set(xlabel="cluster", ylabel="share (line: of everybody)")
        ax.legend(frameon=False, fontsize="small")
