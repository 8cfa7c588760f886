"""
Labels drawn together
=====================

In the end somebody has to be given a bed, an offer, a school. Drawn one by one, two people with the
same chances (½, ½) end up apart every second time. ``sample`` draws *together*: everybody keeps
their chances, and two people part with probability at most 2 TV / (1 + TV).
"""

import matplotlib.pyplot as plt
import numpy as np

from likewise import LikewiseClustering, sampling

rng = np.random.default_rng(0)
X = rng.normal(size=(150, 2))
model = LikewiseClustering(4, similarity="local", random_state=0).fit(X)
print(model.certificate_)

# %%
# A thousand draws of each kind, and how often each pair of people parts in them.

together = model.sample(1000, random_state=0)
alone = model.sample(1000, coupled=False, random_state=0)
i, j = np.triu_indices(len(X), 1)
chosen = rng.choice(len(i), 1500, replace=False)
i, j = i[chosen], j[chosen]
tv = 0.5 * np.abs(model.distributions_[i] - model.distributions_[j]).sum(axis=1)
apart = {
    "one by one": (alone[:, i] != alone[:, j]).mean(axis=0),
    "together": (together[:, i] != together[:, j]).mean(axis=0),
}
for name, shares in apart.items():
    print(
        f"{name:>10}: of the most alike tenth, {shares[tv <= np.quantile(tv, 0.1)].mean():.1%}"
        " of draws part two people"
    )

# %%
# Everybody's own chances are the same in both.

drawn = np.stack([(together == c).mean(axis=0) for c in range(4)], axis=1)
print(
    f"largest difference of a chance and its share of draws: "
    f"{np.abs(drawn - model.distributions_).max():.3f}"
)

figure, axis = plt.subplots(figsize=(7, 3.8), layout="constrained")
for name, shares in apart.items():
    axis.plot(tv, shares, ".", markersize=3, alpha=0.5, label=name)
where = np.linspace(0, 1, 100)
axis.plot(where, sampling.differing_chance(where), "k--", label="2 TV / (1 + TV)")
axis.set(
    title="How often two people part",
    xlabel="total variation of their chances",
    ylabel="share of draws",
)
axis.legend()
plt.show()
