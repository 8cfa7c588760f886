"""Numbers of many cells, looked up."""

import numpy as np
import polars as pl
import pytest
from support.cells import invented

from likewise.experiments.plan import Cell
from likewise.experiments.results import Results, curve, number

CURVE = [[0.1, 2.0, 0.5], [1.0, 1.5, 0.7]]


def test_numbers_and_curves_are_told_apart():
    result = {"SKM": {"violated": 0.25, "curve": CURVE}}
    assert number(result, "SKM", "violated") == 0.25
    np.testing.assert_array_equal(curve(result), CURVE)
    with pytest.raises(TypeError, match="curve of SKM"):
        number(result, "SKM", "curve")


def test_by_k_and_over_samples():
    cells = {
        Cell("individual", "bank", "local", 1000, k, sample): {"SKM": {"violated": k + sample}}
        for k in (6, 4)
        for sample in (0, 2)
    }
    results = Results(cells)
    assert results.all_values(("SKM", "violated"), "individual") == {4: [4, 6], 6: [6, 8]}
    assert results.values(("SKM", "violated"), "individual", sample=2) == {4: 6.0, 6: 8.0}
    assert list(results.values(("SKM", "violated"), "individual")) == [4, 6]
    assert results.values(("GF", "violated"), "individual") == {}


def test_ratios_prices_shares_and_times():
    results = invented()
    assert results.ratios("IF", "bank", "global") == {4: pytest.approx(1.1**0.5)}
    assert results.prices("CF", "bank", "global") == {4: 1.0}
    assert results.large(("GF", "violated"), "bank", "global") == pytest.approx({2: 0.32, 4: 0.34})
    assert results.large(("GF", "violated"), "bank", "local") == {}
    assert results.seconds() == {4000: 1.0}
    assert results.datasets == ["bank"]  # running times alone do not make a data set


def test_the_table_has_one_row_for_each_number(tmp_path):
    cell = Cell("clusterings", "bank", "global", 80, 2)
    Results({cell: {"SKM": {"beta": 2, "curve": CURVE}, "GF": {"s": 0.5}}}).write_parquet(
        tmp_path / "results.parquet"
    )
    table = pl.read_parquet(tmp_path / "results.parquet")
    assert table.select("algorithm", "quantity", "value").rows() == [
        ("SKM", "beta", 2.0),
        ("GF", "s", 0.5),
    ]
    assert table["dataset"].to_list() == ["bank", "bank"]
