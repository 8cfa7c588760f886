"""Two hundred broken files: a right answer or a clear error, never a traceback, never nonsense."""

import json

import numpy as np
import polars as pl
import pytest
from scipy.spatial.distance import cdist
from support.commands import invoke

from likewise.cli import errors as failures
from likewise.io.run_folder import Assignments
from likewise.io.run_record import RunRecord

N = 24


def plain_rows(random):
    ages, incomes = random.integers(18, 80, N), random.normal(40, 9, N).round(3)
    return [
        [str(a), str(b), random.choice(["red", "blue"])] for a, b in zip(ages, incomes, strict=True)
    ]


def as_text(rows, separator=",", header=("age", "income", "kind"), end="\n"):
    return end.join(separator.join(row) for row in [list(header), *rows]) + end


def wrong_delimiter(random, rows):
    return as_text(rows, random.choice([";", "\t", "|", ":", " "])).encode()


def header_and_rows_disagree(random, rows):
    first, *rest = as_text(rows).splitlines()
    return "\n".join([first.replace(",", ";"), *rest]).encode()


def ragged(random, rows):
    row = rows[random.integers(N)]
    row.append("more") if random.random() < 0.5 else row.pop()
    return as_text(rows).encode()


def mixed_types(random, rows):
    for _ in range(random.integers(1, 6)):
        rows[random.integers(N)][random.integers(2)] = random.choice(
            ["abc", "12 years", "1.2.3", "--", "0x1F", "1,5", "٣", "True", "2020-01-01"]
        )
    return as_text([[f'"{cell}"' for cell in row] for row in rows]).encode()


def empty(random, rows):
    return random.choice([b"", b"\n", b"\n\n\n", b" ", b"age,income,kind\n", b"\x00", b",,,\n"])


def with_mark(random, rows):
    return b"\xef\xbb\xbf" + as_text(rows).encode()


def other_encoding(random, rows):
    rows[0][2] = "größer"
    return as_text(rows).encode(random.choice(["latin-1", "utf-16", "utf-32", "cp1252"]))


def huge_numbers(random, rows):
    huge = ["1e308", "-1e308", "1e400", "9" * 40, "1e-320", "inf", "-Infinity", "NaN"]
    for _ in range(random.integers(1, 5)):
        rows[random.integers(N)][random.integers(2)] = random.choice(huge)
    return as_text(rows).encode()


def script_in_header(random, rows):
    tag = random.choice(["<script>alert(1)</script>", "</table>", '"><img src=x>', "{{ 7 * 7 }}"])
    return as_text(rows, header=("age", "income", tag.replace('"', '""').join('""'))).encode()


def repeated_columns(random, rows):
    return as_text(rows, header=random.permutation(["age", "age", "income"]).tolist()).encode()


def many_columns(random, rows):
    width = 10_000 if random.random() < 0.1 else 300
    header = ["age", "income", "kind", *(f"c{number}" for number in range(width))]
    more = [[*row, *(["0"] * width)] for row in rows]
    return as_text(more, header=header).encode()


def cut_off(random, rows):
    text = as_text(rows).encode()
    return text[: random.integers(1, len(text))]


def binary_noise(random, rows):
    return random.bytes(500)


def quotes(random, rows):
    rows[random.integers(N)][2] = random.choice(['"open', 'a"b', '""', '"a,b"', '"a\nb"'])
    return as_text(rows).encode()


def line_ends(random, rows):
    return as_text(rows, end=random.choice(["\r\n", "\r", "\n\n"])).encode()


def missing(random, rows):
    for _ in range(random.integers(1, 8)):
        rows[random.integers(N)][random.integers(3)] = random.choice(["", "NA", " ", "null"])
    return as_text(rows).encode()


def all_the_same(random, rows):
    return as_text([rows[0]] * N).encode()


def shuffled_bytes(random, rows):
    text = bytearray(as_text(rows).encode())
    for _ in range(random.integers(1, 12)):
        text[random.integers(len(text))] = random.integers(256)
    return bytes(text)


MANGLERS = [
    wrong_delimiter, header_and_rows_disagree, ragged, mixed_types, empty, with_mark,
    other_encoding, huge_numbers, script_in_header, repeated_columns, many_columns, cut_off,
    binary_noise, quotes, line_ends, missing, all_the_same, shuffled_bytes,
]  # fmt: skip
EACH = 12  # 216 files


@pytest.mark.parametrize("mangle", MANGLERS, ids=lambda mangle: mangle.__name__)
def test_an_answer_or_a_clear_error(mangle, tmp_path):
    outcomes = set()
    for seed in range(EACH):
        random = np.random.default_rng([seed, MANGLERS.index(mangle)])
        ending = "parquet" if mangle is binary_noise and seed % 2 else "csv"
        file = tmp_path / f"mangled{seed}.{ending}"
        file.write_bytes(mangle(random, plain_rows(random)))
        out = tmp_path / f"run{seed}"
        done = invoke(
            "fit", file, "--features", "age,income", "-k", 2, "-o", out, "--json",
            "--similarity", "global",
        )  # fmt: skip
        if done.exit_code == 0:
            check_answer(file, out, json.loads(done.stdout))
            outcomes.add("answer")
        else:
            assert failures.exit_code(done.exception) is not None, repr(done.exception)
            assert len(str(done.exception)) > 20
            assert not out.exists()
            outcomes.add("error")
        assert not list(tmp_path.glob(".run*"))
    assert outcomes <= EXPECTED.get(mangle, {"answer", "error"})


EXPECTED = {
    with_mark: {"answer"},
    script_in_header: {"answer"},
    many_columns: {"answer"},
    repeated_columns: {"error"},
    empty: {"error"},
    binary_noise: {"error"},
    all_the_same: {"answer"},  # two centres at one place, and a warning
}


def check_answer(file, out, told):
    """Right for the numbers that are in the file, as Python's own parser reads them."""
    assert told["is_fair"]
    found = Assignments.read(out)
    assert [column.kind for column in RunRecord.read(out).columns] == ["number", "number"]
    encoding = RunRecord.read(out).input.reading.encoding
    text = file.read_bytes().decode("utf-8-sig" if encoding == "utf-8" else encoding)
    separator = max(",;\t|", key=text.splitlines()[0].count)
    frame = pl.read_csv(text.encode(), separator=separator, infer_schema=False)
    written = [row for row in frame.select("age", "income").iter_rows() if any(row)]
    X = np.array([[float(cell) for cell in row] for row in written])
    assert len(found.distributions) == len(X)
    spread = X.std(axis=0)
    X = (X - X.mean(axis=0)) / np.where(spread > 0, spread, 1)
    largest = cdist(X, X).max()
    bound = cdist(X, X) / (largest if largest > 0 else 1)
    x = found.distributions
    tv = 0.5 * np.abs(x[:, None] - x[None]).sum(axis=2)
    assert (tv <= bound + 1e-9).all()
