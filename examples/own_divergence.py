"""
A divergence of one's own
=========================

Any convex f with f(1) = 0 is a divergence, D(P, Q) = sum of Q f(P / Q). Here a mixture: mostly the
triangular divergence, with some chi-squared to punish large ratios. A smooth f of one number is
compiled on the spot; one with corners works too, slower, and a note says so. Answers are exactly
fair and certified like all others.
"""

import matplotlib.pyplot as plt
import numpy as np

from likewise import FDivergence, LikewiseClustering

mixed = FDivergence(lambda t: (t - 1) ** 2 * (0.7 / (t + 1) + 0.3), name="mixed")
P, Q = np.array([[0.7, 0.3]]), np.array([[0.5, 0.5]])
print(f"D(P, Q) = {mixed.values(P, Q)[0]:.4f}")

# %%
# It goes where a name would go.

rng = np.random.default_rng(0)
X = np.sort(np.concatenate([rng.normal(0, 1, 25), rng.normal(4, 1, 25)]))[:, None]
answers = {}
for name, divergence in {"total variation": "tv", "mixed": mixed}.items():
    model = LikewiseClustering(
        2, similarity="local", divergence=divergence, tol=1e-3, random_state=0
    ).fit(X)
    answers[name] = model.distributions_[:, 1]
    print(name)
    print(model.certificate_)

# %%
# What the new term does: the change from one centre to the other gets gentler where chances are
# small.

figure, axis = plt.subplots(figsize=(7, 3.2), layout="constrained")
for name, chances in answers.items():
    axis.plot(X[:, 0], chances, ".-", label=name)
axis.set(title="Two divergences", xlabel="x", ylabel="chance of the right centre")
axis.legend()
plt.show()
