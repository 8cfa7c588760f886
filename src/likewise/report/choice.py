"""How many clusters: what ``likewise choose`` leaves, and what the page shows of it."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from likewise.choosing import ChoiceOfK, KRow
from likewise.io.json_values import Fields, read_json, write_json
from likewise.report.chart import BOTTOM, HEIGHT, LEFT, WIDTH

CHOICE, TABLE, PICTURE = "choice.json", "choice.csv", "choice.svg"


def write_choice(folder: Path, choice: ChoiceOfK, file: str) -> None:
    """Into a folder, with the name of the table it is about."""
    write_json(folder / CHOICE, {"file": file, **asdict(choice)})


def read_choice(folder: Path) -> ChoiceOfK:
    """From the folder that ``write_choice`` wrote into."""
    kept = read_json(folder / CHOICE)
    rows = tuple(_row(each) for each in kept.each_inner("table"))
    return ChoiceOfK(rows, kept.get("suggested", int), kept.get("reason", str))


def _row(kept: Fields) -> KRow:
    numbers = [each.name for each in fields(KRow) if each.name != "n_clusters"]
    return KRow(
        kept.get("n_clusters", int),
        **{name: _number(kept.maybe(name, float)) for name in numbers},
    )


def _number(value: float | None) -> float:
    """A silhouette may be none: null in the file."""
    return float("nan") if value is None else value


@dataclass(frozen=True)
class KMark:
    """One number of clusters on the chart."""

    x: float
    fair: float
    hard: float
    row: KRow
    suggested: bool
    used: bool


@dataclass(frozen=True)
class ChoiceChart:
    """Costs against the number of clusters, and the words beside it."""

    marks: list[KMark]
    fair_line: str
    hard_line: str
    top: float
    reason: str


def choice_chart(choice: ChoiceOfK, used: int) -> ChoiceChart:
    """Even steps across, one for each k that was tried; up: cost, from nothing to the largest."""
    rows = choice.table
    top = max(max(row.fair_cost, row.hard_cost) for row in rows)
    step = WIDTH / max(len(rows) - 1, 1)

    def up(cost: float) -> float:
        return BOTTOM - HEIGHT * cost / max(top, 1e-300)

    marks = [
        KMark(
            x=LEFT + step * number,
            fair=up(row.fair_cost),
            hard=up(row.hard_cost),
            row=row,
            suggested=row.n_clusters == choice.suggested,
            used=row.n_clusters == used,
        )
        for number, row in enumerate(rows)
    ]
    fair = _line([(mark.x, mark.fair) for mark in marks])
    hard = _line([(mark.x, mark.hard) for mark in marks])
    return ChoiceChart(marks, fair, hard, top, choice.reason)


def _line(places: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
