"""Points on a border, treated unfairly by hard clustering.

Two crowds that touch. k-means draws a line between them, and neighbours on either side of it fare
differently; with the fair assignment chances change gradually. Writes boundary_points.svg.
"""

import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

from likewise import LikewiseClustering, metrics


def main(folder: Path) -> None:
    rng = np.random.default_rng(3)
    X = np.vstack([rng.normal((-1.2, 0), 0.8, (120, 2)), rng.normal((1.2, 0), 0.8, (120, 2))])
    model = LikewiseClustering(2, similarity="local", random_state=0).fit(X)
    away = np.linalg.norm(X[:, None] - model.cluster_centers_[None], axis=2)
    hard = np.eye(2)[away.argmin(axis=1)]
    pairs = metrics.constrained_pairs(X, "local", n_clusters=2)
    worst = metrics.worst_pairs(hard, pairs, count=1)[0]
    i, j = worst.i, worst.j
    here = abs(model.distributions_[i, 0] - model.distributions_[j, 0])
    print(f"hard clustering parts points {i} and {j}, which may differ by {worst.bound:.3f}")
    print(f"likewise: they differ by {here:.3f}")
    print(model.certificate_)

    figure, axes = plt.subplots(1, 2, figsize=(9, 3.6), sharey=True, layout="constrained")
    for axis, x, title in zip(
        axes, (hard, model.distributions_), ("hard clustering", "likewise"), strict=True
    ):
        axis.scatter(*X.T, c=x[:, 0], cmap="coolwarm", vmin=0, vmax=1, s=28, edgecolors="white")
        axis.scatter(*model.cluster_centers_.T, marker="*", s=220, c="black")
        axis.scatter(*X[[i, j]].T, s=130, facecolors="none", edgecolors="black")
        axis.set(title=title, xticks=[], yticks=[])
    figure.savefig(folder / "boundary_points.svg", metadata={"Date": None})


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 and Path(sys.argv[1]).is_dir() else Path())
