"""Both kinds of block say the same of the same pairs."""

import numpy as np
import pytest

from likewise.divergences.registry import as_divergence
from likewise.similarities.blocks import PairList, PairTile

RNG = np.random.default_rng(0)
N, START, STOP = 9, 3, 7
BOUND = np.where(RNG.random((N, N)) < 0.5, RNG.random((N, N)), np.inf)
np.fill_diagonal(BOUND, np.inf)
TILE = PairTile(START, BOUND[START:STOP])
ROWS, COLUMNS = np.nonzero(np.isfinite(TILE.bound))
LIST = PairList(START + ROWS, COLUMNS, TILE.bound[ROWS, COLUMNS])
BLOCKS = pytest.mark.parametrize("block", [TILE, LIST], ids=["tile", "list"])
PAIRS = list(zip(LIST.i.tolist(), LIST.j.tolist(), strict=True))


def by_pair(block, values):
    """{pair: value}, of the constrained pairs."""
    places = np.flatnonzero(np.isfinite(block.bound))
    i, j = block.pairs_at(places)
    return dict(zip(zip(i.tolist(), j.tolist(), strict=True), values.ravel()[places], strict=True))


@BLOCKS
def test_pairs_and_bounds(block):
    assert block.n_pairs == len(PAIRS)
    assert by_pair(block, block.bound) == {pair: BOUND[pair] for pair in PAIRS}


@BLOCKS
def test_divergences(block):
    x = RNG.dirichlet(np.ones(3), N)
    found = by_pair(block, block.divergences(as_divergence("tv"), x))
    for (i, j), value in found.items():
        assert value == pytest.approx(0.5 * np.abs(x[i] - x[j]).sum())


@BLOCKS
def test_inner_products(block):
    v = RNG.normal(size=(N, 4))
    found = by_pair(block, block.inner_products(v))
    assert found == pytest.approx({(i, j): v[i] @ v[j] for i, j in PAIRS})


@BLOCKS
def test_tallies_by_row(block):
    x = np.random.default_rng(1).dirichlet(np.ones(3), N)
    found = block.tally(block.divergences(as_divergence("tv"), x), tolerance=0.01)
    for row in range(N)[found.rows]:
        excess = [0.5 * np.abs(x[i] - x[j]).sum() - BOUND[i, j] for i, j in PAIRS if i == row]
        at = row - found.start
        assert found.compared[at] == len(excess)
        assert found.violated[at] == sum(above > 0.01 for above in excess)
        assert found.worst[at] == pytest.approx(max(excess, default=-np.inf))
    assert {i for i, _ in PAIRS} <= set(range(N)[found.rows])


def test_an_infinite_divergence_counts_only_where_there_is_a_bound():
    tile = PairTile(0, np.array([[np.inf, 0.5], [np.inf, np.inf]]))
    found = tile.tally(np.full((2, 2), np.inf), tolerance=0.0)
    assert found.compared.tolist() == found.violated.tolist() == [1, 0]
    assert found.worst.tolist() == [np.inf, -np.inf]


@BLOCKS
@pytest.mark.parametrize("seed", range(5))
def test_intersections(block, seed):
    sets = np.random.default_rng(seed).random((N, 4)) < 0.8
    first, second = sets.copy(), sets.copy()
    block.intersect_first(first)
    block.intersect_second(second)
    for row in range(N):
        others = [j for i, j in PAIRS if i == row]
        np.testing.assert_array_equal(first[row], sets[[row, *others]].all(axis=0))
        others = [i for i, j in PAIRS if j == row]
        np.testing.assert_array_equal(second[row], sets[[row, *others]].all(axis=0))
