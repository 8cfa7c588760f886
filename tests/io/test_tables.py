"""Tables in files."""

import csv
import os
from contextlib import suppress

import numpy as np
import polars as pl
import pytest

from likewise import InvalidArgument
from likewise.io.number_format import NumberFormat
from likewise.io.tables import (
    Reading,
    column_names,
    parquet_files,
    parquet_rows_at,
    read_table,
    write_table,
)

COLUMNS = {"name": ["a", "b"], "x": np.array([0.1, 0.2])}


@pytest.mark.parametrize("ending", ["csv", "parquet", "CSV"])
@pytest.mark.parametrize(
    "content",
    [COLUMNS, [{"name": "a", "x": 0.1}, {"name": "b", "x": 0.2}], pl.DataFrame(COLUMNS)],
    ids=["columns", "rows", "frame"],
)
def test_there_and_back(tmp_path, ending, content):
    path = tmp_path / f"table.{ending}"
    write_table(content, path)
    assert read_table(path).equals(pl.DataFrame(COLUMNS))
    assert os.listdir(tmp_path) == [path.name]


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_separators_marks_and_blank_lines(tmp_path, separator):
    lines = [separator.join(row) for row in (["a", '"b ""c"""'], [" x ", "1"], ["y", "NA"])]
    path = tmp_path / "table.csv"
    path.write_bytes(b"\xef\xbb\xbf" + "\n".join([*lines, "", "", ""]).encode())
    assert read_table(path).to_dict(as_series=False) == {"a": ["x", "y"], 'b "c"': [1, None]}


def test_marks_within_quotes_part_nothing(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text('"score, 0-1, last";age\n0,5;7\n')
    assert column_names(path) == ["score, 0-1, last", "age"]
    assert read_table(path)["age"].to_list() == [7]


def test_names_without_the_spaces_around_them(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("a, b\n1, 2\n")
    assert column_names(path) == read_table(path).columns == ["a", "b"]


def test_numbers_are_read_as_was_said(tmp_path):
    """Also those that would be other numbers, read in the usual way."""
    path = tmp_path / "table.csv"
    path.write_text("a;b;c;d\n1.234;1,5;x;12\n2.500;2;y;\n")
    usual = read_table(path)
    assert usual["a"].to_list() == [1.234, 2.5]
    assert usual["b"].to_list() == ["1,5", "2"]
    said = Reading(NumberFormat(",", "."))
    read = read_table(path, reading=said)
    assert read["a"].to_list() == [1234, 2500]
    assert read["b"].to_list() == [1.5, 2.0]
    assert read["c"].to_list() == ["x", "y"]
    assert read["d"].to_list() == [12, None]
    usual.write_parquet(tmp_path / "table.parquet")
    stored = read_table(tmp_path / "table.parquet", reading=said)
    assert stored["b"].to_list() == [1.5, 2.0]


def test_names_keep_their_zeros(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("zip,id,n\n02139,7,08\n10001,12,9\n")
    assert read_table(path)["zip"].to_list() == [2139, 10001]
    read = read_table(path, reading=Reading(texts=("zip", "id")))
    assert read["zip"].to_list() == ["02139", "10001"]
    assert read["id"].to_list() == [7, 12]  # nothing is lost
    assert read["n"].to_list() == [8, 9]


def test_some_rows_of_many_files(tmp_path):
    for number in range(3):
        more = {"y": [1]} if number == 1 else {}
        pl.DataFrame({"x": [number], **more}).write_parquet(tmp_path / f"{number}.parquet")
    pl.DataFrame({"x": [3, 4, 5]}).write_parquet(tmp_path / "3.parquet")
    found = parquet_rows_at(tmp_path, [4, 1, 0])
    assert found.to_dict(as_series=False) == {"x": [4, 1, 0], "y": [None, 1, None]}


def test_a_folder_is_one_table_in_the_order_of_its_names(tmp_path):
    for name, value in (("b", 2), ("a", 1), ("c", 3)):
        pl.DataFrame({"x": [value]}).write_parquet(tmp_path / f"{name}.parquet")
    assert [path.stem for path in parquet_files(tmp_path)] == ["a", "b", "c"]
    assert read_table(tmp_path)["x"].to_list() == [1, 2, 3]
    (tmp_path / "empty").mkdir()
    with pytest.raises(FileNotFoundError, match="no Parquet files"):
        read_table(tmp_path / "empty")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("t.docx", b"a\n1\n", "neither CSV nor Parquet"),
        ("t.csv", b"a,a,b\n1,2,3\n", "several columns named 'a'"),
        ("t.csv", b"a,b\n1,2,3\n", "the header has 2 fields, line 2 has 3"),
        ("t.csv", b"a,b\n", "has no rows"),
        ("t.parquet", b"nonsense", "cannot be read as a table"),
    ],
)
def test_files_that_are_no_tables(tmp_path, name, content, message):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InvalidArgument, match=message):
        read_table(tmp_path / name)


def test_a_table_that_is_not_there(tmp_path):
    with pytest.raises(FileNotFoundError, match="Check the name"):
        read_table(tmp_path / "absent.csv")


def test_other_endings_are_not_written(tmp_path):
    with pytest.raises(InvalidArgument, match="neither CSV nor Parquet"):
        write_table(COLUMNS, tmp_path / "table.xlsx")
    assert not list(tmp_path.iterdir())


def test_spreadsheets_find_no_formulas(tmp_path):
    """Text that they would run gets an apostrophe; numbers, written as text or not, do not."""
    texts = ["=cmd|'/c calc'!A1", "+SUM(1)", "-2+3", "@x", "\tx", "-5", "+1e3", "a=b", None]
    frame = pl.DataFrame({"=who": texts, "kind": pl.Series(["=a"] * 9, dtype=pl.Categorical)})
    write_table(frame.with_columns(n=-1), tmp_path / "table.csv")
    with (tmp_path / "table.csv").open(newline="") as file:
        header, *rows = csv.reader(file)
    assert header == ["'=who", "kind", "n"]
    expected = ["'=cmd|'/c calc'!A1", "'+SUM(1)", "'-2+3", "'@x", "'\tx", "-5", "+1e3", "a=b", ""]
    assert [row[0] for row in rows] == expected
    assert {(row[1], row[2]) for row in rows} == {("'=a", "-1")}
    write_table(frame, tmp_path / "table.parquet")
    assert pl.read_parquet(tmp_path / "table.parquet")["=who"].to_list() == texts


def test_every_damaged_parquet_file_is_an_error_in_words(tmp_path):
    """One byte after the other; some of them make polars panic."""
    path = tmp_path / "table.parquet"
    write_table({"a": np.arange(40.0), "b": ["x", "y"] * 20}, path)
    whole = path.read_bytes()
    refused = 0
    for place in range(4, len(whole), 7):
        content = bytearray(whole)
        content[place] ^= 0xFF
        path.write_bytes(bytes(content))
        with suppress(InvalidArgument):  # anything else is a failure
            read_table(path)
            refused -= 1
        refused += 1
    assert refused > 20
