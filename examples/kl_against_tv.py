"""
KL against total variation
==========================

The divergence says what a bound promises. Under total variation the chance of any outcome differs
by at most the bound: a small chance may become zero. Under KL divergence (and even more under the
largest log ratio) small chances are protected too: nobody gets 0 where a neighbour does not.
"""

import matplotlib.pyplot as plt
import numpy as np

from likewise import LikewiseClustering

line = np.linspace(0, 1, 41)[:, None]
ends = np.array([0, 40])
divergences = {
    "tv": "total variation",
    "hellinger": "Hellinger, squared",
    "kl": "KL",
    "max-ratio": "largest log ratio",
}

answers = {}
for name in divergences:
    model = LikewiseClustering(
        2, p=1, similarity="global", divergence=name, centers=ends, tol=1e-3
    ).fit(line)
    answers[name] = model.distributions_[:, 1]
    print(
        f"{divergences[name]:>20}: cost {model.cost_:.3f}, least chance "
        f"{model.distributions_.min():.3f}"
    )
print(model.certificate_)

# %%
# The same people and the same bounds, four meanings.

figure, axis = plt.subplots(figsize=(7, 3.8), layout="constrained")
for name, chances in answers.items():
    axis.plot(line[:, 0], chances, label=divergences[name])
axis.set(title="Chances along a line", xlabel="place", ylabel="chance of the right end")
axis.legend()
plt.show()
