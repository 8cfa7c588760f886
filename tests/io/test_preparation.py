"""From columns of all kinds to points."""

import numpy as np
import polars as pl
import pytest

from likewise import InvalidArgument
from likewise.io.preparation import Wanted, check_columns, prepare, prepared_as
from likewise.io.preparation.plan import MOST_VALUES
from likewise.io.preparation.summaries import MOST_KEPT

TABLE = pl.DataFrame(
    {
        "age": [20, 30, 40],
        "city": ["Pune", "Lima", "Pune"],
        "member": [True, False, True],
        "text": ["1.5", " 2.5", "3.5"],
        "same": [7.0, 7.0, 7.0],
    }
)


def features(*names, **options):
    return Wanted(names, **options)


def test_numbers_are_scaled_and_categories_are_not():
    made = prepare(TABLE, features("age", "city", "member"))
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
    made = prepare(TABLE, features("age", "text", scale=False))
    assert made.X.tolist() == [[20, 1.5], [30, 2.5], [40, 3.5]]
    assert str(made.columns[0]) == "age: as it is"


def test_a_constant_column_stays_finite():
    assert prepare(TABLE, features("same")).X.tolist() == [[0], [0], [0]]


def test_rows_with_missing_features_are_an_error_or_dropped():
    table = pl.DataFrame({"a": [1.0, None, 3.0, float("nan")], "b": ["x", "y", "z", "x"]})
    with pytest.raises(InvalidArgument, match=r"'a' is missing in 2 of 4 rows.*--drop-missing"):
        prepare(table, features("a", "b"))
    made = prepare(table, features("a", "b"), drop_missing=True)
    assert made.rows.tolist() == [0, 2]
    assert made.dropped == 2
    assert made.feature_names == ("a", "b=x", "b=z")  # y is gone with its row
    with pytest.raises(InvalidArgument, match="no row has all of them"):
        prepare(table[[1, 3]], features("a"), drop_missing=True)


@pytest.mark.parametrize(
    ("values", "options", "message"),
    [
        (["1", "2", "three"], {}, r"1 of its values are none \('three' in row 4\)"),
        (["1,5", "2,5", "3"], {}, r"\('1,5' in row 2\)\. Say how to read them: --decimal ','"),
        ([[1], [2]], {}, "neither number nor text"),
        (["a", "b", "a"], {"one_hot": False}, "'x' is not a number"),
        ([f"v{number}" for number in range(MOST_VALUES + 1)], {}, "that is no category"),
        ([1.0, np.inf], {}, "infinite values"),
        ([1e308, -1e308, 1e308], {}, "too large to be computed with"),
    ],
)
def test_columns_that_cannot_be_used(values, options, message):
    with pytest.raises(InvalidArgument, match=message):
        prepare(pl.DataFrame({"x": values}), features("x", **options))


def test_names_are_checked():
    with pytest.raises(InvalidArgument, match=r"no column 'wage'.*There is 'age', 'city'"):
        check_columns("features", ["wage"], TABLE.columns)
    with pytest.raises(InvalidArgument, match="'age' is named twice"):
        check_columns("features", ["age", "age"], TABLE.columns)
    with pytest.raises(InvalidArgument, match="needs an option of its own"):
        check_columns("features", ["score"], ["score, 0-1"])


PEOPLE = pl.DataFrame(
    {
        "ID": range(1, 31),
        "age": [20 + number % 17 for number in range(30)],
        "zip": [10_000 + 137 * (number % 29) for number in range(30)],
        "name": [f"n{number}" for number in range(30)],
        "joined": ["2024-05-31", "2024-06-01", "2023-01-02"] * 10,
        "plan": ["a", "b", "c"] * 10,
        "empty": pl.Series([None] * 30, dtype=pl.Float64),
        "tags": [[1]] * 30,
    }
)


def test_without_names_keys_and_the_like_are_left_out_and_named():
    made = prepare(PEOPLE, Wanted(taken=("plan",)))
    assert [column.name for column in made.columns] == ["age", "joined"]
    assert made.columns[1].kind == "date"
    reasons = {each.name: each.reason for each in made.left_out}
    assert set(reasons) == {"ID", "zip", "name", "empty", "tags"}
    assert "a key or a code" in reasons["ID"]
    assert "text with 30 values in 30 rows" in reasons["name"]
    assert reasons["empty"] == "it has no values"


def test_what_is_asked_for_is_taken():
    made = prepare(PEOPLE, features("ID", "joined"))
    assert made.left_out == ()
    assert [column.kind for column in made.columns] == ["number", "date"]
    made = prepare(PEOPLE, Wanted(exclude=("age", "joined"), categorical=("zip",)))
    assert [column.name for column in made.columns] == ["zip", "plan"]
    assert len(made.columns[0].values) == 29
    assert made.X[:, :29].sum(axis=1).tolist() == [1] * 30
    assert ("age", "as was asked for") in [(each.name, each.reason) for each in made.left_out]


def test_codes_are_categories_unless_numbers_are_asked_for():
    table = pl.DataFrame({"region_id": [1, 2, 3] * 10, "age": range(10, 310, 10)})
    assert [column.kind for column in prepare(table, Wanted()).columns] == ["category", "number"]
    assert prepare(table, features("region_id")).columns[0].kind == "number"


def test_categories_that_are_asked_for_may_have_more_values():
    many = pl.DataFrame({"city": [f"c{number % (MOST_VALUES + 1)}" for number in range(500)]})
    with pytest.raises(InvalidArgument, match=r"no category.*--categorical 'city' allows 1,000"):
        prepare(many, features("city"))
    made = prepare(many, features("city", categorical=("city",)))
    assert made.X.shape == (500, MOST_VALUES + 1)
    more = pl.DataFrame({"city": [f"c{number}" for number in range(MOST_KEPT + 1)]})
    with pytest.raises(InvalidArgument, match="that is no category"):
        prepare(more, Wanted(categorical=("city",)))


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        (features("age", exclude=("age",)), "exclude: 'age' is asked for as well"),
        (Wanted(exclude=("zip",), categorical=("zip",)), "exclude: 'zip' is asked for"),
        (features("age", categorical=("zip",)), "categorical: 'zip' is not among the features"),
        (features("wage"), "features: there is no column 'wage'"),
        (Wanted(exclude=("wage",)), "exclude: there is no column 'wage'"),
        (
            Wanted(exclude=("age", "plan", "joined")),
            r"there are none \(ID: left out, .*; zip: left",
        ),
        (Wanted(taken=tuple(PEOPLE.columns)), r"there are none \(no column is left\)"),
    ],
)
def test_what_contradicts_itself_is_refused(wanted, message):
    with pytest.raises(InvalidArgument, match=message):
        prepare(PEOPLE, wanted)


@pytest.mark.parametrize("scale", [True, False])
def test_the_same_points_once_more(scale):
    table = TABLE.with_columns(pl.Series("age", [20, None, 40]))
    made = prepare(table, features("age", "city", "text", scale=scale), drop_missing=True)
    again = prepared_as(table, made.columns)
    np.testing.assert_array_equal(again.X, made.X)
    assert (again.rows == made.rows).all()
    assert again.feature_names == made.feature_names
