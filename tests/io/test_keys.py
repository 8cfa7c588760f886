"""Columns that name instead of measure, told by their values, and by their names if need be."""

import numpy as np
import polars as pl
import pytest

from likewise.io.preparation.keys import is_code, is_named_like_a_key, reason_to_leave_out
from likewise.io.preparation.summaries import Summary

N = 400
RANDOM = np.random.default_rng(0)
SHUFFLED = RANDOM.permutation(N)


def reason(name, values):
    return reason_to_leave_out(name, Summary.of(pl.Series(name, values)))


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("ID", range(N)),
        ("n", SHUFFLED + 1000),  # counted, in another order
        ("n", np.delete(np.arange(N + 10), [3, 50, 77])),  # some are gone
        ("n", (SHUFFLED + 1).astype(float)),  # as pandas stores them beside gaps
        ("n", RANDOM.choice(10**7, N, replace=False)),  # handed out
        ("customer", RANDOM.choice(10**5, N, replace=False)),
        ("user_id", RANDOM.integers(0, 150, N)),  # several rows each
        ("zip code", RANDOM.integers(10_000, 10_300, N)),
        ("phone", [f"555 {number:03d} {number:03d}" for number in range(N)]),
        ("customerId", [7, 3, 12, 9, 4]),
        ("who", [f"person {number}" for number in range(N)]),
        ("token", [f"{number:x}" * 4 for number in RANDOM.integers(10**9, 10**10, N)]),
        ("postcode", [f"0{number % 120}" for number in range(N)]),
    ],
)
def test_keys(name, values):
    assert reason(name, values) is not None


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("age", RANDOM.integers(18, 90, N)),
        ("income", RANDOM.lognormal(10, 0.5, N).astype(int)),
        ("income", RANDOM.choice(np.arange(20_000, 90_000), N, replace=False)),
        ("amount", RANDOM.choice(10**6, N, replace=False)),
        ("customer", RANDOM.integers(0, 4, N)),
        ("balance", RANDOM.normal(0, 10**7, N).astype(int)),
        ("score", RANDOM.random(N)),
        ("region_id", RANDOM.integers(0, 12, N)),  # a name is not enough
        ("key", RANDOM.choice(["a", "b"], N)),
        ("city", RANDOM.choice(["Pune", "Lima", "Oslo"], N)),
        ("x", range(8)),  # too few to tell
        ("amount", [f"{number},5" for number in range(N)]),  # perhaps numbers: not to be dropped
        ("huge", [1e300, -1e300] * 20),
    ],
)
def test_what_is_measured(name, values):
    assert reason(name, values) is None


@pytest.mark.parametrize(
    ("name", "is_key"),
    [
        ("id", True), ("ID", True), ("patient_id", True), ("patientId", True), ("PatientID", True),
        ("patientid", True), ("zip", True), ("ZIPCode", True), ("phone 1", True), ("uuid", True),
        ("order-no", False), ("orderno", True), ("paid", False), ("valid", False), ("idea", False),
        ("grid", False), ("monkey", False), ("age", False),
    ],
)  # fmt: skip
def test_names(name, is_key):
    assert is_named_like_a_key(name) == is_key


def test_a_few_numbers_under_the_name_of_a_key_are_kinds():
    few = RANDOM.integers(0, 12, N)
    for name, values, expected in [
        ("region_id", few, True),
        ("zip", 10_000 + few, True),
        ("zip", few % 2, False),  # yes or no
        ("zip", few + 0.5, False),
        ("children", few, False),
    ]:
        assert is_code(name, Summary.of(pl.Series(name, values))) == expected
