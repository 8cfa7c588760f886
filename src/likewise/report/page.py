"""The report as one HTML file: everything in it, nothing loaded from anywhere."""

import base64
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from likewise.drawing.colors import mixtures, palette
from likewise.io.atomic import write_atomically
from likewise.metrics.group import GroupShares
from likewise.problem.costs import root_in_words
from likewise.report import in_words
from likewise.report.chart import frontier_chart
from likewise.report.choice import choice_chart
from likewise.report.content import Content
from likewise.report.numbers import count, excess, number, percent, percent_at_most
from likewise.report.people import Pair, People, value_in_words


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
    filters = (percent, percent_at_most, excess, number, count)
    environment.filters |= {each.__name__: each for each in filters}
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
    run, compared = content.run, content.comparison
    people, p = People(run), run.record.parameters.p
    return {
        "record": run.record,
        "certificate": run.certificate,
        "verdict": in_words.Verdict.of(
            run.certificate, compared.ours.audit.pairs, compared.of_everybody
        ),
        "scope": content.scope,
        "n": run.n_points,
        "k": run.n_clusters,
        "colors": palette(run.n_clusters),
        "sizes": content.cluster_sizes.tolist(),
        "ours": compared.ours,
        "hard": compared.hard,
        "ways": compared.ways,
        "judged": len(compared.judged),
        "unequal": _unequal(content, people),
        "groups": content.groups,
        "group_bars": [_bars(group) for group in content.groups],
        "columns": people.columns,
        "centers": [people.person(int(row)) for row in run.center_rows],
        "map": content.projection,
        "shown": len(content.projection.rows),
        "of_pairs": in_words.of_pairs(len(compared.judged), run.n_points),
        "of_cost": in_words.of_cost(p),
        "of_objective": in_words.of_objective(p),
        "root": root_in_words(p),
        "choice": None if content.choice is None else choice_chart(content.choice, run.n_clusters),
        **_fairness_cost(content, people),
    }


def _fairness_cost(content: Content, people: People) -> dict[str, object]:
    """What more or less fairness would cost, or why that is not shown."""
    run, found = content.run, content.fairness_cost
    if found is None:
        return {"chart": None, "no_chart": in_words.why_no_frontier(run), "costly": []}
    priced = found.is_of_everybody  # a bound between people who stand for others has no price
    return {
        "chart": frontier_chart(found.points),
        "of_frontier": in_words.of_frontier(found, run),
        "costly_have_prices": priced,
        "costly": [
            people.pair(pair.i, pair.j, pair.bound, pair.saving if priced else None)
            for pair in found.costly
        ],
    }


def _unequal(content: Content, people: People) -> list[Pair]:
    """Pairs that hard clustering treats most unequally, and what they get here."""
    rows, examples = content.comparison.judged, content.comparison.hard.audit.examples
    return [people.pair(int(rows[pair.i]), int(rows[pair.j]), pair.bound) for pair in examples]


def _bars(group: GroupShares) -> list[Bar]:
    return [Bar(share, group.share) for share in group.cluster_shares]


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
                "groups": [value_in_words(values[number]) for values in protected],
                "outside": bool(at.outside[number]),
            }
            for number, row in enumerate(at.rows.tolist())
        ],
    }
