"""
Why combined fairness compares within groups
============================================

Two neighbourhoods, A and B. Ninety red and ten blue people live in A, ten red and ninety blue in B.
Every cluster is to be half red, half blue. If neighbours of different colour must be treated alike
*too*, everybody in A has one distribution and everybody in B another, and red and blue can only
balance if the two are the same: fairness to all pairs and to groups leaves one distribution for
everybody. Comparing within groups, as the paper's Definition 4 does, leaves a choice.
"""

import warnings

import matplotlib.pyplot as plt
import numpy as np

from likewise import LikewiseClustering
from likewise.errors import SamenessWarning

rng = np.random.default_rng(0)
X = np.vstack([rng.normal(0, 0.001, (100, 2)), rng.normal(1, 0.001, (100, 2))])
color = np.array(["red"] * 90 + ["blue"] * 10 + ["red"] * 10 + ["blue"] * 90)
where = np.array(["A"] * 100 + ["B"] * 100)
cells = [(c, place) for place in "AB" for c in ("red", "blue")]

warnings.simplefilter("ignore", SamenessWarning)  # that is the point, and is printed below
chances = {}
for individual in ("all", "within-groups"):
    model = LikewiseClustering(
        2,
        similarity="global",
        centers=[0, 100],
        group_tolerance=0.0,
        individual=individual,
        tol=1e-3,
    ).fit(X, sensitive_features={"color": color})
    chances[individual] = [
        model.distributions_[(color == c) & (where == place), 0].mean() for c, place in cells
    ]
    print(f"compared: {individual}; expected cost {model.objective_:.1f}")
    print(model.certificate_)

# %%
# With everybody compared, all four kinds of people get the same chances.

figure, axis = plt.subplots(figsize=(7, 3.2), layout="constrained")
for shift, (individual, heights) in zip((-0.2, 0.2), chances.items(), strict=True):
    axis.bar(np.arange(4) + shift, heights, 0.38, label=f'individual="{individual}"')
axis.set_xticks(range(4), [f"{c} in {place}" for c, place in cells])
axis.set(title="The chance of being assigned to A's centre", ylabel="chance", ylim=(0, 1.25))
axis.legend(ncols=2, loc="upper center")
plt.show()
