"""How rows of a table are numbered for people: as a spreadsheet shows them.

The header is row 1, so that the first row of data is row 2; in Parquet too, over all files of a
folder in the order of their names. Messages and every file that names rows do it like this. Arrays
in Python count from 0.
"""

from typing import TypeVar

import numpy as np

from likewise._typing import Array

FIRST_ROW = 2  # below the header

Places = TypeVar("Places", int, Array)


def row_numbers(places: Places) -> Places:
    """From places in the table, counted from 0."""
    return places + FIRST_ROW


def places_of(rows: Array) -> Array:
    """Back to places in the table."""
    return np.asarray(rows) - FIRST_ROW
