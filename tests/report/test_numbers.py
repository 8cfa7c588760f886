"""Numbers as people write them."""

import numpy as np
import pytest

from likewise.report.numbers import ColumnFormat, count, excess, number, percent, percent_at_most


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (35250.0, "35,250"),
        (35249.87, "35,250"),
        (-143807.2, "-143,807"),
        (2019, "2019"),
        (1234.56, "1235"),
        (32.1, "32.1"),
        (0.0, "0"),
        (0.0038075908, "0.003808"),
        (7.0, "7"),
        (4.2e20, "4.2e+20"),
        (3.2e-9, "3.2e-09"),
        (np.nan, "-"),
        (np.inf, "-"),
    ],
)
def test_numbers_that_stand_alone(value, text):
    assert number(value) == text


@pytest.mark.parametrize(
    ("values", "texts"),
    [
        ([9628.4, 35250.6, 1.0], ["9,628", "35,251", "1"]),  # the comma in all or in none
        ([47.0, 51.7, 20.35, 30.111], ["47.00", "51.70", "20.35", "30.11"]),
        ([47.0, 51.5], ["47.0", "51.5"]),  # no zeros that nobody needs
        ([1990, 2019], ["1990", "2019"]),
        ([0, 0, 0], ["0", "0", "0"]),
        ([0.25, np.nan], ["0.25", "-"]),
    ],
)
def test_a_column_is_written_in_one_way(values, texts):
    written = ColumnFormat.of(np.array(values))
    assert [written.text(value) for value in values] == texts


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0.1234, "12.3%"),
        (0.0, "0.0%"),
        (0.0004, "under 0.1%"),
        (0.9998, "over 99.9%"),
        (1.0, "100.0%"),
        (2.5, "250.0%"),
        (np.nan, "-"),
    ],
)
def test_shares(share, text):
    assert percent(share) == text


@pytest.mark.parametrize(
    ("share", "text"),
    [(0.0, "0%"), (1e-15, "0.01%"), (0.002381, "0.24%"), (0.0712, "7.2%"), (2.5682, "257%"),
     (123.456, "12,346%")],
)  # fmt: skip
def test_upper_bounds_stay_upper_bounds(share, text):
    assert percent_at_most(share) == text


def test_how_many_and_how_far():
    assert count(9318.4) == "9,318"
    assert excess(0.2345) == "0.23"
    assert excess(np.inf) == "infinite"
