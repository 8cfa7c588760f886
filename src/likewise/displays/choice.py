"""What each number of clusters costs."""

from typing import TYPE_CHECKING

from likewise.choosing import ChoiceOfK
from likewise.displays.base import FAINT, LINE, Display

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class ChooseKDisplay(Display):
    """Costs of hard and fair clustering against k, the suggested k marked.

    Parameters
    ----------
    choice : ChoiceOfK
        As ``likewise.choose_k`` gives it.
    """

    def __init__(self, choice: ChoiceOfK) -> None:
        self.choice = choice

    @classmethod
    def from_choice(cls, choice: ChoiceOfK, *, ax: "Axes | None" = None) -> "ChooseKDisplay":
        """Draw a choice."""
        display = cls(choice)
        display.plot(ax)
        return display

    def _draw(self, ax: "Axes") -> None:
        table = self.choice.table
        k, fair = [row.n_clusters for row in table], [row.fair_cost for row in table]
        ax.plot(k, fair, "o-", color=LINE, label="fair")
        ax.fill_between(k, [row.lower_bound for row in table], fair, color=LINE, alpha=0.2)
        hard = [row.hard_cost for row in table]
        ax.plot(k, hard, "s--", color=FAINT, label="hard", markersize=4)
        at = k.index(self.choice.suggested)
        name = f"suggested: {k[at]}"
        ax.plot(k[at], fair[at], "o", color="#d55e00", markersize=11, label=name)
        ax.set_xticks(k)
        ax.set(xlabel="clusters", ylabel="cost")
        ax.legend(frameon=False)
