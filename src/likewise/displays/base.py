"""What all displays share: an axis to draw on, and the question that a model answered."""

from typing import TYPE_CHECKING

from numpy.typing import ArrayLike

from likewise.errors import require_extra
from likewise.estimator import LikewiseClustering
from likewise.problem.specification import Specification, Task

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure

LINE, FAINT = "#0072b2", "#5b6875"  # as in the report


class Display:
    """Something that can be drawn on an axis."""

    ax_: "Axes"
    figure_: "Figure | SubFigure | None"

    def plot(self, ax: "Axes | None" = None) -> "Display":
        """Draw it on this axis, or on one of its own."""
        self.ax_ = axis_or_new(ax)
        self.figure_ = self.ax_.figure
        self._draw(self.ax_)
        return self

    def _draw(self, ax: "Axes") -> None:
        raise NotImplementedError


def axis_or_new(ax: "Axes | None") -> "Axes":
    """The axis, or that of a new figure."""
    if ax is not None:
        return ax
    require_extra("plots", "plot")
    from matplotlib import pyplot

    return pyplot.subplots(layout="constrained")[1]


def task_of(
    estimator: LikewiseClustering,
    X: object,
    sensitive_features: object = None,
    sample_weight: ArrayLike | None = None,
) -> Task:
    """What the estimator was asked, of these rows."""
    asked = Specification.of(estimator.get_params(deep=False))
    return asked.task_of_table(X, sensitive_features, sample_weight)
