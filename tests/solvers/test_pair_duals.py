"""Duals of the working set: they are always those of its pairs."""

import numpy as np
import pytest

from likewise.compute import threads
from likewise.compute.cancellation import cut_short
from likewise.divergences.registry import REGISTRY
from likewise.solvers.divergence_ops.choose import ops_for
from likewise.solvers.first_order.pair_duals import PairDuals
from likewise.solvers.working_set import CandidatePairs

N, K = 50, 3


def pairs_from(a):
    a = np.asarray(a, dtype=np.int32)
    return CandidatePairs(a, a + 1, np.full(len(a), 0.5), a.astype(np.int64) * N + a + 1)


@pytest.mark.parametrize("name", ["tv", "kl"])
def test_replacing_pairs_is_not_cut_short(name, monkeypatch):
    """A limit that falls in between would leave the duals of other pairs."""
    monkeypatch.setattr(threads, "GRAIN", 2)
    duals = PairDuals(ops_for(REGISTRY[name]), N, K)
    width = duals.ops.ends * K
    duals.replace(pairs_from(range(0, 40, 2)), stays=np.zeros(0, dtype=np.int64))
    duals.iterates.restart_at(np.arange(20.0)[:, None] + np.ones(width))
    duals.find_active()
    with cut_short(lambda: True) as scope:
        duals.replace(pairs_from([1, 3]), stays=np.array([0, 5, 19]))
    assert not scope.was_cut
    np.testing.assert_array_equal(duals.pairs.a, [0, 1, 3, 10, 38])
    for rows in duals.iterates:
        np.testing.assert_array_equal(rows[:, 0], [1, 0, 0, 6, 20])
    np.testing.assert_array_equal(duals.working.active, [True, False, False, True, True])
    shift = np.zeros((N, K))
    duals.add_cost_shift(duals.iterates.current, shift)
    assert (shift[[0, 10, 38], 0] == [1, 6, 20]).all()
