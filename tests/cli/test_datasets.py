"""``likewise datasets``: the list, and one of them."""

import json

import polars as pl
import pytest
from support.commands import invoke

BANK = """"age";"marital";"default";"balance";"duration"
30;"married";"no";1787;79
33;"single";"no";4789;220
"""


@pytest.fixture
def env(tmp_path):
    return {"LIKEWISE_DATA": str(tmp_path)}


def test_they_are_listed(env, tmp_path):
    (tmp_path / "bank.csv").write_text(BANK)
    done = invoke("datasets", "--json", env=env)
    listed = {each["name"]: each["file"] for each in json.loads(done.stdout)["datasets"]}
    assert list(listed) == ["bank", "adult", "creditcard", "census1990", "diabetes"]
    assert listed["bank"] == str(tmp_path / "bank.csv")
    assert listed["adult"] is None
    assert "to be downloaded" in invoke("datasets", env=env).stdout


def test_one_is_described_and_saved(env, tmp_path):
    (tmp_path / "bank.csv").write_text(BANK)
    done = invoke("datasets", "bank", "--json", "--save", tmp_path / "saved.parquet", env=env)
    assert done.exit_code == 0, done.output
    described = json.loads(done.stdout)
    assert (described["rows"], described["protected"]) == (2, ["marital", "default"])
    saved = pl.read_parquet(tmp_path / "saved.parquet")
    assert saved.columns == ["age", "balance", "duration", "marital", "default"]
    assert saved["marital"].to_list() == ["married", "single"]
