"""Draws docs/pictures/rooms.svg: the rooms in storeys, and how data flow through them.

    python docs/draw_rooms.py

A test checks the picture against the code: every room is in it, none imports from a storey below
its own, and where an arrow is drawn the room at its end does import the one at its beginning.
"""

from pathlib import Path
from xml.sax.saxutils import escape

PICTURE = Path(__file__).parent / "pictures" / "rooms.svg"
LEFT, STEP_X, STEP_Y = 148, 158, 86
WIDTH, HEIGHT = 136, 48

# storey: {room: (column, what it is for)}; a room uses rooms of its own storey and of those above
STOREYS: dict[str, dict[str, tuple[int, str]]] = {
    "foundations": {
        "errors": (0, "messages with remedies"),
        "_validation": (1, "checks of arguments"),
        "_typing": (2, "names of types"),
        "compute": (3, "compiled, on all cores"),
        "io": (4, "files whole or not at all"),
    },
    "notions": {
        "datasets": (0, "the paper's five"),
        "groups": (1, "who, and bounds"),
        "geometry": (2, "distances"),
        "divergences": (3, "D(P || Q)"),
        "drawing": (4, "colours, maps"),
    },
    "the question": {
        "problem": (1, "what is asked"),
        "similarities": (2, "pairs and their bounds"),
    },
    "the answer": {
        "solvers": (1, "distributions, duals"),
        "certificate": (2, "the proof"),
        "centers": (3, "the k centres"),
    },
    "a fit": {
        "fitting": (1, "the pipeline"),
        "estimator": (2, "scikit-learn's face"),
        "prediction": (3, "people who come later"),
        "distributed": (4, "on a cluster"),
        "sampling": (0, "labels drawn"),
    },
    "judgement": {
        "metrics": (0, "how fair, how costly"),
        "auditing": (1, "who fares unequally"),
        "frontier": (2, "what fairness costs"),
        "baselines": (3, "what to compare with"),
        "choosing": (4, "how many clusters"),
    },
    "faces": {
        "cli": (0, "the command line"),
        "report": (1, "one HTML page"),
        "displays": (2, "pictures in Python"),
        "experiments": (3, "the paper, again"),
        "assigning": (4, "later people, by blocks"),
    },
}
FLOW = [
    ("geometry", "similarities"),
    ("groups", "problem"),
    ("similarities", "problem"),
    ("geometry", "centers"),
    ("problem", "solvers"),
    ("problem", "certificate"),
    ("solvers", "fitting"),
    ("certificate", "fitting"),
    ("centers", "fitting"),
    ("fitting", "estimator"),
    ("prediction", "estimator"),
    ("metrics", "auditing"),
    ("auditing", "report"),
    ("frontier", "report"),
    ("report", "cli"),
    ("baselines", "experiments"),
    ("datasets", "experiments"),
]


def places() -> dict[str, tuple[int, int, str]]:
    """room: (x, y, caption)."""
    return {
        room: (LEFT + column * STEP_X, 24 + row * STEP_Y, caption)
        for row, rooms in enumerate(STOREYS.values())
        for room, (column, caption) in rooms.items()
    }


def storey(row: int, name: str, width: int) -> str:
    y = 12 + row * STEP_Y
    fill = "#f6f8fa" if row % 2 else "#ffffff"
    return (
        f'<rect x="0" y="{y}" width="{width}" height="{STEP_Y}" style="fill:{fill};stroke:none"/>'
        f'<text x="16" y="{y + 40}" class="storey">{escape(name)}</text>'
    )


def box(room: str, x: int, y: int, caption: str) -> str:
    return (
        f'<rect x="{x}" y="{y}" width="{WIDTH}" height="{HEIGHT}" rx="6"/>'
        f'<text x="{x + WIDTH / 2}" y="{y + 20}" class="name">{escape(room)}</text>'
        f'<text x="{x + WIDTH / 2}" y="{y + 37}">{escape(caption)}</text>'
    )


def arrow(start: tuple[int, int, str], end: tuple[int, int, str]) -> str:
    (x0, y0, _), (x1, y1, _) = start, end
    if y0 == y1:  # side by side
        to_right = x0 < x1
        a = (x0 + WIDTH if to_right else x0, y0 + HEIGHT / 2)
        b = (x1 - 3 if to_right else x1 + WIDTH + 3, y1 + HEIGHT / 2)
        return f'<path d="M{a[0]} {a[1]} L{b[0]} {b[1]}" marker-end="url(#tip)"/>'
    aside = 26 if x0 > x1 else -26 if x0 < x1 else 0  # so that arrows do not meet in one point
    a = (x0 + WIDTH / 2 - aside, y0 + HEIGHT)
    b = (x1 + WIDTH / 2 + aside, y1 - 3)
    bend = 0.5 * (b[1] - a[1])
    return (
        f'<path d="M{a[0]} {a[1]} C{a[0]} {a[1] + bend}, {b[0]} {b[1] - bend}, {b[0]} {b[1]}"'
        ' marker-end="url(#tip)"/>'
    )


def draw() -> str:
    at = places()
    width, height = LEFT + 5 * STEP_X, 24 + len(STOREYS) * STEP_Y
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img"'
        ' aria-label="The rooms of the package in storeys, and how data flow through them">',
        "<style>rect{fill:#eaf1f8;stroke:#3b6ea5}path{fill:none;stroke:#556;stroke-width:1.3}"
        "text{font:11px sans-serif;text-anchor:middle;fill:#333}"
        ".name{font:bold 13px monospace;fill:#123}"
        ".storey{font:italic 13px sans-serif;text-anchor:start;fill:#666}</style>",
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7"'
        ' markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" style="fill:#556;stroke:none"/>'
        "</marker></defs>",
        f'<rect width="{width}" height="{height}" style="fill:#fff;stroke:none"/>',
        *(storey(row, name, width) for row, name in enumerate(STOREYS)),
        *(arrow(at[start], at[end]) for start, end in FLOW),
        *(box(room, *where) for room, where in at.items()),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


if __name__ == "__main__":
    PICTURE.write_text(draw(), encoding="utf-8")
