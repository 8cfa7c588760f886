"""Protected groups, however users write them down."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse

from likewise import InvalidArgument
from likewise.groups.membership import Groups

SEX = ["f", "m", "f", None, "m"]
RACE = [3, 1, 1, 3, 2]
SEX_NAMES = {("sex", "f"), ("sex", "m"), ("sex", None)}
FRAMES = {
    "dict": {"sex": SEX, "race": RACE},
    "pandas": pd.DataFrame({"sex": SEX, "race": RACE}),
    "pandas with an index": pd.DataFrame({"sex": SEX, "race": RACE}, index=list("vwxyz")),
    "categories": pd.DataFrame({"sex": pd.Categorical(SEX, ["f", "m", "x"]), "race": RACE}),
    "polars": pl.DataFrame({"sex": SEX, "race": RACE}),
}


def members(groups, name):
    return groups.rows(groups.names.index(name)).tolist()


@pytest.mark.parametrize("form", FRAMES)
def test_two_named_attributes(form):
    groups = Groups.from_features(FRAMES[form], 5)
    assert set(groups.names) == SEX_NAMES | {("race", 1), ("race", 2), ("race", 3)}
    assert members(groups, ("sex", "f")) == [0, 2]
    assert members(groups, ("sex", None)) == [3]
    assert members(groups, ("race", 1)) == [1, 2]


@pytest.mark.parametrize(
    "form",
    [SEX, tuple(SEX), np.array(SEX, dtype=object), pd.Series(SEX), pl.Series(SEX)],
    ids=["list", "tuple", "array", "pandas", "polars"],
)
def test_one_attribute_without_a_name(form):
    groups = Groups.from_features(form, 5)
    assert [value for _, value in groups.names] == ["f", "m", None]
    assert groups.names[0][0] == "sensitive_feature_0"
    assert groups.sizes.tolist() == [2, 2, 1]


def test_whole_numbers_as_names():
    assert Groups.from_features(pd.DataFrame({0: SEX}), 5).names[0] == (0, "f")
    assert Groups.from_features(pd.Series(SEX, name=0), 5).names[0] == (0, "f")


def test_days_stay_days():
    days = np.array(["2020-01-01", "2020-01-02"], dtype="datetime64[ns]")
    assert [value for _, value in Groups.from_features(days, 2).names] == list(days)


def test_a_series_has_a_name():
    assert set(Groups.from_features(pd.Series(SEX, name="sex"), 5).names) == SEX_NAMES


@pytest.mark.parametrize("table", [np.array([[0, 7], [1, 7]]), [[0, 7], [1, 7]], [(0, 7), (1, 7)]])
def test_columns_are_attributes(table):
    names = Groups.from_features(table, 2).names
    assert names == (
        ("sensitive_feature_0", 0),
        ("sensitive_feature_0", 1),
        ("sensitive_feature_1", 7),
    )


@pytest.mark.parametrize("nothing", [None, float("nan"), np.nan, pd.NA, pd.NaT])
def test_everything_that_means_missing_is_one_group(nothing):
    groups = Groups.from_features(["a", nothing, None, 1.5], 4)
    assert members(groups, ("sensitive_feature_0", None)) == [1, 2]


def test_missing_floats_in_an_array():
    groups = Groups.from_features(np.array([1.0, np.nan, 2.0, np.nan]), 4)
    assert groups.sizes.tolist() == [1, 1, 2]


def test_missing_refused():
    with pytest.raises(InvalidArgument, match="'sex' is missing in 1 rows"):
        Groups.from_features(FRAMES["pandas"], 5, missing="error")
    with pytest.raises(InvalidArgument, match="missing_sensitive: 'drop' is not known"):
        Groups.from_features(SEX, 5, missing="drop")


def test_values_of_several_types():
    groups = Groups.from_features([1, "1", (2, 3), None, frozenset([1])], 5)
    assert len(groups) == 5
    assert groups.sizes.tolist() == [1] * 5


@pytest.mark.parametrize("count", [3, 70, 200])  # one word of bits, and several
def test_who_shares_a_group(count):
    rng = np.random.default_rng(count)
    table = np.column_stack([rng.integers(0, count, 60), rng.integers(0, 40, 60)])
    groups = Groups.from_features(table, 60)
    shared = (table[:, None] == table[None]).any(axis=2)
    np.testing.assert_array_equal(groups.table(0, 60), shared)
    np.testing.assert_array_equal(groups.table(10, 25), shared[10:25])
    i, j = rng.integers(0, 60, (2, 500))
    np.testing.assert_array_equal(groups.in_common(i, j), shared[i, j])


@pytest.mark.parametrize(
    ("features", "message"),
    [
        (SEX[:4], "has 4 values, but X has 5 rows"),
        ({"sex": SEX, "race": RACE[:2]}, "'race' has 2 values"),
        ({"sex": "f"}, "'sex' is a single value"),
        ({"sex": np.zeros((5, 2))}, "'sex' has 2 dimensions"),
        ({"sex": [np.zeros(2)] * 5}, "hashable"),
        (pd.DataFrame(np.zeros((5, 2)), columns=["a", "a"]), "unique"),
        ("fmfmf", "single value"),
        (7, "single value"),
        ({}, "no attributes"),
        (np.zeros((5, 2, 2)), "3 dimensions"),
        ({"sex": [[1], [2], [3], [4], [5]]}, "hashable"),
    ],
)
def test_bad_features(features, message):
    with pytest.raises(InvalidArgument, match=message):
        Groups.from_features(features, 5)


def test_a_group_without_members_is_an_error():
    with pytest.raises(InvalidArgument, match="has no members"):
        Groups((("a", 0), ("a", 1)), sparse.csr_array([[1.0, 0.0], [1.0, 0.0]]))


def test_groups_in_common_with_other_rows():
    fitted = Groups.from_features({"sex": list("fmfm"), "age": [1, 1, 2, 3]}, 4)
    others = Groups.from_features({"age": [3, 1, 7], "sex": list("fxx")}, 3)
    expected = [
        [True, False, True, True],  # a woman of 3
        [True, True, False, False],  # nobody has her sex, two have her age
        [False, False, False, False],
    ]
    assert others.table_with(fitted).tolist() == expected
    np.testing.assert_array_equal(fitted.table_with(fitted), fitted.table(0, 4))
