"""From columns of all kinds to points."""

import numpy as np
import polars as pl
import pytest

from likewise import InvalidArgument
from likewise.io.preparation import MOST_VALUES, check_columns, prepare

TABLE = pl.DataFrame(
    {
        "age": [20, 30, 40],
        "city": ["Pune", "Lima", "Pune"],
        "member": [True, False, True],
        "text": ["1.5", " 2.5", "3.5"],
        "same": [7.0, 7.0, 7.0],
    }
)


def test_numbers_are_scaled_and_categories_are_not():
    made = prepare(TABLE, ["age", "city", "member"])
    z = np.sqrt(1.5)
    np.testing.assert_allclose(
        made.X, [[-z, 0, 1, 0, 1], [0, 1, 0, 1, 0], [z, 0, 1, 0, 1]], atol=1e-15
    )
    assert made.feature_names == (
        "age", "city=Lima", "city=Pune", "member=false", "member=true",
    )  # fmt: skip
    assert [column.kind for column in made.columns] == ["number", "category", "category"]
    assert made.rows.tolist() == [0, 1, 2]
    assert made.dropped == 0
    age, city, _ = map(str, made.columns)
    assert age == "age: less 30, divided by 8.16497"
    assert city == "city: one column for each of 2 values"


def test_numbers_as_they_are():
    made = prepare(TABLE, ["age", "text"], scale=False)
    assert made.X.tolist() == [[20, 1.5], [30, 2.5], [40, 3.5]]
    assert str(made.columns[0]) == "age: as it is"


def test_a_constant_column_stays_finite():
    assert prepare(TABLE, ["same"]).X.tolist() == [[0], [0], [0]]


def test_rows_with_missing_features_are_an_error_or_dropped():
    table = pl.DataFrame({"a": [1.0, None, 3.0, float("nan")], "b": ["x", "y", "z", "x"]})
    with pytest.raises(InvalidArgument, match=r"'a' is missing in 2 of 4 rows.*--drop-missing"):
        prepare(table, ["a", "b"])
    made = prepare(table, ["a", "b"], drop_missing=True)
    assert made.rows.tolist() == [0, 2]
    assert made.dropped == 2
    assert made.feature_names == ("a", "b=x", "b=z")  # y is gone with its row
    with pytest.raises(InvalidArgument, match="no row has all of them"):
        prepare(table[[1, 3]], ["a"], drop_missing=True)


@pytest.mark.parametrize(
    ("values", "options", "message"),
    [
        (["1", "2", "three"], {}, r"1 of its values are none \('three' in row 2\)"),
        (["1,5", "2,5", "3"], {}, "decimal commas"),
        (["a", "b", "a"], {"one_hot": False}, "'x' is not a number"),
        ([f"v{number}" for number in range(MOST_VALUES + 1)], {}, "that is no category"),
        ([1.0, np.inf], {}, "infinite values"),
        ([1e308, -1e308, 1e308], {}, "too large to be computed with"),
    ],
)
def test_columns_that_cannot_be_used(values, options, message):
    with pytest.raises(InvalidArgument, match=message):
        prepare(pl.DataFrame({"x": values}), ["x"], **options)


def test_names_are_checked():
    with pytest.raises(InvalidArgument, match=r"no column 'wage'.*There is age, city"):
        check_columns("features", ["wage"], TABLE)
    with pytest.raises(InvalidArgument, match="named twice"):
        check_columns("features", ["age", "age"], TABLE)
    with pytest.raises(InvalidArgument, match="there are none"):
        prepare(TABLE, [])
