"""
Offers of a bank
================

A bank has three offers and 600 customers. Who sees which? The offers are made for three typical
customers (the centres), and customers who are nearly the same should have nearly the same chances
of seeing each.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.preprocessing import StandardScaler

from likewise import LikewiseClustering
from likewise.drawing.colors import mixtures, palette

rng = np.random.default_rng(1)
age = np.clip(rng.gamma(9, 4.7, 600), 18, 90)
balance = rng.lognormal(7 + 0.02 * age, 0.8)
customers = np.column_stack([age, np.log(balance)])
X = StandardScaler().fit_transform(customers)

model = LikewiseClustering(3, similarity="local", random_state=0).fit(X)
print(model.certificate_)

# %%
# What does an offer mean for one customer? Chances, not a verdict. These are four customers who
# have the same balance, and ages that are two years apart. Only the first of them was clustered:
# where nothing is within all of a newcomer's bounds, these are relaxed by the least factor that
# will do.

middle = np.argsort(np.abs(X[:, 1]) + np.abs(X[:, 0] - 0.4))[0]
twins = customers[middle] + np.column_stack([np.arange(0, 8, 2), np.zeros(4)])
points = StandardScaler().fit(customers).transform(twins)
chances, factors = model.predict_proba(points, return_relaxation=True)
print(f"bounds relaxed by a factor of {factors.max():.2f} at most")
for (years, _), row in zip(twins, chances, strict=True):
    print(f"age {years:.0f}: " + "  ".join(f"offer {c} {x:4.0%}" for c, x in enumerate(row)))

# %%
# All customers. Colours mix in the proportion of the chances.

typical = customers[model.center_indices_]
figure, axis = plt.subplots(figsize=(7, 4), layout="constrained")
axis.scatter(
    customers[:, 0], np.exp(customers[:, 1]), s=22, c=mixtures(model.distributions_, palette(3))
)
axis.scatter(
    typical[:, 0], np.exp(typical[:, 1]), marker="*", s=260, c=palette(3), edgecolors="black"
)
axis.set(title="Which offer, with which chance", xlabel="age", ylabel="balance", yscale="log")
plt.show()
