"""The paper's figures, drawn from what was measured."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING

from likewise.experiments import paper
from likewise.experiments.plan import LARGE, SIMILARITIES, SMALL, TABLE_CLUSTERS
from likewise.experiments.results import Results, curve, number

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INK, FAINT = "#22303c", "#c9d1d9"
COLORS = {
    "bank": "#0072b2",
    "adult": "#d55e00",
    "creditcard": "#009e73",
    "census1990": "#cc79a7",
    "diabetes": "#8a6d00",
}  # told apart by people who see few colours too
LINES = {"HKM": (":", "s"), "OPT": ("--", "o"), "ALG": ("-", "^")}
NAMES = {"global": "global similarity (F1)", "local": "local similarity (F2)"}
DOTS_PER_INCH = 160  # of the PNG files

_METADATA: dict[str, dict[str, None]] = {"png": {"Software": None}, "svg": {"Date": None}}


def draw_all(results: Results, folder: Path) -> dict[str, str]:
    """Every figure there are results for, as PNG and SVG; their titles by file name."""
    folder.mkdir(parents=True, exist_ok=True)
    drawn = {}
    with style():
        for name, (title, draw) in FIGURES.items():
            figure = draw(results)
            if figure is None:
                continue
            figure.suptitle(title, x=0.01, ha="left", fontsize=12, fontweight="bold")
            for ending in ("png", "svg"):
                path = folder / f"{name}.{ending}"
                figure.savefig(path, dpi=DOTS_PER_INCH, metadata=_METADATA[ending])
            drawn[name] = title
    return drawn


def style() -> AbstractContextManager[None]:
    """Faint axes, no frames, and the same bytes every time."""
    import matplotlib

    return matplotlib.rc_context(
        {
            "axes.edgecolor": FAINT,
            "axes.labelcolor": INK,
            "axes.grid": True,
            "axes.spines.right": False,
            "axes.spines.top": False,
            "axes.titlesize": 10,
            "figure.constrained_layout.use": True,
            "font.size": 9,
            "grid.color": "#eceff2",
            "legend.frameon": False,
            "lines.linewidth": 1.6,
            "lines.markersize": 4.5,
            "svg.hashsalt": "likewise",
            "text.color": INK,
            "xtick.color": INK,
            "ytick.color": INK,
        }
    )


def _figure(width: float, height: float) -> "Figure":
    """An empty sheet, in inches; of nobody's windows."""
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height))


def _by_similarity(
    height: float, sharey: bool = False
) -> tuple["Figure", "list[tuple[Axes, str]]"]:
    """A sheet with a panel for each similarity."""
    figure = _figure(9, height)
    panels = figure.subplots(1, len(SIMILARITIES), sharey=sharey)
    for axis, similarity in zip(panels, SIMILARITIES, strict=True):
        axis.set(title=NAMES[similarity], xlabel="k")
    return figure, list(zip(panels, SIMILARITIES, strict=True))


def _in_percent(shares: Mapping[int, float]) -> list[float]:
    return [100 * share for share in shares.values()]


def _soft_violations(results: Results) -> "Figure | None":
    figure, panels = _by_similarity(3.6)
    shown = False
    for axis, similarity in panels:
        for dataset in results.datasets:
            shares = _table_one(results, dataset, similarity)
            if shares:
                shown = True
                axis.plot(
                    list(shares), _in_percent(shares), "-o", color=COLORS[dataset], label=dataset
                )
            printed = paper.SOFT_VIOLATIONS[similarity].get(dataset)
            if printed:
                axis.plot(TABLE_CLUSTERS, printed, "x", color=COLORS[dataset], alpha=0.7)
        axis.set(ylabel="% of pairs violated", ylim=(0, None))
    first = panels[0][0]
    first.plot([], [], "x", color=INK, label="printed in the paper")
    first.legend(fontsize=8)
    return figure if shown else None


def _table_one(results: Results, dataset: str, similarity: str) -> dict[int, float]:
    at = dict(dataset=dataset, similarity=similarity, n=LARGE)
    shares = results.values(("SKM", "violated"), "clusterings", "individual", seed=0, **at)
    return {k: shares[k] for k in TABLE_CLUSTERS if k in shares}


def _group_fair_violations(results: Results) -> "Figure":
    figure, panels = _by_similarity(3.4, sharey=True)
    for axis, similarity in panels:
        for dataset in results.datasets:
            shares = results.large(("GF", "violated"), dataset, similarity)
            axis.plot(list(shares), _in_percent(shares), "-o", color=COLORS[dataset], label=dataset)
        axis.axhline(100 * paper.GF_VIOLATED, color=INK, linestyle=":", linewidth=1)
    first = panels[0][0]
    first.set(ylabel="% of pairs violated", ylim=(0, 100))
    first.legend(fontsize=8)
    return figure


def _costs(which: str) -> "Callable[[Results], Figure]":
    """Of ALG-IF and OPT-IF, or of ALG-CF and OPT-CF, beside hard k-means."""
    kinds = {
        f"ALG-{which}": "clusterings",
        f"OPT-{which}": f"bound-{which.lower()}",
        "HKM": "clusterings",
    }

    def draw(results: Results) -> "Figure":
        datasets = results.datasets
        figure = _figure(2.6 * len(datasets), 5)
        axes = figure.subplots(len(SIMILARITIES), len(datasets), squeeze=False, sharex=True)
        for row, similarity in zip(axes, SIMILARITIES, strict=True):
            for axis, dataset in zip(row, datasets, strict=True):
                at = dict(dataset=dataset, similarity=similarity, n=SMALL)
                for name, kind in kinds.items():
                    costs = results.values((name, "mean_cost"), kind, **at)
                    line, marker = LINES[name[:3]]
                    axis.plot(
                        list(costs),
                        [v**0.5 for v in costs.values()],
                        line,
                        marker=marker,
                        color=COLORS[dataset],
                        label=name,
                    )
                axis.set(title=f"{dataset}, {similarity}", ylim=(0, None))
            row[0].set(ylabel="cost L$_2$ / sqrt(n)")
        for axis in axes[-1]:
            axis.set(xlabel="k")
        axes[0][0].legend(fontsize=8)
        return figure

    return draw


def _trade_off(results: Results) -> "Figure | None":
    chosen = {
        cell.dataset: result
        for cell, result in results.cells("clusterings", similarity="global", n=LARGE, k=4)
    }
    if not chosen:
        return None
    figure = _figure(2.7 * len(chosen), 3.2)
    axes = figure.subplots(1, len(chosen), squeeze=False, sharey=True)
    for axis, (dataset, result) in zip(axes[0], chosen.items(), strict=True):
        beta, cost, violated = curve(result).T
        color = COLORS[dataset]
        axis.semilogx(beta, 100 * violated, color=color, label="% of pairs violated")
        price = (cost / number(result, "HKM", "mean_cost")) ** 0.5
        axis.semilogx(beta, 10 * price, "--", color=color, label="10 x cost over hard k-means")
        at, share = number(result, "SKM", "beta"), 100 * number(result, "SKM", "violated")
        axis.axvline(at, color=INK, linewidth=1, linestyle=":")
        axis.plot([at], [share], "o", color=INK)
        axis.annotate(
            f"costs as much as ALG-IF:\n{share:.0f}% violated",
            (at, share),
            textcoords="offset points",
            xytext=(6, -22),
            fontsize=7,
        )
        axis.set(title=f"{dataset}, k = 4", xlabel="stiffness beta", ylim=(0, 104))
    axes[0][0].legend(fontsize=7, loc="lower right")
    return figure


def _bias(results: Results) -> "Figure | None":
    figure = _figure(8, 3.8)
    axes = figure.subplots(1, 2, sharex=True, sharey=True)
    for axis, algorithm in zip(axes, ("ALG-IF", "GF"), strict=True):
        top = 0.0
        for dataset in results.datasets:
            points = list(_biases(results, algorithm, dataset))
            if points:
                across, up = zip(*points, strict=True)
                axis.plot(across, up, "o", color=COLORS[dataset], alpha=0.8, label=dataset)
                top = max(top, *across, *up)
        axis.plot([0, top], [0, top], color=INK, linewidth=1, linestyle=":")
        axis.set(title=algorithm, xlabel="earth mover's distance, group to everybody")
    axes[0].set(ylabel="bias of the most biased group")
    if not axes[0].get_legend_handles_labels()[0]:
        return None
    axes[0].legend(fontsize=8)
    return figure


def _biases(results: Results, algorithm: str, dataset: str) -> Iterator[tuple[float, float]]:
    """Distance and bias of the most biased group, in each run."""
    at = dict(dataset=dataset, similarity="global", n=LARGE)
    for _, result in results.cells("clusterings", **at):
        yield number(result, algorithm, "earth_mover"), number(result, algorithm, "bias")


def _time(results: Results) -> "Figure | None":
    seconds = results.seconds()
    if not seconds:
        return None
    figure = _figure(5.5, 3.6)
    axis = figure.subplots()
    axis.loglog(list(paper.SECONDS), list(paper.SECONDS.values()), "--s", color=FAINT)
    axis.loglog(list(seconds), list(seconds.values()), "-o", color=COLORS["creditcard"])
    axis.annotate("the paper (CPLEX, 20 cores)", (520, 260), color="#7b8794")
    axis.annotate("likewise (gap 1e-4)", (520, 1.6 * min(seconds.values())), color=INK)
    axis.set(xlabel="n (creditcard, k = 4, m = 250)", ylabel="seconds")
    axis.set_xticks(list(paper.SECONDS), [f"{n:,}" for n in paper.SECONDS])
    axis.minorticks_off()
    return figure


def _drawn(results: Results) -> "Figure":
    figure, panels = _by_similarity(3.4, sharey=True)
    for axis, similarity in panels:
        for dataset in results.datasets:
            for way, line in (("independent", "--"), ("coupled", "-")):
                shares = results.large(("drawn", way), dataset, similarity)
                axis.plot(
                    list(shares),
                    _in_percent(shares),
                    line,
                    marker="o",
                    color=COLORS[dataset],
                    label=dataset if way == "coupled" else None,
                )
    first = panels[0][0]
    first.set(ylabel="% of pairs apart in one draw", ylim=(0, 100))
    first.plot([], [], "--", color=INK, label="drawn independently")
    first.plot([], [], "-", color=INK, label="drawn together (coupled)")
    first.legend(fontsize=7, ncols=2)
    return figure


FIGURES: "dict[str, tuple[str, Callable[[Results], Figure | None]]]" = {
    "soft-violations": ("Soft k-means at ALG-IF's cost (Table 1)", _soft_violations),
    "group-fair-violations": ("Group fairness alone", _group_fair_violations),
    "cost-if": ("Cost of individual fairness, n = 80", _costs("IF")),
    "cost-cf": ("Cost of combined fairness, n = 80", _costs("CF")),
    "trade-off": ("Soft k-means: cost and violations against stiffness", _trade_off),
    "bias": ("Bias against earth mover's distance", _bias),
    "time": ("Running time of ALG-IF", _time),
    "drawn": ("One realization: labels drawn from ALG-IF", _drawn),
}
