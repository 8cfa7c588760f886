"""Numbers as people write them, and the ways that a text could be read."""

import polars as pl
import pytest

from likewise import InvalidArgument
from likewise.io.number_format import FORMATS, PLAIN, NumberFormat, other_readings


@pytest.mark.parametrize(
    ("decimal", "thousands", "text", "number"),
    [
        (".", None, "1234.5", 1234.5),
        (".", None, " -1e3 ", -1000.0),
        (".", None, "1,234", None),
        (",", None, "1,234", 1.234),
        (",", None, "-,5e1", -5.0),
        (",", None, "1.5", None),
        (".", ",", "1,234", 1234.0),
        (".", ",", "1,234,567.25", 1234567.25),
        (".", ",", "1234", 1234.0),
        (".", ",", "1,23", None),
        (".", ",", "12,34,567", None),
        (",", ".", "1.234,5", 1234.5),
        (",", ".", "1.5", None),
        (",", " ", "1 234,5", 1234.5),
        (".", " ", "1\u00a0234\u202f567", 1234567.0),
        (".", "'", "1'234", 1234.0),
        (".", "'", "1\u2019234", 1234.0),
        (",", None, "one", None),
        (",", None, "", None),
        (",", None, "+", None),
    ],
)
def test_texts_in_formats(decimal, thousands, text, number):
    found = NumberFormat(decimal, thousands).numbers(pl.Series([text, None]))
    assert found.to_list() == [number, None]


@pytest.mark.parametrize(
    ("texts", "options"),
    [
        (["1,234", "56,789"], ["--decimal ','", "--thousands ','"]),
        (["1,5", "2,25"], ["--decimal ','"]),
        (["1,234", "999", None], ["--decimal ','", "--thousands ','"]),
        (["1,234.5", "12"], ["--thousands ','"]),
        (["1.234,5", "12"], ["--decimal ',' --thousands '.'"]),
        (["1 234", "12"], ["--thousands ' '"]),
        (["1'234", "12"], ['--thousands "\'"']),
        (["1,5", "1.5"], []),
        (["red", "blue"], []),
        ([None], []),
    ],
)
def test_other_readings_are_those_whose_marks_are_there(texts, options):
    found = other_readings(pl.Series(texts, dtype=pl.String), PLAIN)
    assert [each.as_options() for each in found] == options


def test_plain_numbers_are_another_reading_once_something_else_was_said():
    assert other_readings(pl.Series(["1.5"]), NumberFormat(",")) == [PLAIN]
    assert len(FORMATS) == 8
    assert PLAIN.is_plain


@pytest.mark.parametrize(
    ("marks", "message"),
    [
        ((";", None), r"decimal: ';' is no mark"),
        ((".", "_"), r"thousands: '_' is no mark"),
        ((",", ","), r"thousands: ',' cannot group thousands and begin decimals"),
    ],
)
def test_marks_that_are_none(marks, message):
    with pytest.raises(InvalidArgument, match=message):
        NumberFormat(*marks)
