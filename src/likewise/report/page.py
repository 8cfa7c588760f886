"""The report as one HTML file: everything in it, nothing loaded from anywhere."""

import json
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np

from likewise.auditing import GroupAudit
from likewise.divergences.registry import as_divergence
from likewise.io.atomic import write_atomically
from likewise.report.colors import mixtures, palette
from likewise.report.content import Content, Run

SHOWN_COLUMNS = 6  # of a person, where people are shown


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
    return template.render(
        style=source.joinpath("page.css").read_text(encoding="utf-8"),
        script=source.joinpath("page.js").read_text(encoding="utf-8"),
        data=_for_script(_map_data(content)),
        **_values(content),
    )


def _for_script(data: Any) -> str:
    """JSON that cannot end the script it stands in, whatever is in it."""
    text = json.dumps(data, ensure_ascii=True, default=str)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _values(content: Content) -> dict[str, Any]:
    run, certificate = content.run, content.run.certificate
    k = run.distributions.shape[1]
    ours = content.ways[0]
    return {
        "title": run.record["input"]["file"],
        "n": len(run.ids),
        "k": k,
        "certificate": certificate,
        "fair": bool(certificate["is_fair"]),
        "record": run.record,
        "colors": palette(k),
        "sizes": ours.audit.cluster_sizes,
        "ways": content.ways,
        "frontier": _frontier_chart(content),
        "unequal": _unequal(content),
        "costly": [_costly(content, pair) for pair in content.costly],
        "groups": ours.audit.groups,
        "group_bars": [_bars(group) for group in ours.audit.groups],
        "centers": _centers(run),
        "columns": run.record["features"][:SHOWN_COLUMNS],
        "explained": content.projection.explained,
        "shown": len(content.projection.rows),
        "notes": content.notes,
        "attributes": run.record["protected"],
    }


def _map_data(content: Content) -> dict[str, Any]:
    run, at = content.run, content.projection
    colors = palette(run.distributions.shape[1])
    rows = at.rows.tolist()
    return {
        "colors": colors,
        "centers": at.centers.round(4).tolist(),
        "points": [
            {
                "id": str(run.ids[row]),
                "at": place,
                "x": run.distributions[row].round(4).tolist(),
                "color": color,
                "label": int(run.labels[row]),
                "groups": [str(values[row]) for values in run.protected.values()],
            }
            for row, place, color in zip(
                rows,
                at.points.round(4).tolist(),
                mixtures(run.distributions[at.rows], colors),
                strict=True,
            )
        ],
    }


def _frontier_chart(content: Content) -> dict[str, Any] | None:
    """Places on a chart of 640 x 260, even steps across: scales grow by factors."""
    points = content.frontier
    if not points:
        return None
    top = max(point.price for point in points)
    step = 560 / max(len(points) - 1, 1)
    marks = [
        {
            "x": 50 + step * number,
            "y": 220 - 180 * (point.price - 1) / max(top - 1, 1e-9),
            "scale": "hard" if np.isinf(point.scale) else f"{point.scale:g}",
            "price": point.price,
            "objective": point.objective,
            "lower_bound": point.lower_bound,
            "asked": point.scale == 1.0,
        }
        for number, point in enumerate(points)
    ]
    line = " ".join(f"{mark['x']:.1f},{mark['y']:.1f}" for mark in marks)
    return {"marks": marks, "line": line, "top": top, "rows": content.frontier_rows}


def _unequal(content: Content) -> list[dict[str, Any]]:
    """Pairs that hard clustering treats most unequally, and what they get here."""
    hard = next(way for way in content.ways if way.name == "hard clustering")
    rows = content.judged_rows
    shown, seen = [], set()
    for pair in hard.audit.worst_pairs:
        both = frozenset((pair.i, pair.j))
        if pair.excess <= 0 or both in seen:
            continue
        seen.add(both)
        shown.append(_two(content.run, int(rows[pair.i]), int(rows[pair.j]), pair.bound))
    return shown[:6]


def _two(run: Run, i: int, j: int, bound: float) -> dict[str, Any]:
    measure = as_divergence(run.record["parameters"]["divergence"])
    return {
        "people": [_person(run, i), _person(run, j)],
        "bound": bound,
        "differ": float(measure.values(run.distributions[[i]], run.distributions[[j]])[0]),
    }


def _costly(content: Content, pair: Any) -> dict[str, Any]:
    return {**_two(content.run, pair.i, pair.j, pair.bound), "saving": pair.saving}


def _person(run: Run, row: int) -> dict[str, Any]:
    names = run.record["features"][:SHOWN_COLUMNS]
    return {
        "id": run.ids[row],
        "values": [run.table[name][row] for name in names],
        "x": run.distributions[row].tolist(),
    }


def _centers(run: Run) -> list[dict[str, Any]]:
    return [_person(run, int(row)) for row in run.center_rows]


def _bars(group: GroupAudit) -> list[dict[str, float]]:
    """Its share of each cluster beside its share of everybody."""
    return [{"share": share, "of_all": group.share} for share in group.cluster_shares]


def _percent(value: float, digits: int = 1) -> str:
    if value is None or not np.isfinite(value):
        return "-"
    if 0 < abs(value) < 0.5 * 10 ** -(digits + 2):
        return f"under {10.0**-digits:g}%"
    return f"{100 * value:.{digits}f}%"


def _number(value: Any) -> str:
    if isinstance(value, bool) or value is None:
        return "-" if value is None else str(value)
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:,.4g}"
    return str(value)
