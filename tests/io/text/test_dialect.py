"""How a file is written is told by the file; what is in doubt is not guessed."""

import csv
import gzip

import polars as pl
import pytest

from likewise import InvalidArgument
from likewise.io.number_format import PLAIN, NumberFormat
from likewise.io.tables import Reading, read_table
from likewise.io.text import sniff

ROWS = [["Größe", "Ort"], ["1,75", "Köln"], ["12,5", "Zürich"], ["0,125", "Łódź"], ["3,5", "Bonn"]]


def written(path, rows=ROWS, separator=";", encoding="utf-8"):
    with path.open("w", encoding=encoding, newline="", errors="replace") as file:
        csv.writer(file, delimiter=separator).writerows(rows)
    return path


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
def test_what_spreadsheets_write(tmp_path, encoding):
    file = written(tmp_path / "table.csv", ROWS[:3] + ROWS[4:], encoding=encoding)
    found = sniff(file)
    assert found.separator == ";"
    assert found.numbers == NumberFormat(",")
    assert found.encoding == encoding.removesuffix("-sig")
    table = read_table(file, reading=Reading(found.numbers, (), found.encoding))
    assert table["Größe"].to_list() == [1.75, 12.5, 3.5]
    assert table["Ort"].to_list() == ["Köln", "Zürich", "Bonn"]


def test_what_is_unusual_is_said_with_the_option_that_says_otherwise(tmp_path):
    words = sniff(written(tmp_path / "a.csv", ROWS[:3] + ROWS[4:], encoding="cp1252")).in_words
    assert "cp1252 (--encoding)" in words
    assert "semicolons" in words
    assert "decimal commas (--decimal ',')" in words
    assert sniff(written(tmp_path / "b.csv", [["a", "b"], ["1", "2"]], ",")).in_words is None


def test_tabs_and_gzip(tmp_path):
    plain = written(tmp_path / "table.tsv", [["a", "b"], ["1", "x"], ["2", "y"]], "\t")
    packed = tmp_path / "table.csv.gz"
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    for file in (plain, packed):
        assert read_table(file).to_dicts() == [{"a": 1, "b": "x"}, {"a": 2, "b": "y"}]


@pytest.mark.parametrize(
    ("values", "numbers"),
    [
        (["1,234", "5,678", "9,012"], PLAIN),  # thousands, or not: an error later on
        (["1.234,5", "2.345,6", "12,5"], NumberFormat(",", ".")),
        (["1.5", "2.5", "3.5"], PLAIN),
        (["1,5", "2,5", "many"], PLAIN),
    ],
)
def test_numbers_are_told_only_where_there_is_no_doubt(tmp_path, values, numbers):
    file = written(tmp_path / "table.csv", [["v", "w"], *([each, "x"] for each in values)])
    assert sniff(file).numbers == numbers


def test_what_is_said_is_taken(tmp_path):
    file = written(tmp_path / "table.csv", ROWS[:3] + ROWS[4:], encoding="latin-1")
    assert sniff(file, "latin-1", PLAIN).numbers == PLAIN
    assert sniff(file, "latin-1").encoding == "iso8859-1"
    with pytest.raises(InvalidArgument, match="encoding: 'klingon' is not known"):
        sniff(file, "klingon")


@pytest.mark.parametrize("extra", ["1;2;3", "1"])
def test_ragged_lines_are_named(tmp_path, extra):
    file = tmp_path / "table.csv"
    file.write_text(f'a;b\n1;"two\nlines"\n{extra}\n5;6\n')
    count = len(extra.split(";"))
    with pytest.raises(InvalidArgument, match=f"header has 2 fields, line 4 has {count}"):
        read_table(file)


def test_a_compressed_file_that_was_cut_off_is_refused(tmp_path):
    file = tmp_path / "table.csv.gz"
    file.write_bytes(gzip.compress(b"a,b\n" + b"1,2\n" * 50_000)[:-200])
    with pytest.raises(InvalidArgument, match="cannot be read"):
        read_table(file)


def test_dates_and_booleans_become_numbers_and_categories():
    from likewise.io.preparation import Wanted, prepare

    table = pl.DataFrame(
        {
            "born": ["2000-01-01", "2000-01-03", "2000-01-02"],
            "seen": ["31.12.1999", "01.01.2000", "02.01.2000"],
            "either": ["5/6/2024", "7/8/2024", "9/9/2024"],
            "paid": [True, False, True],
        }
    )
    made = prepare(table, Wanted(scale=False))
    assert [(each.name, each.kind) for each in made.columns] == [
        ("born", "date"),
        ("seen", "date"),
        ("paid", "category"),
    ]
    assert (made.X[:, 0] - made.X[0, 0]).tolist() == [0, 2, 1]
    assert made.X[:, 1].tolist() == [10956, 10957, 10958]
    assert "several ways" in made.left_out[0].reason
    assert str(made.columns[0]) == "born: dates as numbers of days"
    with pytest.raises(InvalidArgument, match="'either' has dates that can be read in several"):
        prepare(table, Wanted(features=("either",)))
