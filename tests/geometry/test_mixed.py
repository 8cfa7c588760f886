"""Tables with text and gaps, as numbers."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from likewise import InvalidArgument
from likewise.geometry.mixed import MixedColumns

COLUMNS = {
    "age": [30.0, None, 41.0],
    "job": ["nurse", "clerk", None],
    "member": [True, False, True],
    "rooms": [1, 2, 3],
}
EXPECTED = [[30, 1, 1, 1], [np.nan, 0, 0, 2], [41, np.nan, 1, 3]]


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame])
def test_frames(make):
    mixed = MixedColumns.of(make(COLUMNS))
    assert mixed.is_category.tolist() == [False, True, True, False]
    np.testing.assert_array_equal(mixed.encoded(make(COLUMNS)), EXPECTED)


def test_arrays_of_anything():
    table = np.array(list(zip(*COLUMNS.values(), strict=True)), dtype=object)
    mixed = MixedColumns.of(table)
    assert mixed.is_category.tolist() == [False, True, True, False]
    np.testing.assert_array_equal(mixed.encoded(table), EXPECTED)


def test_a_value_that_was_not_there_is_another():
    mixed = MixedColumns.of(pd.DataFrame({"job": ["nurse", "clerk"]}))
    assert mixed.encoded(pd.DataFrame({"job": ["cook", "nurse"]})).tolist() == [[2.0], [1.0]]


def test_other_columns_are_refused():
    mixed = MixedColumns.of(pd.DataFrame(COLUMNS))
    with pytest.raises(InvalidArgument, match="3 columns, but there were 4"):
        mixed.encoded(pd.DataFrame(COLUMNS).iloc[:, :3])
    with pytest.raises(InvalidArgument, match="shape"):
        MixedColumns.of(np.array(["a", "b"]))
