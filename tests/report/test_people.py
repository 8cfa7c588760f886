"""People as the page shows them."""

import numpy as np
import polars as pl
import pytest
from support.commands import invoke

from likewise.report.people import SHOWN_COLUMNS, People, value_in_words
from likewise.report.run import read_run


@pytest.fixture(scope="module")
def people(tmp_path_factory):
    where = tmp_path_factory.mktemp("people")
    table = {
        "who": ["ada", "bo", "cy", "di"],
        "income": [9_500.4, 35_250.0, 81_000.0, 20_000.0],
        "gain": [" 0", " 99999", " 15024", " 7"],  # with blanks before them numbers come as text
        "city": ["Oslo", "Pune", "Oslo", "Lima"],
        **{name: [1, 2, 3, 4] for name in "abcd"},
    }
    pl.DataFrame(table).write_csv(where / "t.csv")
    done = invoke("fit", where / "t.csv", "-k", 2, "--id", "who", "--out", where / "run")
    assert done.exit_code == 0, done.output
    return People(read_run(where / "run"))


def test_a_person(people):
    assert people.columns == ("income", "gain", "city", "a", "b", "c")
    assert len(people.columns) == SHOWN_COLUMNS
    assert people.person(0).cells == ["9,500", "0", "Oslo", "1", "1", "1"]
    assert people.person(1).cells == ["35,250", "99,999", "Pune", "2", "2", "2"]
    np.testing.assert_allclose(people.person(1).x, people.run.distributions[1])


def test_a_pair(people):
    pair = people.pair(0, 2, bound=0.5)
    x = people.run.distributions
    assert pair.differ == pytest.approx(0.5 * np.abs(x[0] - x[2]).sum())
    assert [person.id for person in pair.people] == ["ada", "cy"]
    assert pair.saving is None


def test_values_that_are_not_there():
    assert value_in_words(None) == "missing"
    assert value_in_words(True) == "True"
