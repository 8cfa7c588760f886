"""
School districts on a map
=========================

Four schools, a town, and districts with borders: children on two sides of one street go to
different schools for years. With chances in place of borders, next-door neighbours have nearly the
same ones, and children far from every border still go to the school next door.
"""

import matplotlib.pyplot as plt
import numpy as np

from likewise import LikewiseClustering
from likewise.drawing.colors import mixtures, palette

rng = np.random.default_rng(2)
homes = np.vstack(
    [
        rng.normal(place, spread, (n, 2))
        for place, spread, n in [((0, 0), 0.9, 160), ((3, 0.4), 0.7, 120), ((1.4, 2.6), 0.8, 120)]
    ]
)
model = LikewiseClustering(4, p=1, similarity="local", random_state=0).fit(homes)
schools = model.cluster_centers_
print(model.certificate_)

# %%
# Where would a family have to live to be sent to which school? ``predict_proba`` answers for places
# at which nobody lives yet. Some are between people whose chances differ as much as they may: there
# the bounds are relaxed by the least factor that leaves any chances at all.

east, north = np.meshgrid(np.linspace(-2, 5, 60), np.linspace(-2, 4.5, 50))
places = np.column_stack([east.ravel(), north.ravel()])
nearest = np.linalg.norm(places[:, None] - schools[None], axis=2).argmin(axis=1)
inhabited = np.linalg.norm(places[:, None] - homes[None], axis=2).min(axis=1) < 0.6
chances, factors = model.predict_proba(places[inhabited], return_relaxation=True)
print(f"{np.mean(factors > 1):.0%} of the places are such, by factors up to {factors.max():.2f}")

# %%
# Left the districts, right the chances.

figure, axes = plt.subplots(1, 2, figsize=(9, 4), sharey=True, layout="constrained")
maps = {"districts": np.eye(4)[nearest[inhabited]], "chances": chances}
for axis, (title, shown) in zip(axes, maps.items(), strict=True):
    axis.scatter(*places[inhabited].T, c=mixtures(shown, palette(4)), s=26, marker="s")
    axis.scatter(*homes.T, s=3, c="black", alpha=0.5)
    axis.scatter(*schools.T, marker="*", s=220, c=palette(4), edgecolors="black")
    axis.set(title=title, xticks=[], yticks=[], aspect="equal")
plt.show()
