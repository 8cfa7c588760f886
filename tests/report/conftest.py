"""A run and its page, on a table whose names and values try to break out of the page."""

import numpy as np
import polars as pl
import pytest
from support.commands import invoke

from likewise.report import make_report

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
        "--out", where / "run",
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    return where


@pytest.fixture(scope="session")
def page_file(folder):
    return make_report(folder / "run", folder / "out" / "report.html")
