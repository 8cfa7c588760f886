"""
A million points
================

Beyond some hundred thousand people not every pair can be compared in minutes. With
``n_neighbors`` each person is compared with the nearest ones only: the promise is about neighbours
then, and the certificate says so. This page runs a small part of it, and shows what was measured on
a million points (two cores, a certified gap of 5 %; ``make bench`` measures it on your machine).
"""

import time

import matplotlib.pyplot as plt
import numpy as np

from likewise import LikewiseClustering

rng = np.random.default_rng(0)
places = rng.uniform(-10, 10, (8, 8))


def people(n):
    """n points round eight places, in eight dimensions."""
    return places[rng.integers(0, 8, n)] + rng.normal(size=(n, 8))


sizes, seconds = [500, 1000, 2000, 4000], []
for n in sizes:
    started = time.perf_counter()
    model = LikewiseClustering(
        8, similarity="global", n_neighbors=30, tol=5e-2, random_state=0
    ).fit(people(n))
    seconds.append(time.perf_counter() - started)
print(model.certificate_)

# %%
# Time grows a little faster than the number of people, and memory like it. The last point is the
# recorded run: a million points, 30 million ordered pairs, 11 minutes, 6.9 GB.

figure, axis = plt.subplots(figsize=(7, 3.4), layout="constrained")
axis.loglog(sizes, seconds, "o-", label="this page")
axis.loglog([1_000_000], [11 * 60], "*", markersize=14, label="recorded: a million in 11 min")
axis.set(title="How long it takes", xlabel="people", ylabel="seconds")
axis.legend()
plt.show()
