"""Columns of text that were meant to be numbers: an error, where a guess could be wrong.

Taken for categories, every number would be as far from every other.
"""

from typing import TYPE_CHECKING

from likewise._typing import Array
from likewise.errors import InvalidArgument
from likewise.io.number_format import NumberFormat, other_readings, share_in_any
from likewise.io.rows import row_numbers

if TYPE_CHECKING:
    import polars as pl

MOSTLY = 0.5  # this share of numbers, and a column of text is meant to be one of numbers


def doubt_about(texts: "pl.Series", said: NumberFormat, places: Array) -> InvalidArgument | None:
    """The error for texts that are not all numbers as was said, if they seem to be meant as
    numbers; they stand at these places of the table.
    """
    no_number = (said.numbers(texts).is_null() & texts.is_not_null()).fill_null(False)
    place = int(no_number.arg_max() or 0)
    example = f"({texts[place]!r} in row {row_numbers(places[place])})"
    otherwise = f"or leave the column out, or take it as text (--categorical {texts.name!r})."
    readings = other_readings(texts, said)
    if readings:
        ways = " or ".join(_in_words(each, texts[place]) for each in readings)
        return InvalidArgument(
            "features",
            f"{texts.name!r} has numbers that are written in another way {example}.",
            f"Say how to read them: {ways}; {otherwise}",
        )
    if share_in_any(texts, said) > MOSTLY:
        return InvalidArgument(
            "features",
            f"{texts.name!r} is a column of numbers, but {no_number.sum():,} of its values are"
            f" none {example}.",
            f"Mend them, {otherwise}",
        )
    return None


def _in_words(reading: NumberFormat, text: str) -> str:
    import polars as pl

    options = reading.as_options() or "without --decimal and --thousands"
    return f"{options} (it is {reading.numbers(pl.Series([text]))[0]:.15g})"
