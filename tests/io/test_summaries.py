"""Columns summed up: of the whole, or of its blocks and joined."""

from functools import reduce

import numpy as np
import polars as pl
import pytest

from likewise.io.preparation.summaries import MOST_KEPT, Summary

RANDOM = np.random.default_rng(0)
COLUMNS = {
    "numbers": RANDOM.normal(5, 3, 1000),
    "gaps": [None, float("nan"), 1.0, 2.0] * 250,
    "whole": RANDOM.integers(0, 30, 1000),
    "counted": np.arange(1000),
    "text": RANDOM.choice(["a", "b"], 1000),
    "dates": ["2024-05-31", "2024-06-01"] * 500,
    "yes": [True, False] * 500,
    "as text": [f"{number}" for number in range(1000)],
    "half text": ["1"] * 500 + ["one"] * 500,
    "nothing": pl.Series([None] * 1000, dtype=pl.String),
    "lists": [[1]] * 1000,
}


@pytest.mark.parametrize("name", COLUMNS)
def test_blocks_add_up(name):
    series = pl.Series(name, COLUMNS[name])
    whole = Summary.of(series)
    parts = [Summary.of(series[start : start + 130]) for start in range(0, 1000, 130)]
    joined = reduce(Summary.joined, parts)
    for field in ("rows", "missing", "is_flat", "values"):
        assert getattr(joined, field) == getattr(whole, field)
    assert whole.distinct <= joined.distinct <= whole.rows
    assert (joined.numbers is None) == (whole.numbers is None)
    if joined.numbers is not None:
        for field in ("count", "least", "largest", "whole"):
            assert getattr(joined.numbers, field) == getattr(whole.numbers, field)
        assert joined.numbers.mean == pytest.approx(whole.numbers.mean)
        assert joined.numbers.variance == pytest.approx(whole.numbers.variance)
        assert len(joined.numbers.sample) <= 1000


def test_what_is_known_of_a_column():
    known = {name: Summary.of(pl.Series(name, values)) for name, values in COLUMNS.items()}
    assert known["gaps"].missing == 500
    assert known["gaps"].numbers.mean == 1.5
    assert known["dates"].dates
    assert known["text"].dates is None
    assert known["yes"].values == {"true", "false"}
    assert known["as text"].numbers.largest == 999
    assert known["half text"].numbers is None
    assert known["counted"].share_distinct == 1
    assert known["nothing"].rows == 0
    assert not known["lists"].is_flat


def test_values_that_are_too_many_are_not_kept():
    texts = pl.Series([f"t{number}" for number in range(MOST_KEPT + 1)])
    assert Summary.of(texts).values is None
    half = [Summary.of(texts[:600]), Summary.of(texts[600:])]
    assert half[0].joined(half[1]).values is None
    assert half[0].joined(half[1]).distinct == MOST_KEPT + 1
