"""Some people for all of them, where all would take too long."""

from dataclasses import dataclass

import numpy as np

from likewise._typing import Array


@dataclass(frozen=True)
class Representatives:
    """Rows, and how many people each of them stands for."""

    rows: Array
    stands_for: Array


def some_rows(n: int, most: int, random: np.random.Generator) -> Array:
    """At most so many rows, all of them equally likely."""
    return np.arange(n) if n <= most else np.sort(random.choice(n, most, replace=False))


def representatives(
    amounts: Array, important: Array, most: int, random: np.random.Generator
) -> Representatives:
    """At most so many rows whose ``amounts`` (n, sums) add up to those of everybody.

    A row is the more likely the larger its shares of the sums that are ``important`` (n, some): a
    few outliers can be half of all costs, and a plain sample would have them or not. Weights are
    then shifted a little until the sums agree (linear calibration: Deville and Sarndal 1992).
    """
    if len(amounts) <= most:
        return Representatives(np.arange(len(amounts)), np.ones(len(amounts)))
    chance = _shares(important).mean(axis=1)
    steps = (random.random() + np.arange(most)) / most
    place = np.searchsorted(np.cumsum(chance), steps, side="right")
    rows, drawn = np.unique(np.minimum(place, len(amounts) - 1), return_counts=True)
    stands_for = drawn / (most * chance[rows])
    return Representatives(rows, _calibrated(stands_for, _shares(amounts)[rows], chance[rows]))


def _shares(amounts: Array) -> Array:
    """Of each column's sum; equal ones where there is nothing to share."""
    total = amounts.sum(axis=0)
    equal = np.full(amounts.shape, 1 / len(amounts))
    return np.asarray(np.divide(amounts, total, out=equal, where=total > 0))


def _calibrated(stands_for: Array, shares: Array, chance: Array) -> Array:
    """Weights near these with which every column of shares sums to 1, if none need be negative."""
    lever = shares / chance[:, None]  # bounded, because shares that are large make chances large
    gram = (stands_for[:, None] * shares).T @ lever
    shift = np.linalg.lstsq(gram, 1.0 - stands_for @ shares)[0]
    moved = np.asarray(stands_for * (1.0 + lever @ shift))
    return moved if (moved > 0).all() else stands_for
