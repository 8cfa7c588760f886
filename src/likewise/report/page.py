"""The report as one HTML file: everything in it, nothing loaded from anywhere."""

import base64
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

import numpy as np

from likewise.auditing import GroupAudit
from likewise.divergences.registry import as_divergence
from likewise.frontier import CostlyPair
from likewise.io.atomic import write_atomically
from likewise.report.chart import Chart, frontier_chart
from likewise.report.colors import mixtures, palette
from likewise.report.content import Content
from likewise.report.run import Run

SHOWN_COLUMNS = 6  # of a person, where people are shown: more do not fit on paper
SHOWN_PAIRS = 6  # that hard clustering parts


@dataclass(frozen=True)
class Person:
    """A row of the table, as the page shows it."""

    id: object
    cells: list[object]  # the first columns, as they stand in the file
    x: list[float]


@dataclass(frozen=True)
class Pair:
    """Two people, how differently they may be treated, and how differently they are."""

    people: tuple[Person, Person]
    bound: float
    differ: float
    saving: float | None = None  # what more of this bound would save


@dataclass(frozen=True)
class Bar:
    """The share of a group in a cluster, beside its share of everybody."""

    share: float
    of_all: float


def write_report(content: Content, path: Path) -> None:
    """Draw the page and put it in place in one step."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, draw(content).encode())


def draw(content: Content) -> str:
    """The page; every value from the table is escaped."""
    import jinja2

    source = resources.files("likewise.report")
    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined)
    environment.filters |= {"percent": _percent, "number": _number}
    template = environment.from_string(source.joinpath("page.html").read_text(encoding="utf-8"))
    script = source.joinpath("page.js").read_text(encoding="utf-8")
    return template.render(
        style=source.joinpath("page.css").read_text(encoding="utf-8"),
        script=script,
        script_hash=_hash(script),
        data=_for_script(_map_data(content)),
        **_values(content),
    )


def _hash(script: str) -> str:
    """As browsers know a script that may run: this one and no other, whatever is on the page."""
    return f"sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}"


def _for_script(data: Mapping[str, object]) -> str:
    """JSON that cannot end the script it stands in, whatever is in it."""
    text = json.dumps(data, ensure_ascii=True, default=str)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _values(content: Content) -> dict[str, object]:
    """What the template is filled with, besides the map."""
    run = content.run
    groups = content.ours.audit.groups
    return {
        "record": run.record,
        "certificate": run.certificate,
        "n": run.n_points,
        "k": run.n_clusters,
        "colors": palette(run.n_clusters),
        "sizes": content.ours.audit.cluster_sizes,
        "ours": content.ours,
        "hard": content.hard,
        "ways": content.ways,
        "frontier": _frontier(content),
        "unequal": _unequal(content),
        "costly": [_costly(run, pair) for pair in content.costly],
        "groups": groups,
        "group_bars": [_bars(group) for group in groups],
        "centers": [_person(run, int(row)) for row in run.center_rows],
        "columns": run.record.features[:SHOWN_COLUMNS],
        "explained": content.projection.explained,
        "shown": len(content.projection.rows),
        "notes": content.notes,
    }


def _map_data(content: Content) -> dict[str, object]:
    """The people on the map, as the script reads them."""
    run, at = content.run, content.projection
    colors = palette(run.n_clusters)
    protected = run.protected(at.rows).values()
    places = at.points.round(4).tolist()
    mixed = mixtures(run.distributions[at.rows], colors)
    return {
        "colors": colors,
        "centers": at.centers.round(4).tolist(),
        "points": [
            {
                "id": str(run.ids[row]),
                "at": places[number],
                "x": run.distributions[row].round(4).tolist(),
                "color": mixed[number],
                "label": int(run.labels[row]),
                "groups": [str(values[number]) for values in protected],
            }
            for number, row in enumerate(at.rows.tolist())
        ],
    }


def _frontier(content: Content) -> Chart | None:
    return frontier_chart(content.frontier, content.frontier_rows) if content.frontier else None


def _unequal(content: Content) -> list[Pair]:
    """Pairs that hard clustering treats most unequally, and what they get here. A pair that is bad
    both ways round is shown once.
    """
    rows = content.judged_rows
    shown: dict[frozenset[int], Pair] = {}
    for pair in content.hard.audit.worst_pairs:
        both = frozenset((pair.i, pair.j))
        if pair.excess > 0 and both not in shown:
            shown[both] = _pair(content.run, int(rows[pair.i]), int(rows[pair.j]), pair.bound)
    return list(shown.values())[:SHOWN_PAIRS]


def _pair(run: Run, i: int, j: int, bound: float, saving: float | None = None) -> Pair:
    measure = as_divergence(run.record.parameters.divergence)
    differ = float(measure.values(run.distributions[[i]], run.distributions[[j]])[0])
    return Pair((_person(run, i), _person(run, j)), bound, differ, saving)


def _costly(run: Run, pair: CostlyPair) -> Pair:
    return _pair(run, pair.i, pair.j, pair.bound, pair.saving)


def _person(run: Run, row: int) -> Person:
    names = run.record.features[:SHOWN_COLUMNS]
    cells = [run.table[name][row] for name in names]
    return Person(run.ids[row], cells, run.distributions[row].tolist())


def _bars(group: GroupAudit) -> list[Bar]:
    return [Bar(share, group.share) for share in group.cluster_shares]


def _percent(value: float, digits: int = 1) -> str:
    if not np.isfinite(value):
        return "-"
    if 0 < abs(value) < 0.5 * 10 ** -(digits + 2):
        return f"under {10.0**-digits:g}%"
    return f"{100 * value:.{digits}f}%"


def _number(value: object) -> str:
    if isinstance(value, bool) or value is None:
        return "-" if value is None else str(value)
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:,.4g}"
    return str(value)
