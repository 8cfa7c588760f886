"""
Nobody too far: facilities by k-center
======================================

Fire stations: what counts is the longest way, not the average. ``p=numpy.inf`` finds the least
radius within which everybody can be served fairly, proves that the next smaller one is impossible,
and then keeps ways short on average too.
"""

import matplotlib.pyplot as plt
import numpy as np

from likewise import LikewiseClustering
from likewise.drawing.colors import mixtures, palette

rng = np.random.default_rng(5)
houses = np.vstack([rng.uniform(0, 1, (120, 2)), rng.uniform((1.2, 0), (1.7, 0.4), (30, 2))])
model = LikewiseClustering(4, p=np.inf, similarity="local", random_state=0).fit(houses)
print(model.certificate_)

# %%
# The certificate has both halves of the proof. Without fairness everybody would go to the nearest
# station, so that radius is the price to compare with.

distances = np.linalg.norm(houses[:, None] - model.cluster_centers_[None], axis=2)
print(f"nearest station: nobody farther than {distances.min(axis=1).max():.3f}")
print(f"fair:            nobody farther than {model.certificate_.radius.radius:.3f}")

figure, axis = plt.subplots(figsize=(7, 4.2), layout="constrained")
for center, color in zip(model.cluster_centers_, palette(4), strict=True):
    axis.add_patch(plt.Circle(center, model.certificate_.radius.radius, color=color, alpha=0.06))
axis.scatter(*houses.T, c=mixtures(model.distributions_, palette(4)), s=30)
axis.scatter(*model.cluster_centers_.T, marker="*", s=260, c=palette(4), edgecolors="black")
axis.set(title="Stations, and how far each may be sent", xticks=[], yticks=[], aspect="equal")
plt.show()
