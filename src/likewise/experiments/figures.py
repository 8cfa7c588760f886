"""The paper's figures, drawn from what was measured."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from likewise.experiments import paper
from likewise.experiments.plan import LARGE, SIMILARITIES, SMALL, TABLE_CLUSTERS
from likewise.experiments.results import Results

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


def draw_all(results: Results, folder: Path) -> dict[str, str]:
    """Every figure there are results for, as PNG and SVG; their titles by file name."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    folder.mkdir(parents=True, exist_ok=True)
    drawn = {}
    with plt.rc_context(_STYLE):
        for name, (title, draw) in FIGURES.items():
            figure = draw(results, plt)
            if figure is None:
                continue
            figure.suptitle(title, x=0.01, ha="left", fontsize=12, fontweight="bold")
            for ending in ("png", "svg"):
                figure.savefig(folder / f"{name}.{ending}", dpi=160, metadata=_METADATA[ending])
            plt.close(figure)
            drawn[name] = title
    return drawn


_METADATA: dict[str, dict[str, Any]] = {"png": {"Software": None}, "svg": {"Date": None}}
_STYLE: Any = {
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


def _soft_violations(results: Results, plt: Any) -> Any:
    figure, axes = plt.subplots(1, 2, figsize=(9, 3.6))
    shown = False
    for axis, similarity in zip(axes, SIMILARITIES, strict=True):
        for dataset in results.datasets:
            shares = _table_one(results, dataset, similarity)
            if shares:
                shown = True
                ks, values = zip(*shares.items(), strict=True)
                axis.plot(ks, values, "-o", color=COLORS[dataset], label=dataset)
            printed = paper.SOFT_VIOLATIONS[similarity].get(dataset)
            if printed:
                axis.plot(TABLE_CLUSTERS, printed, "x", color=COLORS[dataset], alpha=0.7)
        axis.set(title=NAMES[similarity], xlabel="k", ylabel="% of pairs violated", ylim=(0, None))
    axes[0].plot([], [], "x", color=INK, label="printed in the paper")
    axes[0].legend(fontsize=8)
    return figure if shown else plt.close(figure)


def _table_one(results: Results, dataset: str, similarity: str) -> dict[int, float]:
    at = dict(dataset=dataset, similarity=similarity, n=LARGE)
    shares = results.values(("SKM", "violated"), "clusterings", "individual", seed=0, **at)
    return {k: 100 * shares[k] for k in TABLE_CLUSTERS if k in shares}


def _group_fair_violations(results: Results, plt: Any) -> Any:
    figure, axes = plt.subplots(1, 2, figsize=(9, 3.4), sharey=True)
    for axis, similarity in zip(axes, SIMILARITIES, strict=True):
        for dataset in results.datasets:
            at = dict(dataset=dataset, similarity=similarity, n=LARGE)
            shares = results.values(("GF", "violated"), "clusterings", **at)
            axis.plot(
                list(shares),
                [100 * v for v in shares.values()],
                "-o",
                color=COLORS[dataset],
                label=dataset,
            )
        axis.axhline(25, color=INK, linestyle=":", linewidth=1)
        axis.set(title=NAMES[similarity], xlabel="k")
    axes[0].set(ylabel="% of pairs violated", ylim=(0, 100))
    axes[0].legend(fontsize=8)
    return figure


def _costs(which: str) -> Callable[[Results, Any], Any]:
    def draw(results: Results, plt: Any) -> Any:
        datasets = results.datasets
        figure, axes = plt.subplots(
            2, len(datasets), figsize=(2.6 * len(datasets), 5), squeeze=False, sharex=True
        )
        kinds = {
            f"ALG-{which}": "clusterings",
            f"OPT-{which}": f"bound-{which.lower()}",
            "HKM": "clusterings",
        }
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


def _trade_off(results: Results, plt: Any) -> Any:
    chosen = {
        cell.dataset: (cell, result)
        for cell, result in results.cells("clusterings", similarity="global", n=LARGE, k=4)
    }
    if not chosen:
        return None
    figure, axes = plt.subplots(
        1, len(chosen), figsize=(2.7 * len(chosen), 3.2), squeeze=False, sharey=True
    )
    for axis, (dataset, (_, result)) in zip(axes[0], chosen.items(), strict=True):
        beta, cost, violated = np.array(result["SKM"]["curve"]).T
        color = COLORS[dataset]
        axis.semilogx(beta, 100 * violated, color=color, label="% of pairs violated")
        price = (cost / result["HKM"]["mean_cost"]) ** 0.5
        axis.semilogx(beta, 10 * price, "--", color=color, label="10 x cost over hard k-means")
        at = result["SKM"]["beta"]
        axis.axvline(at, color=INK, linewidth=1, linestyle=":")
        axis.plot([at], [100 * result["SKM"]["violated"]], "o", color=INK)
        axis.annotate(
            f"costs as much as ALG-IF:\n{100 * result['SKM']['violated']:.0f}% violated",
            (at, 100 * result["SKM"]["violated"]),
            textcoords="offset points",
            xytext=(6, -22),
            fontsize=7,
        )
        axis.set(title=f"{dataset}, k = 4", xlabel="stiffness beta", ylim=(0, 104))
    axes[0][0].legend(fontsize=7, loc="lower right")
    return figure


def _bias(results: Results, plt: Any) -> Any:
    figure, axes = plt.subplots(1, 2, figsize=(8, 3.8), sharex=True, sharey=True)
    for axis, algorithm in zip(axes, ("ALG-IF", "GF"), strict=True):
        top = 0.0
        for dataset in results.datasets:
            points = [
                (result[algorithm]["earth_mover"], result[algorithm]["bias"])
                for _, result in results.cells(
                    "clusterings", dataset=dataset, similarity="global", n=LARGE
                )
            ]
            if points:
                across, up = zip(*points, strict=True)
                axis.plot(across, up, "o", color=COLORS[dataset], alpha=0.8, label=dataset)
                top = max(top, *across, *up)
        axis.plot([0, top], [0, top], color=INK, linewidth=1, linestyle=":")
        axis.set(title=algorithm, xlabel="earth mover's distance, group to everybody")
    axes[0].set(ylabel="bias of the most biased group")
    if not axes[0].get_legend_handles_labels()[0]:
        return plt.close(figure)
    axes[0].legend(fontsize=8)
    return figure


def _time(results: Results, plt: Any) -> Any:
    seconds = {cell.n: result["ALG-IF"]["s"] for cell, result in results.cells("time")}
    if not seconds:
        return None
    figure, axis = plt.subplots(figsize=(5.5, 3.6))
    axis.loglog(list(paper.SECONDS), list(paper.SECONDS.values()), "--s", color=FAINT)
    axis.loglog(list(seconds), list(seconds.values()), "-o", color=COLORS["creditcard"])
    axis.annotate("the paper (CPLEX, 20 cores)", (520, 260), color="#7b8794")
    axis.annotate("likewise (gap 1e-4)", (520, 1.6 * min(seconds.values())), color=INK)
    axis.set(xlabel="n (creditcard, k = 4, m = 250)", ylabel="seconds")
    axis.set_xticks(list(paper.SECONDS), [f"{n:,}" for n in paper.SECONDS])
    axis.minorticks_off()
    return figure


def _drawn(results: Results, plt: Any) -> Any:
    figure, axes = plt.subplots(1, 2, figsize=(9, 3.4), sharey=True)
    for axis, similarity in zip(axes, SIMILARITIES, strict=True):
        for dataset in results.datasets:
            at = dict(dataset=dataset, similarity=similarity, n=LARGE)
            for way, line in (("independent", "--"), ("coupled", "-")):
                shares = results.values(("drawn", way), "clusterings", **at)
                axis.plot(
                    list(shares),
                    [100 * v for v in shares.values()],
                    line,
                    marker="o",
                    color=COLORS[dataset],
                    label=dataset if way == "coupled" else None,
                )
        axis.set(title=NAMES[similarity], xlabel="k")
    axes[0].set(ylabel="% of pairs apart in one draw", ylim=(0, 100))
    axes[0].plot([], [], "--", color=INK, label="drawn independently")
    axes[0].plot([], [], "-", color=INK, label="drawn together (coupled)")
    axes[0].legend(fontsize=7, ncols=2)
    return figure


FIGURES: dict[str, tuple[str, Callable[[Results, Any], Any]]] = {
    "soft-violations": ("Soft k-means at ALG-IF's cost (Table 1)", _soft_violations),
    "group-fair-violations": ("Group fairness alone", _group_fair_violations),
    "cost-if": ("Cost of individual fairness, n = 80", _costs("IF")),
    "cost-cf": ("Cost of combined fairness, n = 80", _costs("CF")),
    "trade-off": ("Soft k-means: cost and violations against stiffness", _trade_off),
    "bias": ("Bias against earth mover's distance", _bias),
    "time": ("Running time of ALG-IF", _time),
    "drawn": ("One realization: labels drawn from ALG-IF", _drawn),
}
