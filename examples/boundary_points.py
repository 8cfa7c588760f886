"""
Two neighbours on a border
==========================

Two crowds touch. k-means draws a line between them, and neighbours on either side of it fare
differently. With the fair assignment chances change gradually.
"""

import matplotlib.pyplot as plt
import numpy as np

from likewise import LikewiseClustering, metrics
from likewise.drawing.colors import mixtures, palette

rng = np.random.default_rng(3)
X = np.vstack([rng.normal((-1.2, 0), 0.8, (120, 2)), rng.normal((1.2, 0), 0.8, (120, 2))])
model = LikewiseClustering(2, similarity="local", random_state=0).fit(X)
print(model.certificate_)

# %%
# Hard clustering sends everybody to the nearest centre. ``metrics`` judges any clustering: here,
# which two people are treated most differently compared with how different they are.

distances = np.linalg.norm(X[:, None] - model.cluster_centers_[None], axis=2)
hard = np.eye(2)[distances.argmin(axis=1)]
pairs = metrics.constrained_pairs(X, "local", n_clusters=2)
worst = metrics.worst_pairs(hard, pairs, count=1)[0]
i, j = worst.i, worst.j
here = abs(model.distributions_[i, 0] - model.distributions_[j, 0])
print(f"hard clustering parts people {i} and {j}, who may differ by {worst.bound:.3f}")
print(f"likewise: they differ by {here:.3f}")

# %%
# The two are circled. A person's colour is the mixture of the two centres' colours, in the
# proportion of the person's chances.

figure, axes = plt.subplots(1, 2, figsize=(9, 3.6), sharey=True, layout="constrained")
ways = {"hard clustering: a border": hard, "likewise: a gradual change": model.distributions_}
for axis, (title, chances) in zip(axes, ways.items(), strict=True):
    axis.scatter(*X.T, c=mixtures(chances, palette(2)), s=30, edgecolors="white", linewidths=0.5)
    axis.scatter(*model.cluster_centers_.T, marker="*", s=240, c=palette(2), edgecolors="black")
    axis.scatter(*X[[i, j]].T, s=140, facecolors="none", edgecolors="black", linewidths=1.5)
    axis.set(title=title, xticks=[], yticks=[])
plt.show()
