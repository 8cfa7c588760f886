"""
Hospital wards
==============

442 patients (scikit-learn's diabetes data), four wards. Nine measurements decide who is similar.
``sex`` is left out of them, and shown afterwards, so that one can see what each ward is made of.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.cluster import KMeans
from sklearn.datasets import load_diabetes
from sklearn.preprocessing import StandardScaler

from likewise import LikewiseClustering, metrics

N_WARDS = 4

patients = load_diabetes(scaled=False)
sex = patients.data[:, patients.feature_names.index("sex")]
X = StandardScaler().fit_transform(np.delete(patients.data, 1, axis=1))

model = LikewiseClustering(N_WARDS, similarity="local", random_state=0).fit(X)
print(f"solved by the {model.solver_} engine")
print(model.certificate_)

# %%
# How many pairs of patients are treated more differently than they are?

labels = KMeans(N_WARDS, random_state=0, n_init=10).fit_predict(X)
pairs = metrics.constrained_pairs(X, "local", n_clusters=N_WARDS)
for name, answer in {"k-means": labels, "likewise": model.distributions_}.items():
    print(f"{name:>10}: {metrics.violations(answer, pairs).share:6.1%}")

# %%
# The wards, by the patients that are expected in them.

figure, axis = plt.subplots(figsize=(7, 3.2), layout="constrained")
below = np.zeros(N_WARDS)
for value, name in ((1.0, "sex 1"), (2.0, "sex 2")):
    expected = model.distributions_[sex == value].sum(axis=0)
    axis.bar(range(N_WARDS), expected, 0.6, bottom=below, label=name)
    below += expected
axis.set_xticks(range(N_WARDS), [f"ward {ward}" for ward in range(N_WARDS)])
axis.set(title="Who is expected in which ward", ylabel="patients", ylim=(0, 1.2 * below.max()))
axis.legend(ncols=2)
plt.show()
