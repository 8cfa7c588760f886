"""``run.json``: there and back, and what is said about one that is broken."""

import json
import math
from dataclasses import fields, replace

import pytest

import likewise
from likewise import InvalidArgument, LikewiseClustering
from likewise.io.number_format import NumberFormat
from likewise.io.preparation import Column, LeftOut
from likewise.io.run_record import RUN, HardRecord, Input, Parameters, RunRecord
from likewise.io.tables import Reading

PARAMETERS = Parameters(
    n_clusters=3,
    p=2.0,
    metric="euclidean",
    similarity="local",
    bound_scale=0.5,
    n_neighbors=None,
    divergence="tv",
    group_tolerance=0.2,
    max_refine=0,
    solver="auto",
    tol=1e-3,
    max_time=None,
    random_state=0,
)
RECORD = RunRecord(
    likewise=likewise.__version__,
    python="3.11.7",
    libraries={"numpy": "2.0"},
    command=("fit", "people.csv"),
    input=Input(
        "people.csv", "somewhere/people.csv", "0" * 64, Reading(NumberFormat(",", "."), ("zip",))
    ),
    parameters=PARAMETERS,
    features=("age", "city"),
    protected=("sex",),
    columns=(
        Column("age", "number", 40.5, 12.25),
        Column("city", "category", values=("Lima", "Ōsaka")),
    ),
    left_out=(LeftOut("name", "text that is nearly always different"),),
    feature_names=("age", "city=Lima", "city=Ōsaka"),
    rows=120,
    rows_left_out=0,
    seconds=1.5,
    id=None,
    weight="w",
    warnings=("stopped early",),
)
HARD = HardRecord(
    rows=9,
    p=1.0,
    cost=2.0,
    objective=4.0,
    passes=3,
    files=("part-0.parquet",),
    columns=RECORD.columns,
    left_out=RECORD.left_out,
)


@pytest.mark.parametrize("p", [1.0, 2.0, math.inf])
def test_there_and_back(tmp_path, p):
    record = replace(RECORD, parameters=replace(PARAMETERS, p=p))
    record.write(tmp_path)
    assert RunRecord.read(tmp_path) == record
    hard = replace(HARD, p=p)
    hard.write(tmp_path)
    assert HardRecord.read(tmp_path) == hard


def test_the_keys_are_the_fields_in_their_order(tmp_path):
    RECORD.write(tmp_path)
    written = json.loads((tmp_path / RUN).read_text())
    assert list(written) == [field.name for field in fields(RunRecord)]
    assert written["input"] == {
        "file": "people.csv", "path": "somewhere/people.csv", "sha256": "0" * 64,
        "reading": {
            "numbers": {"decimal": ",", "thousands": "."}, "texts": ["zip"], "encoding": None,
        },
    }  # fmt: skip
    assert written["columns"][1] == {
        "name": "city", "kind": "category", "mean": None, "spread": None,
        "values": ["Lima", "Ōsaka"], "written": "", "gaps": False,
    }  # fmt: skip
    reason = "text that is nearly always different"
    assert written["left_out"] == [{"name": "name", "reason": reason}]


def test_infinity_is_null_in_the_file(tmp_path):
    replace(RECORD, parameters=replace(PARAMETERS, p=math.inf)).write(tmp_path)
    assert json.loads((tmp_path / RUN).read_text())["parameters"]["p"] is None


def test_parameters_are_the_estimators():
    names = {field.name for field in fields(Parameters)}
    assert names <= set(LikewiseClustering().get_params())


def broken(folder, *keys, record=RECORD, **values):
    """The record without a key, or with another value; keys lead to it."""
    record.write(folder)
    written = json.loads((folder / RUN).read_text())
    inner = written
    for key in keys[:-1]:
        inner = inner[key]
    if "value" in values:
        inner[keys[-1]] = values["value"]
    else:
        del inner[keys[-1]]
    (folder / RUN).write_text(json.dumps(written))
    return folder


def test_a_broken_record_of_another_version_is_named_so(tmp_path):
    with pytest.raises(InvalidArgument, match=r"'rows' is missing\. .* by likewise 9\.0\.0, this"):
        RunRecord.read(broken(tmp_path, "rows", record=replace(RECORD, likewise="9.0.0")))


def test_checksums_came_later(tmp_path):
    assert RunRecord.read(broken(tmp_path, "files")).files == {}


@pytest.mark.parametrize(
    "key", [field.name for field in fields(RunRecord) if field.name != "files"]
)
def test_a_missing_key_is_named(tmp_path, key):
    with pytest.raises(InvalidArgument, match=rf"run\.json: '{key}' is missing\. Name a folder"):
        RunRecord.read(broken(tmp_path, key))


NEW_IN_0_2 = {"bound_scale": 1.0}


@pytest.mark.parametrize(
    "key", sorted({field.name for field in fields(Parameters)} - set(NEW_IN_0_2))
)
def test_a_missing_parameter_is_named(tmp_path, key):
    with pytest.raises(InvalidArgument, match=rf"'parameters\.{key}' is missing"):
        RunRecord.read(broken(tmp_path, "parameters", key))


@pytest.mark.parametrize(("key", "meaning"), NEW_IN_0_2.items())
def test_what_the_first_version_did_not_write(tmp_path, key, meaning):
    record = RunRecord.read(broken(tmp_path, "parameters", key))
    assert getattr(record.parameters, key) == meaning


@pytest.mark.parametrize(
    ("keys", "value", "problem"),
    [
        (("rows",), "120", "'rows' is not a whole number"),
        (("features",), "age", "'features' is not a list"),
        (("features",), ["age", 1], r"'features\[1\]' is not a text"),
        (("input",), "people.csv", "'input' is not an object"),
        (("input", "sha256"), None, r"'input\.sha256' is not a text"),
        (("parameters", "p"), "2", r"'parameters\.p' is not a number"),
        (("parameters", "n_neighbors"), 2.5, r"'parameters\.n_neighbors' is not a whole number"),
        (("columns", 0, "mean"), "40", r"'columns\[0\]\.mean' is not a number"),
        (("libraries",), {"numpy": 2}, r"'libraries\.numpy' is not a text"),
        (("weight",), 1, "'weight' is not a text"),
    ],
)
def test_a_value_of_another_kind_is_named(tmp_path, keys, value, problem):
    with pytest.raises(InvalidArgument, match=rf"run\.json: {problem}"):
        RunRecord.read(broken(tmp_path, *keys, value=value))


def test_keys_of_later_versions_are_passed_over(tmp_path):
    assert RunRecord.read(broken(tmp_path, "mood", value="good")) == RECORD


def test_the_two_kinds_are_told_apart(tmp_path):
    HARD.write(tmp_path)
    with pytest.raises(InvalidArgument, match="likewise hard"):
        RunRecord.read(tmp_path)
    RECORD.write(tmp_path)
    with pytest.raises(InvalidArgument, match="'p' is missing"):
        HardRecord.read(tmp_path)
