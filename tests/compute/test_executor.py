"""The executor of this process, and how work is cut."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.executors import InParts

from likewise.compute.executor import LOCAL, Executor, Placed, cut


@given(st.integers(0, 500), st.integers(1, 40), st.sampled_from([1, 7, 32]))
def test_cuts_are_whole(n, parts, grain):
    ranges = cut(n, parts, grain)
    assert len(ranges) <= parts
    assert ranges[0][0] == 0
    assert ranges[-1][1] == n
    assert all(first % grain == 0 for first, _ in ranges)
    assert [last for _, last in ranges[:-1]] == [first for first, _ in ranges[1:]]
    assert all(first < last for first, last in ranges) or n == 0


def test_cuts_are_nearly_equal():
    sizes = [last - first for first, last in cut(100, 7)]
    assert max(sizes) - min(sizes) <= 1
    assert cut(100, 3, grain=40) == [(0, 40), (40, 80), (80, 100)]


def test_parts_are_worked_on_in_order():
    parts = LOCAL.scatter([[1, 2], [3], []])
    assert LOCAL.map_parts(sum, parts) == [3, 3, 0]
    assert LOCAL.map_parts(sum, parts, 10) == [13, 13, 10]


def test_values_may_be_broadcast_before():
    parts, table = LOCAL.scatter([0, 2]), np.array([5.0, 6.0, 7.0])

    def work(part, values, factor):
        return factor * values[part]

    assert LOCAL.map_parts(work, parts, LOCAL.broadcast(table), 2) == [10.0, 14.0]
    assert LOCAL.map_parts(work, parts, table, LOCAL.broadcast(2)) == [10.0, 14.0]


def test_every_part_meets_every_part():
    parts = LOCAL.scatter(["a", "b", "c"])

    def work(part, other, second, its_other, end):
        return f"{part}{other}{second}{its_other}{end}"

    found = LOCAL.map_tiles(work, " ".join, parts, [1, 2, 3], LOCAL.broadcast("."))
    assert found == ["a1a1. a1b2. a1c3.", "b2a1. b2b2. b2c3.", "c3a1. c3b2. c3c3."]


def test_tiles_need_one_other_for_each_part():
    with pytest.raises(ValueError, match="zip"):
        LOCAL.map_tiles(max, list, LOCAL.scatter([1, 2]), [1])


def test_one_part_is_enough_here():
    assert LOCAL.parts(10**12) == LOCAL.tiles(10**12) == 1


def test_executors_are_told_from_other_things():
    assert isinstance(LOCAL, Executor)
    assert isinstance(InParts(2), Executor)
    for other in ("local", None, Placed([1])):
        assert not isinstance(other, Executor)
