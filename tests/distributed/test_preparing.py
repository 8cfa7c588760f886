"""Columns of a table in blocks become what they become in memory."""

import numpy as np
import polars as pl
import pytest

from likewise import cluster_blocks
from likewise.distributed import sources
from likewise.distributed.preparing import prepare_blocks
from likewise.io.number_format import NumberFormat
from likewise.io.preparation import Wanted, prepare


@pytest.fixture
def table(tmp_path, monkeypatch):
    """Blocks of 100 rows; one of them has all the large numbers."""
    monkeypatch.setattr(sources, "BLOCK_ROWS", 100)
    random = np.random.default_rng(0)
    frame = pl.DataFrame(
        {
            "x": np.sort(random.lognormal(3, 2, 500)),
            "kind": np.sort(random.choice(["a", "b", "c"], 500)),
            "amount": [f"{number:,}" for number in random.integers(0, 10**6, 500)],
            "ID": range(500),
        }
    )
    frame.write_parquet(tmp_path / "table.parquet", row_group_size=100)
    return tmp_path / "table.parquet"


@pytest.mark.parametrize("scale", [True, False])
def test_as_in_memory(table, client, scale):
    wanted, numbers = Wanted(scale=scale), NumberFormat(".", ",")
    made, left_out = prepare_blocks(table, wanted, numbers=numbers, engine=client)
    here = prepare(pl.read_parquet(table), Wanted(("x", "kind"), scale=scale))
    for one, other in zip(made.columns, here.columns, strict=False):
        assert one.mean == pytest.approx(other.mean)
        assert one.spread == pytest.approx(other.spread)
        assert one.values == other.values
    assert [column.kind for column in made.columns] == ["number", "category", "number"]
    assert [each.name for each in left_out] == ["ID"]
    blocks = made.in_blocks()
    assert len(blocks) == 5
    assert [block.rows.start for block in blocks] == [0, 100, 200, 300, 400]
    points = np.vstack([block.read(None) for block in blocks])
    np.testing.assert_allclose(points[:, :4], here.X, atol=1e-12)
    found = cluster_blocks(made, 3, engine=client, random_state=0)
    assert found.columns == ("x", "kind=a", "kind=b", "kind=c", "amount")
    np.testing.assert_array_equal(points[found.center_rows], found.centers)


def test_wide_tables_come_in_smaller_blocks(table, client, monkeypatch):
    monkeypatch.setattr(sources, "BLOCK_ROWS", 500)
    made, _ = prepare_blocks(table, Wanted(("kind",)), engine=client)
    assert len(made.in_blocks()) == 1
    monkeypatch.setattr(sources, "BLOCK_CELLS", 3 * 200)
    assert len(made.in_blocks()) == 3
