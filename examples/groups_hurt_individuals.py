"""
Fairness to groups can hurt individuals
=======================================

Two towns, three quarters of each of one colour. Group-fair clustering must mix colours in both
clusters, so it sends some people of the common colour to the far town and keeps their twins of the
same colour: neighbours who are alike in everything fare differently. Combined fairness mixes as
well, but treats like people alike.
"""

import matplotlib.pyplot as plt
import numpy as np

from likewise import LikewiseClustering, metrics
from likewise.baselines import group_fair
from likewise.drawing.colors import mixtures, palette

rng = np.random.default_rng(0)
X = np.vstack([rng.normal((-2, 0), 0.7, (80, 2)), rng.normal((2, 0), 0.7, (80, 2))])
color = np.where(np.r_[np.arange(80) < 60, np.arange(80) < 20], "orange", "blue")
centers = np.array([np.linalg.norm(X - place, axis=1).argmin() for place in ((-2, 0), (2, 0))])

groups = group_fair(X, 2, color, group_tolerance=0.2, centers=centers)
both = LikewiseClustering(2, similarity="global", centers=centers, group_tolerance=0.2)
both.fit(X, sensitive_features=color)
print(both.certificate_)

# %%
# Both keep the colours in balance. What happens to people who are alike?

pairs = metrics.constrained_pairs(X, "global", n_clusters=2, sensitive_features=color)
ways = {"group fairness alone": groups.distributions, "combined fairness": both.distributions_}
for name, chances in ways.items():
    broken = metrics.violations(chances, pairs).share
    balance = min(metrics.balance(chances, color).values())
    print(f"{name:>20}: {broken:6.1%} of like pairs treated unequally; balance {balance:.2f}")

# %%
# The colour inside is the mixture of the two centres', in the proportion of the chances; shape and
# edge are the group.

figure, axes = plt.subplots(1, 2, figsize=(9, 3.4), sharey=True, layout="constrained")
for axis, (name, chances) in zip(axes, ways.items(), strict=True):
    for each, marker in (("orange", "o"), ("blue", "s")):
        rows = color == each
        axis.scatter(
            *X[rows].T,
            c=mixtures(chances[rows], palette(2)),
            marker=marker,
            s=34,
            edgecolors="black" if each == "blue" else "white",
            label=each,
        )
    axis.set(title=name, xticks=[], yticks=[])
plt.show()
