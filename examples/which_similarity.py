"""
The same people under both similarities
=======================================

Patients by age, body mass index and blood pressure. Measured by the largest distance in the data,
nearly everybody counts as alike, and the colours of all run together. Measured by how far away a
cluster's worth of others lives, clusters are clear where people are far apart and fade where they
are near.
"""

import warnings

import matplotlib.pyplot as plt
from sklearn.datasets import load_diabetes
from sklearn.preprocessing import StandardScaler

from likewise import LikewiseClustering
from likewise.displays import ClusterMapDisplay
from likewise.errors import SamenessWarning

patients = load_diabetes(scaled=False, as_frame=True).data
X = StandardScaler().fit_transform(patients[["age", "bmi", "bp"]][:250])
warnings.simplefilter("ignore", SamenessWarning)  # that is the point, and is printed below
models = {
    name: LikewiseClustering(4, similarity=name, tol=1e-3, random_state=0).fit(X)
    for name in ("local", "global")
}

# %%
# The certificate of the global one says that it is nearly the same for everybody, and what may
# change that.

for name, model in models.items():
    print(f"--- {name}: {model.price_:.2f} times the cost of hard clustering")
    print(model.certificate_)

# %%
# A person's colour mixes those of the clusters in the proportion of the person's chances.

figure, axes = plt.subplots(1, 2, figsize=(9, 4.2), layout="constrained")
for axis, (name, model) in zip(axes, models.items(), strict=True):
    ClusterMapDisplay.from_estimator(model, X, ax=axis)
    axis.set(title=f"{name}: {model.price_:.2f} times the cost of hard clustering")
plt.show()
