"""Columns that name rows or places instead of measuring them: ids, postcodes, telephone numbers.

Their differences mean nothing, and a clustering on them means nothing either. They are told by
their values, and by their names where the values leave it open; a name alone is not enough.
"""

import re

import numpy as np

from likewise.io.preparation.summaries import Numbers, Summary

NEARLY_ALL = 0.9  # of the texts are different: they are names
COUNTED = 0.95  # of whole numbers in a row are there: somebody counted
FEWEST_ROWS = 20  # before whole numbers are judged by themselves: a few may be all different
CODES = 50  # more different values than that, under the name of a key, are one
UNIQUE = 0.8  # fewer, where most rows have their own
# Whole numbers that are all different and lie evenly over so wide a range were handed out. Ages,
# amounts and incomes lie unevenly, or closer together.
WIDE, EVENLY = 5_000_000, 1.36  # the latter: Kolmogorov and Smirnov's, at 5 %, times sqrt(n)

_SOMEBODY = (
    r"customer|client|user|person|patient|member|student|employee|household|respondent|subject"
    r"|participant|applicant|case|record|row"
)
_SOMETHING = r"account|order|claim|policy|transaction|product|session|device|loan|card"
_KEY = re.compile(
    r"ids?|[ug]uid|key|zip(code)?|postcode|postal|plz|(tele)?phone|tel|email|ssn|iban|isbn"
    rf"|({_SOMEBODY}|{_SOMETHING})(id|no|nr|num|number)"
)
_APPENDED = {"code", "number", "no", "nr", "num"}  # zip code, phone number


def reason_to_leave_out(name: str, summary: Summary) -> str | None:
    """Why a column is taken for a key; None for all others."""
    if summary.numbers is None:
        return _reason_of_text(name, summary)
    if not summary.numbers.whole or np.isinf(summary.numbers.largest - summary.numbers.least):
        return None
    is_somebody = re.fullmatch(_SOMEBODY, name.lower()) and summary.share_distinct > UNIQUE
    if is_somebody or (is_named_like_a_key(name) and _has_many(summary)):
        return f"by its name and {summary.distinct:,} different whole numbers it is a key or a code"
    if summary.rows < FEWEST_ROWS or summary.share_distinct < COUNTED:
        return None
    if _counts(summary, summary.numbers):
        return "whole numbers that count the rows: a key"
    if summary.share_distinct == 1 and _is_even(summary.numbers):
        return "whole numbers that are all different and evenly spread: a key"
    return None


def is_code(name: str, summary: Summary) -> bool:
    """Whether whole numbers stand for a few kinds of something: a postcode, the id of a region."""
    numbers = summary.numbers
    is_few = 2 < summary.distinct <= CODES  # two are yes and no, which is a number as well
    return numbers is not None and numbers.whole and is_few and is_named_like_a_key(name)


def is_named_like_a_key(name: str) -> bool:
    """``id``, ``customer_id``, ``customerId``, ``CustomerID``, ``zip code``, ``phone 2``, ...; but
    not ``phone calls``, which can be counted.
    """
    words = [word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)]
    while len(words) > 1 and words[-1] in _APPENDED:
        words.pop()
    return bool(words) and _KEY.fullmatch(words[-1]) is not None


def _reason_of_text(name: str, summary: Summary) -> str | None:
    may_be_numbers = summary.doubt is not None  # then it is for the user to say
    if not may_be_numbers and summary.rows > 2 and summary.share_distinct >= NEARLY_ALL:
        return (
            f"text with {summary.distinct:,} values in {summary.rows:,} rows: names, no categories"
        )
    if is_named_like_a_key(name) and _has_many(summary):
        return f"by its name and {summary.distinct:,} different values it is a key or a code"
    return None


def _has_many(summary: Summary) -> bool:
    return summary.distinct > CODES or summary.share_distinct > UNIQUE


def _counts(summary: Summary, numbers: Numbers) -> bool:
    return summary.distinct >= COUNTED * (numbers.largest - numbers.least + 1)


def _is_even(numbers: Numbers) -> bool:
    """Whether they might be drawn from all numbers between the least and the largest."""
    span = numbers.largest - numbers.least
    if span < WIDE:
        return False
    at = np.sort((numbers.sample - numbers.least) / span)
    n = len(at)
    steps = np.arange(n + 1) / n
    farthest = max((steps[1:] - at).max(), (at - steps[:-1]).max())
    return bool(farthest * np.sqrt(n) < EVENLY)
