"""From distributions to one label each: the most likely centre."""

import numpy as np

from likewise._typing import Array

ROUNDING = 1e-12  # probabilities that differ by less are as likely


def most_likely(distributions: Array, distances: Array) -> Array:
    """The most likely centre; of several as likely (to within rounding) the nearest. What centres
    cost will do for how far they are.
    """
    likely = distributions >= distributions.max(axis=1, keepdims=True) - ROUNDING
    return np.asarray(np.where(likely, distances, np.inf).argmin(axis=1))
