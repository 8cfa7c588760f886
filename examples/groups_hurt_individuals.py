"""Fairness to groups can hurt individuals.

Two towns, three quarters of each of one colour. Group-fair clustering must mix colours in both
clusters, so it sends some people of the common colour to the far town and keeps their twins of the
same colour: neighbours who are alike in everything fare differently. Combined fairness mixes as
well, but treats like people alike. Writes groups_hurt_individuals.svg.
"""

import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

from likewise import LikewiseClustering, metrics
from likewise.baselines.clusterings import group_fair


def main(folder: Path) -> None:
    rng = np.random.default_rng(0)
    X = np.vstack([rng.normal((-2, 0), 0.7, (80, 2)), rng.normal((2, 0), 0.7, (80, 2))])
    color = np.where(np.r_[np.arange(80) < 60, np.arange(80) < 20], "orange", "blue")
    centers = [int(np.linalg.norm(X - place, axis=1).argmin()) for place in ((-2, 0), (2, 0))]
    pairs = metrics.constrained_pairs(X, "global", n_clusters=2, sensitive_features=color)
    groups = group_fair(X, 2, color, group_tolerance=0.2, centers=np.array(centers))
    both = LikewiseClustering(2, centers=np.array(centers), group_tolerance=0.2)
    both.fit(X, sensitive_features=color)
    ways = {"group fairness alone": groups.distributions, "combined": both.distributions_}
    for name, x in ways.items():
        broken = metrics.violations(x, pairs).share
        print(f"{name:>20}: {broken:6.1%} of like pairs treated unequally;", end=" ")
        print(f"balance {min(metrics.balance(x, color).values()):.2f}")
    print(both.certificate_)

    figure, axes = plt.subplots(1, 2, figsize=(9, 3.4), sharey=True, layout="constrained")
    for axis, (name, x) in zip(axes, ways.items(), strict=True):
        for each, marker in (("orange", "o"), ("blue", "s")):
            rows = color == each
            axis.scatter(
                *X[rows].T, c=x[rows, 0], cmap="viridis", vmin=0, vmax=1, marker=marker, s=30,
                edgecolors="#d55e00" if each == "orange" else "#0072b2",
            )  # fmt: skip
        axis.set(title=name, xticks=[], yticks=[])
    figure.suptitle("filling: chance of the left centre; edge and shape: group", fontsize=9)
    figure.savefig(folder / "groups_hurt_individuals.svg", metadata={"Date": None})


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 and Path(sys.argv[1]).is_dir() else Path())
