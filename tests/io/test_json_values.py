"""JSON files: what goes in, and how it is asked for again."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

from likewise import InvalidArgument
from likewise.io.json_values import Fields, plain, read_json, write_json


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (np.float64(0.5), 0.5),
        (np.int32(3), 3),
        (np.bool_(True), True),
        (np.array([[1.0, np.nan]]), [[1.0, None]]),
        (math.inf, None),
        (-math.inf, None),
        ((1, "a"), [1, "a"]),
        ({("sex", "f"): 1}, {"('sex', 'f')": 1}),
        (Path("a/b"), "a/b"),
        (None, None),
    ],
)
def test_anything_becomes_json(value, expected):
    made = plain(value)
    assert made == expected
    assert type(made) is type(expected)
    assert json.loads(json.dumps(made, allow_nan=False)) == expected


def test_files_are_read_as_written(tmp_path):
    path = tmp_path / "values.json"
    write_json(path, {"p": math.inf, "name": "Zoë", "counts": np.arange(3), "inner": {"x": 1.5}})
    assert "Zoë" in path.read_text(encoding="utf-8")
    fields = read_json(path)
    assert fields.number_or_infinity("p") == math.inf
    assert fields.get("name", str) == "Zoë"
    assert fields.each("counts", int) == (0, 1, 2)
    assert fields.inner("inner").get("x", float) == 1.5
    assert "inner" in fields
    assert "outer" not in fields


@pytest.fixture
def fields():
    values = {
        "text": "a", "whole": 2, "number": 2.5, "yes": True, "null": None, "list": ["a", 1],
        "objects": [{"x": 1}, {}], "inner": {"x": "a"},
    }  # fmt: skip
    return Fields(Path("folder/run.json"), values)


def test_values_of_the_kind_that_is_asked_for(fields):
    assert fields.get("whole", int) == 2
    assert isinstance(fields.get("whole", float), float)
    assert fields.get("yes", bool) is True
    assert fields.maybe("null", str) is None
    assert fields.maybe("text", str) == "a"
    assert fields.number_or_infinity("number") == 2.5
    assert fields.inner("inner").by_key(str) == {"x": "a"}


@pytest.mark.parametrize(
    ("ask", "problem"),
    [
        (lambda f: f.get("absent", str), "'absent' is missing"),
        (lambda f: f.maybe("absent", str), "'absent' is missing"),
        (lambda f: f.number_or_infinity("absent"), "'absent' is missing"),
        (lambda f: f.get("text", int), "'text' is not a whole number"),
        (lambda f: f.get("number", int), "'number' is not a whole number"),
        (lambda f: f.get("yes", int), "'yes' is not a whole number"),
        (lambda f: f.get("yes", float), "'yes' is not a number"),
        (lambda f: f.get("whole", bool), "'whole' is not true or false"),
        (lambda f: f.get("null", str), "'null' is not a text"),
        (lambda f: f.each("list", str), r"'list\[1\]' is not a text"),
        (lambda f: f.each("text", str), "'text' is not a list"),
        (lambda f: f.inner("list"), "'list' is not an object"),
        (lambda f: f.inner("inner").get("x", float), r"'inner\.x' is not a number"),
        (lambda f: f.each_inner("objects")[1].get("x", int), r"'objects\[1\]\.x' is missing"),
    ],
)
def test_others_name_file_key_and_remedy(fields, ask, problem):
    with pytest.raises(InvalidArgument, match=rf"run\.json: {problem}\. Name a folder"):
        ask(fields)


def test_files_that_are_none(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"there is no run\.json"):
        read_json(tmp_path / "run.json")
    for broken in (b"{", b"\xff\xfe", b""):
        (tmp_path / "run.json").write_bytes(broken)
        with pytest.raises(InvalidArgument, match="it is not JSON"):
            read_json(tmp_path / "run.json")
    (tmp_path / "run.json").write_text("[1]")
    with pytest.raises(InvalidArgument, match="it is not an object with keys"):
        read_json(tmp_path / "run.json")
