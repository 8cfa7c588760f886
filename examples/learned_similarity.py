"""
A similarity learned from judgements
====================================

Distances are only as good as the columns. Where experts can say of some pairs how alike they are, a
similarity can be learned from that and be used in place of a distance. Here the truth is that one
column counts three times as much as another and the third not at all; 300 judgements, with errors,
are enough to see it.
"""

import matplotlib.pyplot as plt
import numpy as np
from scipy.optimize import nnls

from likewise import LikewiseClustering

rng = np.random.default_rng(0)
X = rng.normal(size=(200, 3))
TRUE = np.array([0.3, 0.1, 0.0])
i, j = rng.integers(0, 200, (2, 300))
judged = np.abs(X[i] - X[j]) @ TRUE + rng.normal(0, 0.05, 300)

# %%
# The bound is modelled as a sum over the columns, each with a weight that is not negative: least
# squares does the rest.

weights, _ = nnls(np.abs(X[i] - X[j]), judged)
print("learned weights:", weights.round(3), "true ones:", TRUE)


def learned(A, B):
    """Bounds between the rows of A and the rows of B."""
    return np.minimum(1.0, np.abs(A[:, None] - B[None]) @ weights)


model = LikewiseClustering(2, similarity=learned, random_state=0).fit(X)
print(model.certificate_)

# %%
# Chances now change along what the experts look at. The third column, which is in the costs like
# the others, does not excuse any difference.

figure, axes = plt.subplots(1, 3, figsize=(9, 3), sharey=True, layout="constrained")
for column, axis in enumerate(axes):
    axis.plot(X[:, column], model.distributions_[:, 0], ".", markersize=4)
    axis.set(title=f"weight {weights[column]:.2f}", xlabel=f"column {column}")
axes[0].set(ylabel="chance of centre 0")
plt.show()
