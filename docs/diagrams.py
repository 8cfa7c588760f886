"""What the pages explain, drawn: `python docs/draw_pictures.py` writes each as an SVG.

The numbers in the pictures are computed here, not typed: what is drawn is the case.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Rectangle

from likewise import LikewiseClustering
from likewise.drawing.colors import palette
from likewise.experiments.figures import INK

BLUE, ORANGE, GREEN, PINK = palette(4)
GREY = "#7b8794"
CORNERS = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, 0.75**0.5]])  # of the simplex of three clusters


def total_variation(p, q):
    return 0.5 * np.abs(p - q).sum()


def kullback_leibler(p, q):
    return (p * np.log(p / q)).sum()


def panels(height: float, widths: tuple[float, ...] = (1, 1)) -> tuple[Figure, list[Axes]]:
    figure, axes = plt.subplots(1, len(widths), figsize=(8, height), width_ratios=widths)
    return figure, list(np.atleast_1d(axes))


def bare(axis: Axes, title: str) -> None:
    """Without scales: places matter, not numbers."""
    axis.set(title=title, xticks=[], yticks=[], aspect="equal")
    axis.spines[:].set_visible(False)


def between(axis: Axes, a, b, text: str, color: str, side: float, style: str = "-") -> None:
    """A line between two places, with a text beside its middle."""
    axis.plot(*np.transpose([a, b]), style, color=color)
    across = np.array([a[1] - b[1], b[0] - a[0]])
    place = (np.add(a, b)) / 2 + side * across / np.linalg.norm(across)
    axis.text(*place, text, color=INK, ha="center", va="center")


def mixing() -> Figure:
    """Two distributions go towards a common one, and what lies between them shrinks."""
    p, q, m = np.array([[0.76, 0.14, 0.10], [0.12, 0.74, 0.14], [0.22, 0.18, 0.60]])
    share = 0.6  # the bound, of each divergence
    figure, (left, right) = panels(3.5)

    def at(t):
        return (1 - t) * p + t * m, (1 - t) * q + t * m

    bare(left, "Everybody goes the same part of the way to M")
    left.fill(*CORNERS.T, facecolor="#f6f8fa", edgecolor=GREY, linewidth=1)
    for corner, name, below in zip(CORNERS, "123", (-1, -1, 1), strict=True):
        left.text(corner[0], corner[1] + 0.05 * below, f"cluster {name}", ha="center", va="center")
    mixed = at(1 - share)
    for end, moved, color in zip((p, q), mixed, (BLUE, ORANGE), strict=True):
        start, stop, common = end @ CORNERS, moved @ CORNERS, m @ CORNERS
        left.plot(*np.transpose([start, common]), ":", color=color, linewidth=1)
        left.annotate("", stop, start, arrowprops=dict(arrowstyle="-|>", color=color, lw=1.6))
        left.plot(*start, "o", color=color, markersize=7)
    left.plot(*(m @ CORNERS), "*", color=INK, markersize=13)
    for text, place, off in (("P", p, (-9, -4)), ("Q", q, (9, -4)), ("M", m, (0, 10))):
        left.annotate(text, place @ CORNERS, off, textcoords="offset points", ha="center")
    for pair in ((p, q), mixed):
        a, b = (each @ CORNERS for each in pair)
        between(left, a, b, f"TV = {total_variation(*pair):.2f}", GREY, -0.045)
    left.set(xlim=(-0.08, 1.08), ylim=(-0.1, 0.98))

    weights = np.linspace(0, 1, 201)
    for name, of, color, side in (
        ("total variation", total_variation, GREEN, "left"),
        ("KL", kullback_leibler, PINK, "right"),
    ):
        shares = np.array([of(*at(t)) / of(p, q) for t in weights])
        least = weights[shares <= share + 1e-12][0]
        right.plot(weights, shares, color=color, label=name)
        right.plot([least, least], [0, share], ":", color=color)
        right.plot([least], [share], "o", color=color, markersize=6)
        right.text(least, 0.03, f"  t = {least:.2f}  ", ha=side)
    right.axhline(share, color=INK, linestyle="--", linewidth=1)
    right.text(0.99, share + 0.02, "a bound F", ha="right")
    right.set(title="What is left of the divergence", xlabel="t, the weight of M")
    right.set(xlim=(0, 1), ylim=(0, 1.02), ylabel="as a share of D(P || Q)")
    right.legend(loc="upper right")
    return figure


def level_sets() -> Figure:
    """The best cut of a pair, and the cuts that a dual vector is made of."""
    p = np.array([0.35, 0.10, 0.25, 0.10, 0.20])
    q = np.array([0.15, 0.35, 0.15, 0.25, 0.10])
    u = np.array([0.5, -0.4, 0.2, -0.4, 0.1])
    clusters = np.arange(1, len(p) + 1)
    figure, (left, right) = panels(3.4, (1, 1.15))

    more = p > q
    left.bar(clusters - 0.2, p, 0.38, color=BLUE, label="P")
    left.bar(clusters + 0.2, q, 0.38, color=ORANGE, label="Q")
    for c in np.flatnonzero(more):
        left.add_patch(
            Rectangle((c + 0.61, q[c]), 0.38, p[c] - q[c], fill=False, hatch="////", edgecolor="w")
        )
    members = ", ".join(map(str, clusters[more]))
    left.set(title=f"The best cut: S = {{{members}}}, where P is above Q", ylim=(0, 0.47))
    left.set(xlabel="cluster", ylabel="chance", xticks=clusters, axisbelow=True)
    left.text(0.6, 0.42, f"hatched: {(p - q)[more].sum():.2f} = TV(P, Q)", ha="left")
    left.legend(loc="upper right")

    levels = np.unique(u)[::-1]
    for high, low, color in zip(levels, levels[1:], (PINK, GREEN, BLUE), strict=False):
        inside = u >= high
        right.bar(clusters[inside], high - low, 0.76, bottom=low, color=color)
        members = ", ".join(map(str, clusters[inside]))
        right.text(5.6, (high + low) / 2, f"{{{members}}}: {high - low:.1f}", va="center")
    for level in levels:
        right.plot([0.5, 5.5], [level, level], ":", color=GREY, linewidth=1)
    right.set(title="A dual vector in level sets: each is a cut", xlim=(0.5, 7.4))
    right.set(xlabel="cluster", ylabel="u", xticks=clusters, yticks=sorted(levels), axisbelow=True)
    right.text(5.6, levels[0] + 0.05, "cut: weight", va="bottom", style="italic")
    right.set(ylim=(levels[-1] - 0.05, levels[0] + 0.16))
    return figure


def boxes() -> Figure:
    """Two boxes of people that a scan passes over at once."""
    random = np.random.default_rng(1)
    figure, (left, right) = panels(3.3)
    ours, theirs = (
        random.uniform(-1, 1, (8, 2)) * (0.9, 0.6) + place for place in ((0, 0), (4.2, 2.4))
    )
    bare(left, "Their columns: no two are nearer than this")
    corners = [_box(left, each, color) for each, color in ((ours, BLUE), (theirs, ORANGE))]
    between(left, corners[0][1], corners[1][0], "at least d", INK, 0.45, "--")

    ours = random.uniform(-1, 1, (8, 2)) * (0.045, 0.04) + (0.52, 0.30)
    theirs = random.uniform(-1, 1, (8, 2)) * (0.05, 0.035) + (0.585, 0.345)
    right.set(title="Their chances: no two are further apart than this", aspect="equal")
    corners = [_box(right, each, color) for each, color in ((ours, BLUE), (theirs, ORANGE))]
    between(right, corners[0][0], corners[1][1], "", INK, 0.0, "--")
    right.annotate("at most t", corners[1][1], (6, 4), textcoords="offset points")
    right.set(xlabel="chance of cluster 1", ylabel="chance of cluster 2")
    right.set(xlim=(0.4, 0.75), ylim=(0.2, 0.43), axisbelow=True)
    figure.supxlabel(
        "If t is within the bound of two people at a distance of d, none of the 64 pairs is looked"
        " at.",
        fontsize=9,
        color=INK,
    )
    return figure


def _box(axis: Axes, points: np.ndarray, color: str) -> tuple[np.ndarray, np.ndarray]:
    """Points in the least box that holds them; its lowest and highest corners."""
    low, high = points.min(axis=0), points.max(axis=0)
    axis.add_patch(Rectangle(low, *(high - low), facecolor=color, alpha=0.15))
    axis.add_patch(Rectangle(low, *(high - low), fill=False, edgecolor=color))
    axis.plot(*points.T, "o", color=color)
    return low, high


def radii() -> Figure:
    """Somebody in a crowd and somebody outside: each has a radius of their own."""
    random = np.random.default_rng(4)
    crowd = random.normal((0, 0), 0.36, (28, 2))
    others = random.uniform((0.9, -1.3), (3.3, 1.6), (10, 2))
    X = np.vstack([crowd, others, [(0.3, -0.1), (1.2, 0.3)]])
    n, k = len(X), 3
    i, j, count = n - 2, n - 1, n // k
    distances = np.linalg.norm(X[:, None] - X[None], axis=2)
    r = np.sort(distances, axis=1)[:, count]  # the first is oneself
    figure, (axis, beside) = panels(3.4, (1.25, 1))
    bare(axis, f"{n} people, {k} clusters: each ball holds {count} others")
    axis.plot(*X[:i].T, "o", color=GREY)
    for row, name, color in ((i, "i", BLUE), (j, "j", ORANGE)):
        axis.add_patch(Circle(X[row], r[row], facecolor=color, alpha=0.12))
        axis.add_patch(Circle(X[row], r[row], fill=False, edgecolor=color, linewidth=1.6))
        axis.plot(*X[row], "o", color=color, markersize=9)
        axis.annotate(name, X[row], (0, 8), textcoords="offset points", ha="center", weight="bold")
        between(axis, X[row], X[row] - (0, r[row]), f"$r_{name}$", color, -0.13, ":")
    d = distances[i, j]
    between(axis, X[i], X[j], "d", INK, -0.13)
    axis.set(xlim=(-0.95, 3.45), ylim=(-1.4, 1.75))
    said = (
        f"d = {d:.2f}, $r_i$ = {r[i]:.2f}, $r_j$ = {r[j]:.2f}",
        "",
        "How differently may the two be treated?",
        f"by i's radius: d / $r_i$ = {d / r[i]:.2f}, so no bound",
        f"by j's radius: d / $r_j$ = {d / r[j]:.2f}",
        f"both count: by {min(1, d / max(r[i], r[j])):.2f} at most",
    )
    beside.set_axis_off()
    beside.text(0.06, 0.5, "\n".join(said), va="center", linespacing=1.8, in_layout=False)
    return figure


def outlier() -> Figure:
    """Chances along a line: one person far away, and all others are alike."""
    line = np.linspace(0, 10, 61)
    settings = (
        ("local", [], "-", BLUE, "the local similarity"),
        ("global", [], "--", ORANGE, "the global one"),
        ("global", [100.0], ":", INK, "the global one, and somebody at 100"),
    )
    figure, (axis,) = panels(3.0, (1,))
    for similarity, far, style, color, label in settings:
        X = np.append(line, far)[:, None]
        weights = np.append(np.ones(len(line)), np.zeros(len(far)))  # their distance alone counts
        model = LikewiseClustering(2, similarity=similarity, centers=np.array([[2.0], [8.0]]))
        model.fit(X, sample_weight=weights)
        axis.plot(line, model.distributions_[: len(line), 1], style, color=color, label=label)
    axis.set(title="One person far away makes everybody alike", xlim=(0, 10), ylim=(-0.03, 1.03))
    axis.set(xlabel="where somebody is", ylabel="chance of the right-hand cluster")
    axis.legend(loc="upper left")
    return figure


DIAGRAMS = (mixing, level_sets, boxes, radii, outlier)
