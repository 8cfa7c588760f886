"""The table that the commands are tried on."""

import numpy as np
import polars as pl
import pytest


@pytest.fixture
def people(tmp_path):
    """A table with numbers, categories, protected columns, names that need escaping."""
    random = np.random.default_rng(0)
    n = 120
    table = pl.DataFrame(
        {
            "name": [f"p{number:03d}" for number in range(n)],
            "age": random.integers(20, 70, n),
            "income": random.lognormal(10, 0.5, n).round(2),
            "city": random.choice(["Pune", "Lima", "Oslo"], n),
            "sex": random.choice(["f", "m"], n),
            "<b>status</b>": random.choice(["a&b", "<script>alert(1)</script>"], n),
        }
    )
    path = tmp_path / "people.csv"
    table.write_csv(path)
    return path
