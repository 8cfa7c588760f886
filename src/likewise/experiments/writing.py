"""REPRODUCTION.md: ours beside the paper's print, each claim with its verdict."""

from collections.abc import Iterable
from pathlib import Path

import numpy as np

from likewise import __version__
from likewise.experiments import paper
from likewise.experiments.claims import judge
from likewise.experiments.plan import LARGE, SIMILARITIES, SMALL, TABLE_CLUSTERS
from likewise.experiments.results import Results
from likewise.io.atomic import write_atomically

TABLE_KINDS = ("clusterings", "individual")


def write_reproduction(
    results: Results, figures: dict[str, str], path: Path, seconds: float
) -> None:
    """The whole document, in one piece."""
    parts = [
        _head(results, seconds),
        _claims(results),
        _soft(results),
        _ratios(results),
        _group_fair(results),
        _drawn(results),
        _times(results),
        _figures(figures),
    ]
    write_atomically(path, "\n".join(part for part in parts if part).encode())


def table(columns: Iterable[object], rows: Iterable[Iterable[object]]) -> str:
    """A table in Markdown."""
    names = list(columns)
    lines: list[Iterable[object]] = [names, ["---"] * len(names), *rows]
    return "\n".join(f"| {' | '.join(str(cell) for cell in line)} |" for line in lines) + "\n"


def _head(results: Results, seconds: float) -> str:
    runs = len(results.found)
    return (
        "# The paper, reproduced\n\n"
        '"Distributional Individual Fairness in Clustering" (Anderson, Bera, Das, Liu 2020), run'
        f" again with likewise {__version__}: {runs} cells, {seconds / 60:.0f} minutes of"
        f" computing. Data sets: {', '.join(results.datasets)}. Centres by k-means, snapped to the"
        " nearest rows; every fair clustering is certified to within 1e-4 of its optimum (1e-3 for"
        " the other nine samples of Table 1).\n"
    )


def _claims(results: Results) -> str:
    rows = [(each.claim, f"**{each.word}**", each.figure) for each in judge(results)]
    note = (
        "\nThe paper's cost is L_2, the square root of the objective. Its plots take that root"
        " twice, so its printed ratios are fourth roots of the objective's ratio: 1.08 there is"
        " 1.17 in L_2. Both are shown. Better centres than the vanilla ones bring the true ratios"
        " down (`max_refine`): benchmarks/RESULTS.md has them beside each other.\n"
    )
    return "## Claims\n\n" + table(["claim", "verdict", "measured"], rows) + note


def _soft(results: Results) -> str:
    parts = [_soft_of(results, similarity) for similarity in SIMILARITIES]
    if not any(parts):
        return ""
    head = (
        "## Table 1: soft k-means at the same cost\n\nPer cent of the individual constraints that"
        " soft k-means violates when its stiffness makes it as expensive as ALG-IF, n = 1000: ours,"
        " and the paper's in brackets. The paper does not say how the stiffness was chosen. Its"
        f" numbers are those of the first sample with the least multiple of {paper.BETA_STEP} that"
        " costs no more than ALG-IF, rounded down: that is the first table of each pair. The second"
        " has exactly the same cost, which is what the comparison means; mean, least and largest of"
        " the samples.\n"
    )
    return head + "".join(parts)


def _soft_of(results: Results, similarity: str) -> str:
    ours, exact, off, far = [], [], [], []
    for dataset in results.datasets:
        at = dict(dataset=dataset, similarity=similarity, n=LARGE)
        stepped = results.values(("SKM", "violated_in_steps"), "clusterings", **at)
        of_samples = results.all_values(("SKM", "violated"), *TABLE_KINDS, seed=0, **at)
        of_seeds = results.all_values(("SKM", "violated_in_steps"), *TABLE_KINDS, sample=0, **at)
        row, exact_row = [dataset], [dataset]
        printed = paper.SOFT_VIOLATIONS[similarity][dataset]
        for k, theirs in zip(TABLE_CLUSTERS, printed, strict=True):
            if k not in stepped:
                row.append(f"- ({theirs})")
                exact_row.append("-")
                continue
            share = int(100 * stepped[k])  # they round down
            row.append(f"{share} ({theirs})")
            exact_row.append(_spread(of_samples[k]))
            off.append(abs(share - theirs))
            if off[-1] > 5:
                again = f"{_spread(of_seeds[k])} over {len(of_seeds[k])} seeds of k-means"
                far.append(f"{dataset} k = {k} ({share} against {theirs}; {again})")
        ours.append(row)
        exact.append(exact_row)
    if not off:
        return ""
    columns = ["data set", *(f"k = {k}" for k in TABLE_CLUSTERS)]
    text = f"\n**{similarity}**, as the paper did it\n\n{table(columns, ours)}"
    text += f"\nMean absolute difference: {np.mean(off):.1f} points. "
    if far:
        text += (
            f"More than 5 points off: {'; '.join(far)}. There k-means has several ends of nearly"
            " the same cost, and which of them the authors' run took is not published.\n"
        )
    else:
        text += "None is more than 5 points off.\n"
    n_samples = len({cell.sample for cell, _ in results.cells(*TABLE_KINDS, similarity=similarity)})
    samples = f"{n_samples} sample{'s' if n_samples > 1 else ''}"
    return text + f"\n**{similarity}**, same cost, {samples}\n\n" + table(columns, exact)


def _spread(shares: list[float]) -> str:
    """Mean, and the range if there is one, in per cent."""
    text = f"{100 * np.mean(shares):.0f}"
    if len(shares) > 1:
        text += f" ({100 * min(shares):.0f} to {100 * max(shares):.0f})"
    return text


def _ratios(results: Results) -> str:
    rows = []
    for which in ("IF", "CF"):
        for similarity in SIMILARITIES:
            for dataset in results.datasets:
                ratios = results.ratios(which, dataset, similarity)
                prices = results.prices(which, dataset, similarity)
                if ratios:
                    worst, price = max(ratios.values()), max(prices.values())
                    rows.append(
                        (
                            f"ALG-{which}",
                            similarity,
                            dataset,
                            f"{worst:.3f}",
                            f"{worst**0.5:.3f}",
                            f"{price:.3f}",
                            f"{price**0.5:.3f}",
                        )
                    )
    if not rows:
        return ""
    columns = [
        "algorithm",
        "similarity",
        "data set",
        "over OPT (L_2)",
        "as plotted",
        "OPT over hard k-means (L_2)",
        "as plotted",
    ]
    return f"## Cost against the lower bounds, n = {SMALL}, worst k\n\n" + table(columns, rows)


def _group_fair(results: Results) -> str:
    return _by_clusters(
        results,
        "## Group fairness alone: per cent of individual constraints violated (n = 1000)",
        (("GF", "violated"),),
    )


def _drawn(results: Results) -> str:
    return _by_clusters(
        results,
        "## One realization: per cent of constrained pairs with different labels (n = 1000)\n\n"
        "Labels drawn from ALG-IF's distributions, independently / coupled (`draw_labels`). A pair"
        " of different labels is above any bound below 1; the distributions themselves violate"
        " none. The paper draws independently.",
        (("drawn", "independent"), ("drawn", "coupled")),
    )


def _by_clusters(results: Results, head: str, names: tuple[tuple[str, str], ...]) -> str:
    rows, all_k = [], set()
    for similarity in SIMILARITIES:
        for dataset in results.datasets:
            columns = [results.large(name, dataset, similarity) for name in names]
            if columns[0]:
                all_k |= set(columns[0])
                rows.append((similarity, dataset, columns))
    ks = sorted(all_k)
    if not rows:
        return ""

    def cell(columns: list[dict[int, float]], k: int) -> str:
        return " / ".join(f"{100 * column[k]:.0f}" if k in column else "-" for column in columns)

    lines = [(s, d, *(cell(columns, k) for k in ks)) for s, d, columns in rows]
    return f"{head}\n\n" + table(["similarity", "data set", *(f"k = {k}" for k in ks)], lines)


def _times(results: Results) -> str:
    rows = []
    for n, seconds in results.seconds().items():
        theirs = paper.SECONDS[n]
        rows.append((f"{n:,}", f"{seconds:.1f}", f"{theirs:,}", f"{theirs / seconds:,.0f}"))
    if not rows:
        return ""
    columns = ["n", "seconds", "the paper's (20 cores, CPLEX)", "times faster"]
    return "## Running time: creditcard, k = 4, m = 250, global\n\n" + table(columns, rows)


def _figures(figures: dict[str, str]) -> str:
    return "## Figures\n\n" + "\n".join(
        f"### {title}\n\n![{title}](figures/{name}.svg)\n" for name, title in figures.items()
    )
