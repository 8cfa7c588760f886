"""
The price of fairness on a line
===============================

Most people live at the two ends of a road, a few in between. Hard clustering serves the ends for
nothing. Under the global similarity chances may change only as fast as the way from end to end
goes: those at the ends pay nothing, those in between share. The more people in between, the dearer
fairness gets; if they fill the line it costs a constant factor.
"""

import matplotlib.pyplot as plt
import numpy as np

from likewise import LikewiseClustering, metrics

AT_THE_ENDS = 60

shares, prices = [], []
for between in (0, 1, 3, 7, 15, 31, 63, 127):
    inner = np.linspace(0, 1, between + 2)[1:-1]
    line = np.concatenate([np.zeros(AT_THE_ENDS), inner, np.ones(AT_THE_ENDS)])[:, None]
    ends = np.array([0, len(line) - 1])
    model = LikewiseClustering(2, p=1, similarity="global", centers=ends).fit(line)
    hard = metrics.hard_cost(np.abs(line - line[ends].T), 1)
    shares.append(100 * between / len(line))
    prices.append(model.cost_ / hard if hard else 1.0)
    print(f"{between:4d} of {len(line):4d} in between: {prices[-1]:.3f} times hard clustering")

print(model.certificate_)

# %%
# Left: what everybody gets, with 127 people in between. Right: what that costs.

figure, axes = plt.subplots(1, 2, figsize=(9, 3.2), layout="constrained")
axes[0].plot(line[:, 0], model.distributions_[:, 1], ".", label="likewise")
axes[0].plot(line[:, 0], line[:, 0] > 0.5, label="hard clustering")
axes[0].set(title="Chances along the line", xlabel="place", ylabel="chance of the right end")
axes[0].legend()
axes[1].plot(shares, prices, "-o")
axes[1].set(title="The price", xlabel="% of people in between", ylabel="cost over hard clustering")
plt.show()
