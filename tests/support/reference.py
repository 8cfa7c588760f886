"""The results that the paper's authors got with CPLEX, and the data they belong to."""

import json
import os
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from likewise.experiments.cells import paper_pairs
from likewise.groups.membership import Groups

_BESIDE = Path(__file__).resolve().parents[3] / "shared"
FOLDER = Path(os.environ.get("LIKEWISE_REFERENCE", _BESIDE))
RAW_FILES = ("bank", "adult", "creditcard", "diabetes")  # of which the raw files are there too

# stands for all rows where there are none, so that their tests show up as skipped
ABSENT = dict(algorithm="absent", similarity="", dataset="", n=0, k=0)


def is_there():
    return (FOLDER / "reference" / "results.json").exists()


needed = pytest.mark.skipif(not is_there(), reason=f"no reference at {FOLDER}")


@cache
def results():
    return json.loads((FOLDER / "reference" / "results.json").read_text())


def rows(**wanted):
    """The runs whose fields have these values (or one of them, for a tuple)."""

    def fits(row):
        return all(
            row[name] in value if isinstance(value, tuple) else row[name] == value
            for name, value in wanted.items()
        )

    return [row for row in results() if fits(row)] if is_there() else [ABSENT]


def label(row):
    return f"{row['algorithm']}-{row['similarity']}-{row['dataset']}-n{row['n']}-k{row['k']}"


@cache
def samples(name):
    with np.load(FOLDER / "data" / f"samples_{name}.npz") as file:
        return dict(file)


def data(row):
    """The rows of the sample that a run was made on."""
    if row["sample"] == "by_size":
        return samples("creditcard_by_size")[f"X_{row['n']}"]
    return samples(row["dataset"])["X"][0][: row["n"]]


def pairs(row):
    """The pairs of a run as its authors made them, ties broken as their ball tree did."""
    return paper_pairs(data(row), row["similarity"], row["n_neighbors"])


def groups(row):
    """The two protected attributes of the rows of the sample, as integer codes."""
    if row["sample"] == "by_size":
        return samples("creditcard_by_size")[f"groups_{row['n']}"]
    return samples(row["dataset"])["groups"][0][: row["n"]]


def as_groups(row):
    return Groups.from_features(groups(row), row["n"])
