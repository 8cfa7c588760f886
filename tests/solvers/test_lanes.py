"""Projections of several vectors at a time, judged by their conditions of optimality."""

import numpy as np
import pytest

from likewise.solvers.kernels.lanes import (
    LANES,
    MOST_SORTED,
    project_lanes,
    room_for,
    shrink_lanes,
    sort_lanes,
)

SIZES = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 13, 16, 17, 40]


def lanes(k, seed=0):
    """Vectors of all sorts: some with ties, one constant, one far from zero."""
    rng = np.random.default_rng([seed, k])
    v = rng.normal(size=(k, LANES))
    v[:, 1] = v[:, 1].round()
    v[:, 2] = 3.0
    v[:, 3] += 1e6
    return v


@pytest.mark.parametrize("k", [k for k in SIZES if k <= MOST_SORTED])
def test_networks_sort(k):
    room = room_for(k)
    for seed in range(20):
        v = lanes(k, seed)
        sort_lanes(v, room)
        np.testing.assert_array_equal(room.work, -np.sort(-v, axis=0))


@pytest.mark.parametrize("k", SIZES)
def test_the_nearest_distribution(k):
    v = lanes(k)
    x = v.copy()
    project_lanes(x, room_for(k))
    assert x.min() >= 0
    np.testing.assert_allclose(x.sum(axis=0), 1.0, atol=1e-9)
    for given, nearest in zip(v.T, x.T, strict=True):
        move = given - nearest  # the same on the support, and nowhere more
        level = move[nearest > 0]
        np.testing.assert_allclose(level, level[0], atol=1e-9)
        assert move.max() <= level[0] + 1e-9


@pytest.mark.parametrize("k", SIZES)
def test_the_prox_of_a_range(k):
    v, room = lanes(k), room_for(k)
    amount = np.random.default_rng(k).random(LANES) * 2
    amount[4] = 0.0
    room.amount[:] = amount
    x = v.copy()
    shrink_lanes(x, room)
    for given, found, cut in zip(v.T, x.T, amount, strict=True):
        move = given - found
        move -= move.mean()  # a constant changes nothing
        off_top = np.maximum(move, 0).sum()
        np.testing.assert_allclose(off_top, np.maximum(-move, 0).sum(), atol=1e-9)
        if np.ptp(found) == 0:
            assert off_top <= cut + 1e-9
            assert not found.any()
        else:
            np.testing.assert_allclose(off_top, cut, atol=1e-9)
            assert (move[found < found.max()] <= 1e-9).all()
            assert (move[found > found.min()] >= -1e-9).all()
