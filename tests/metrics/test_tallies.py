"""One pass over all pairs, for any number of clusterings."""

import numpy as np
import pytest

from likewise import Pairs, metrics
from likewise.divergences.registry import as_divergence
from likewise.geometry import distances
from likewise.metrics.individual import worst_by_tally
from likewise.metrics.tallies import tally_pairs
from likewise.similarities import pairs as listed_pairs

RNG = np.random.default_rng(0)
N = 60
X = RNG.normal(size=(N, 2))
SOFT, HARD = RNG.dirichlet(np.ones(3), N), np.eye(3)[RNG.integers(0, 3, N)]
TV = as_divergence("tv")


@pytest.fixture(params=["every pair", "listed"])
def pairs(request, monkeypatch):
    """In many blocks; those of a list share rows at their ends."""
    monkeypatch.setattr(distances, "BLOCK_CELLS", 7 * N)
    monkeypatch.setattr(listed_pairs, "LIST_BLOCK", 50)
    every = metrics.constrained_pairs(X, "global", n_clusters=3)
    if request.param == "every pair":
        return every
    i, j = np.nonzero(~np.eye(N, dtype=bool))
    return Pairs(i, j, every.bounds_at(i, j))


def test_several_clusterings_at_once_by_hand(pairs):
    i, j = np.nonzero(~np.eye(N, dtype=bool))
    found = tally_pairs([SOFT, HARD], pairs, TV, tolerance=0.05)
    for x, tally in zip([SOFT, HARD], found, strict=True):
        excess = TV.values(x[i], x[j]) - pairs.bounds_at(i, j)
        np.testing.assert_array_equal(tally.compared, np.full(N, N - 1))
        np.testing.assert_array_equal(tally.violated, np.bincount(i[excess > 0.05], minlength=N))
        np.testing.assert_allclose(tally.worst, excess.reshape(N, N - 1).max(axis=1))
        assert len(tally.worst_in_block) == pairs.n_blocks
        assert tally.worst_in_block.max() == pytest.approx(excess.max())


def test_the_worst_pairs_are_in_the_worst_blocks(pairs):
    for x in (SOFT, HARD):
        (tally,) = tally_pairs([x], pairs, TV, tolerance=0.0)
        assert worst_by_tally(x, pairs, TV, tally, 4) == metrics.worst_pairs(x, pairs, count=4)


def test_it_says_when_a_block_is_done(pairs):
    done = []
    tally_pairs([SOFT], pairs, TV, 0.0, after_block=lambda: done.append(1))
    assert len(done) == pairs.n_blocks > 8


def test_nobody_is_compared():
    (tally,) = tally_pairs([SOFT], Pairs([], [], []), TV, 0.0)
    assert tally.compared.sum() == tally.violated.sum() == 0
    assert metrics.violations(SOFT, Pairs([], [], [])).worst_excess == -np.inf
