"""
On a Dask cluster
=================

``engine=Client(...)`` puts the work over all pairs on the workers of a Dask cluster. The answer is
the same to the last bit, whoever works and however the work is cut. Here the cluster is two workers
inside this process; a real one has an address (``likewise fit ... --dask tcp://scheduler:8786``).
"""

import logging

import matplotlib.pyplot as plt
import numpy as np
from dask.distributed import Client

from likewise import LikewiseClustering

rng = np.random.default_rng(0)
X = rng.normal(size=(2100, 3))
settings = {"similarity": "local", "tol": 1e-2, "random_state": 0}

here = LikewiseClustering(3, **settings).fit(X)
two = {"n_workers": 2, "threads_per_worker": 1, "processes": False, "dashboard_address": None}
with Client(**two, silence_logs=logging.ERROR) as client:
    there = LikewiseClustering(3, engine=client, **settings).fit(X)
print(there.certificate_)
print("the same to the last bit:", np.array_equal(here.distributions_, there.distributions_))

# %%
# Everybody's chance of the first centre, computed here and there.

figure, axis = plt.subplots(figsize=(4.2, 4), layout="constrained")
axis.plot(here.distributions_[:, 0], there.distributions_[:, 0], ".", markersize=3)
axis.set(title="Here and on Dask", xlabel="one process", ylabel="two workers", aspect="equal")
plt.show()
