"""Pictures in Python: display objects, as scikit-learn has them.

Each holds what it draws, so that it can be drawn again: ``from_estimator`` (or the constructor)
gathers it, ``plot(ax=None)`` draws it and leaves ``ax_`` and ``figure_``. Colours are those of the
report. matplotlib is loaded when something is drawn.
"""

from likewise.displays.choice import ChooseKDisplay
from likewise.displays.cluster_map import ClusterMapDisplay
from likewise.displays.frontier import FrontierDisplay
from likewise.displays.groups import GroupDisplay
from likewise.displays.unequal_pairs import UnequalPairsDisplay

__all__ = [
    "ChooseKDisplay",
    "ClusterMapDisplay",
    "FrontierDisplay",
    "GroupDisplay",
    "UnequalPairsDisplay",
]
