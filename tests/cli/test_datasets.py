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


def test_what_is_saved_is_not_overwritten_by_chance(env, tmp_path):
    (tmp_path / "bank.csv").write_text(BANK)
    saved = tmp_path / "new" / "saved.csv"
    save = ["datasets", "bank", "--save", saved]
    assert invoke(*save, env=env).exit_code == 0
    refused = invoke(*save, env=env)
    assert "--save: " in str(refused.exception)
    assert "--force" in str(refused.exception)
    assert invoke(*save, "--force", env=env).exit_code == 0
