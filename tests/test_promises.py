"""The page of promises: its figures are those of the records, its files are there."""

import re

import pytest
from support import records

ROOT = records.DOCS.parent


@pytest.mark.parametrize("name", records.TABLES)
def test_the_figures_are_those_of_the_record(name):
    assert records.written(name) == records.TABLES[name](), "run: python -m tests.support.records"


def test_the_last_long_runs_were_long():
    assert records.read("fuzz")["kinds"]["all"]["failed"] == 0
    assert records.read("fuzz")["kinds"]["all"]["played"] >= 10_000
    kills = [count for kind, count in records.read("faults")["tried"].items() if " SIG" in kind]
    assert sum(kills) >= 100


def test_every_check_that_is_named_exists():
    named = re.findall(r"`(tests/[\w/.]+)`", records.PAGE.read_text(encoding="utf-8"))
    assert len(named) > 10
    for name in named:
        assert (ROOT / name).exists(), name
