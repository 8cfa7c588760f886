"""
Judging somebody else's clustering
==================================

``metrics`` and ``audit`` take plain labels or probabilities, whoever made them: here scikit-learn's
k-means and a Gaussian mixture. Who is treated more differently than they are, and from whom?
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.cluster import KMeans
from sklearn.mixture import GaussianMixture

from likewise import LikewiseClustering, auditing, metrics

rng = np.random.default_rng(4)
X = np.vstack([rng.normal((0, 0), 1, (150, 2)), rng.normal((2.2, 0.5), 0.8, (150, 2))])
sex = rng.choice(["f", "m"], 300)
pairs = metrics.constrained_pairs(X, "local", n_clusters=2)

fair = LikewiseClustering(2, similarity="local", random_state=0).fit(X)
clusterings = {
    "k-means": KMeans(2, random_state=0, n_init=10).fit_predict(X),
    "Gaussian mixture": GaussianMixture(2, random_state=0).fit(X).predict_proba(X),
    "likewise": fair.distributions_,
}
print(fair.certificate_)

# %%
# An audit says how many pairs are above their bounds, who is affected most, and how groups fare.

for name, answer in clusterings.items():
    found = auditing.audit(answer, pairs, sensitive_features=sex)
    print(f"{name:>17}: {found.pairs.share:6.2%} of pairs, {found.people_affected} people affected")
    for person in found.worst_people[:2]:
        print(f"{'':>19}row {person.row}: {person.violated} of {person.compared} pairs")

# %%
# How differently pairs are treated, against how different they are: above the line is unfair.

i, j = np.triu_indices(len(X), 1)
some = rng.choice(len(i), 4000, replace=False)
i, j = i[some], j[some]
bound = pairs.bounds_at(i, j)
figure, axes = plt.subplots(1, 3, figsize=(9, 3.2), sharey=True, layout="constrained")
for axis, (name, answer) in zip(axes, clusterings.items(), strict=True):
    chances = np.eye(2)[answer] if np.ndim(answer) == 1 else answer
    treated = 0.5 * np.abs(chances[i] - chances[j]).sum(axis=1)
    axis.plot(bound, treated, ".", markersize=2, alpha=0.4)
    axis.plot([0, 1], [0, 1], "k-", linewidth=1)
    axis.set(title=name, xlabel="how different they are")
axes[0].set(ylabel="how differently treated")
plt.show()
