"""The whole reproduction: document, figures and table."""

import polars as pl
from support.cells import few_cells

from likewise.experiments import plan, reproduce


def test_everything_is_written(folder, tmp_path, monkeypatch):
    monkeypatch.setattr(plan, "quick", lambda datasets: few_cells(datasets))
    done = reproduce(
        tmp_path / "out", quick=True, data_home=folder, datasets=["bank", "creditcard"], workers=1
    )
    text = done.document.read_text()
    assert "## Claims" in text
    assert "times faster" in text
    figures = {path.name for path in (tmp_path / "out" / "figures").iterdir()}
    assert {"cost-if.png", "cost-if.svg", "time.svg"} <= figures
    assert "bias.png" not in figures  # nothing of n = 1000 to draw
    for figure in figures:
        assert (tmp_path / "out" / "figures" / figure).stat().st_size > 1000
    table = pl.read_parquet(tmp_path / "out" / "results.parquet")
    assert {"HKM", "ALG-IF", "OPT-IF", "GF"} <= set(table["algorithm"])
