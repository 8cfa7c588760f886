"""Rows as spreadsheets number them."""

import numpy as np

from likewise.io.rows import places_of, row_numbers


def test_the_first_row_is_below_the_header():
    assert row_numbers(0) == 2
    assert row_numbers(np.array([0, 5])).tolist() == [2, 7]
    assert places_of(row_numbers(np.arange(4))).tolist() == [0, 1, 2, 3]
