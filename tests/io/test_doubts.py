"""Texts that seem to be meant as numbers are an error that says how they could be read."""

import numpy as np
import polars as pl
import pytest

from likewise.io.number_format import PLAIN, NumberFormat
from likewise.io.preparation.doubts import doubt_about


def doubt(texts, said=PLAIN):
    return str(doubt_about(pl.Series("income", texts), said, np.arange(len(texts))))


def test_thousands_are_not_taken_for_decimals():
    message = doubt(["12", "1,234", "56,789"])
    assert "'income' has numbers that are written in another way ('1,234' in row 3)" in message
    assert "--decimal ',' (it is 1.234) or --thousands ',' (it is 1234)" in message
    assert "--categorical 'income'" in message


@pytest.mark.parametrize(
    ("texts", "said", "message"),
    [
        (["1,5", "2,5"], PLAIN, "--decimal ',' (it is 1.5); or"),
        (["1.234,5"], PLAIN, "--decimal ',' --thousands '.' (it is 1234.5)"),
        (["1.5"], NumberFormat(","), "without --decimal and --thousands (it is 1.5)"),
        (["1.234"], NumberFormat(","), "--decimal ',' --thousands '.' (it is 1234)"),
        (["1", "2", "three"], PLAIN, "1 of its values are none ('three' in row 4)"),
        (["1,5", "2.5", "n/a"], PLAIN, "2 of its values are none ('1,5' in row 2)"),
    ],
)
def test_what_is_said(texts, said, message):
    assert message in doubt(texts, said)


@pytest.mark.parametrize("texts", [["red", "blue"], ["1", "two", "three"], ["12.05.2024"]])
def test_text_is_text(texts):
    assert doubt_about(pl.Series("color", texts), PLAIN, np.arange(len(texts))) is None
