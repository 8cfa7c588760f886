"""A run and its page, on a table whose names and values try to break out of the page."""

import numpy as np
import polars as pl
import pytest
from support.commands import invoke

from likewise.report import make_report
from likewise.report.content import gather
from likewise.report.page import write_report
from likewise.report.run import read_run

HOSTILE = '<img src=x onerror="window.hacked=1">\'</script><script>window.hacked=1</script>'


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """The table ``people.csv`` and its run ``run``."""
    where = tmp_path_factory.mktemp("report")
    random = np.random.default_rng(1)
    n = 90
    table = pl.DataFrame(
        {
            "who": [f"{HOSTILE}{number}" for number in range(n)],
            f"a<b>{HOSTILE}"[:60]: random.normal(size=n),
            "income": random.lognormal(3, 1, n),
            "kind": random.choice([HOSTILE, "plain", 'with "quotes" & more'], n),
            f"sex {HOSTILE}".replace(",", ""): random.choice(["f", "m", "</td>"], n),
        }
    )
    table.write_csv(where / "people.csv")
    protected = table.columns[-1]
    done = invoke(
        "fit", where / "people.csv", "-k", 3, "--id", "who", "--protected", protected,
        "--similarity", "global", "--out", where / "run",
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    return where


@pytest.fixture(scope="session")
def page_file(folder):
    return make_report(folder / "run", folder / "out" / "report.html")


@pytest.fixture(scope="session")
def many(tmp_path_factory):
    """A run of more people than are drawn, a few of them far from everybody else."""
    where = tmp_path_factory.mktemp("many")
    random = np.random.default_rng(2)
    n = 4_000
    kind = random.choice(3, n, p=[0.6, 0.3, 0.1])
    income = 35_000 + 9_000 * kind + random.normal(0, 2_000, n)
    income[:3] = 400_000, 250_000, 300_000
    table = pl.DataFrame(
        {
            "age": 40 + 10 * kind + random.normal(0, 3, n),
            "income": income,
            "sex": np.where(random.random(n) < 0.2 + 0.3 * kind, "f", "m"),
        }
    )
    table.write_csv(where / "many.csv")
    done = invoke(
        "fit", where / "many.csv", "-k", 3, "--protected", "sex", "--similarity", "local",
        "--tol", 0.05, "--out", where / "run",
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    return where / "run"


@pytest.fixture(scope="session")
def content_of_many(many):
    return gather(read_run(many))


@pytest.fixture(scope="session")
def page_of_many(content_of_many, tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "many.html"
    write_report(content_of_many, path)
    return path
