import numpy as np
import pytest

from likewise import Pairs
from likewise.errors import InvalidArgument
from likewise.fitting.checkpoint import digest_of
from likewise.geometry.distances import Distances
from likewise.groups.membership import Groups
from likewise.similarities import pairs as module
from likewise.similarities.pairs import EveryPair
from likewise.similarities.rules import GlobalRule


def test_smallest_bound_of_repeated_pairs_and_nothing_void():
    pairs = Pairs([0, 0, 1, 1, 2], [1, 1, 0, 1, 0], [0.5, 0.2, 0.3, 0.1, np.inf])
    assert pairs.i.tolist() == [0, 1]
    assert pairs.j.tolist() == [1, 0]
    assert pairs.bound.tolist() == [0.2, 0.3]


def test_blocks_cover_all_pairs_once(monkeypatch):
    monkeypatch.setattr(module, "LIST_BLOCK", 3)
    pairs = Pairs(np.arange(10), np.arange(10)[::-1], np.linspace(0, 1, 10))
    blocks = list(pairs.blocks())
    assert len(blocks) == 4
    assert sum(block.n_pairs for block in blocks) == len(pairs) == 10
    np.testing.assert_array_equal(np.concatenate([b.bound for b in blocks]), pairs.bound)


def test_bounds_of_single_pairs():
    pairs = Pairs([3, 0, 1], [1, 2, 0], [0.1, 0.2, 0.3])
    found = pairs.bounds_at(np.array([0, 1, 3, 2, 0]), np.array([2, 0, 1, 9, 5]))
    assert found.tolist() == [0.2, 0.3, 0.1, np.inf, np.inf]
    assert Pairs([], [], []).bounds_at(np.array([0]), np.array([1])).tolist() == [np.inf]


def test_among():
    kept = Pairs([0, 1, 2], [1, 2, 0], [0.1, 0.2, 0.3]).among(Pairs([1], [2], [9.0]))
    assert (kept.i.tolist(), kept.j.tolist(), kept.bound.tolist()) == ([1], [2], [0.2])


@pytest.mark.parametrize("listed", [True, False])
def test_some_rows_keep_the_bounds_they_have_among_all(listed):
    X = np.random.default_rng(0).normal(size=(15, 2))
    groups = Groups.from_features({"sex": list("abc") * 5}, 15)
    source = EveryPair(Distances(X), GlobalRule(2.0))
    i, j = np.nonzero(~np.eye(15, dtype=bool))
    if listed:
        source = Pairs(i[::2], j[::2], source.bounds_at(i, j)[::2])
    source = source.within(groups)
    rows = np.array([9, 2, 3, 12, 0])
    some = source.of_rows(rows)
    i, j = np.nonzero(~np.eye(5, dtype=bool))
    np.testing.assert_allclose(some.bounds_at(i, j), source.bounds_at(rows[i], rows[j]))
    assert some.n_rows <= 5


def test_every_pair_is_the_whole_table():
    X = np.random.default_rng(0).normal(size=(15, 2))
    source = EveryPair(Distances(X), GlobalRule(2.0))
    tile = next(iter(source.blocks()))
    assert tile.n_pairs == len(source) == 15 * 14
    assert np.isinf(np.diagonal(tile.bound)).all()
    i, j = tile.pairs_at(np.arange(15 * 15))
    off = i != j
    np.testing.assert_allclose(source.bounds_at(i, j)[off], tile.bound.ravel()[off])


@pytest.mark.parametrize(
    ("i", "j", "bound", "problem"),
    [
        ([0], [1], [-0.1], "negative"),
        ([0], [1], [np.nan], "NaN"),
        ([0.5], [1], [0.1], "integers"),
        ([-1], [1], [0.1], "negative"),
        ([0, 1], [1], [0.1], "shapes"),
        ([0], [1], [0.1, 0.2], "shapes"),
    ],
)
def test_bad_pairs(i, j, bound, problem):
    with pytest.raises(InvalidArgument, match=problem):
        Pairs(i, j, bound)


def test_fingerprints_tell_bounds_apart():
    """By their values, whoever holds them: of lists all three arrays, of rules what they go by."""
    rows = Distances(np.arange(5.0)[:, None])
    sources = [
        Pairs([0, 1], [1, 2], [0.1, 0.2]),
        Pairs([0, 1], [1, 2], [0.1, 0.3]),
        Pairs([0, 1], [1, 3], [0.1, 0.2]),
        EveryPair(rows, GlobalRule(4.0)),
        EveryPair(rows, GlobalRule(5.0)),
    ]
    digests = [digest_of(source.fingerprint()) for source in sources]
    assert len(set(digests)) == len(sources)
    assert digests[0] == digest_of(Pairs([1, 0], [2, 1], [0.2, 0.1]).fingerprint())
    assert digests[3] == digest_of(EveryPair(rows, GlobalRule(4.0)).fingerprint())


def test_row_numbers_that_no_table_has_are_refused():
    with pytest.raises(InvalidArgument, match="too large to be rows"):
        Pairs([2**40, 1], [2**41, 0], [0.1, 0.2])
