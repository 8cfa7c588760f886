"""Clustering data that is read in blocks."""

import numpy as np
import polars as pl
import pytest
from sklearn.exceptions import ConvergenceWarning

from likewise import cluster_blocks
from likewise.baselines.clusterings import hard_clustering
from likewise.distributed import sources
from likewise.errors import InvalidArgument


@pytest.fixture
def data():
    random = np.random.default_rng(1)
    middles = random.normal(scale=8, size=(5, 3))
    return middles[random.integers(0, 5, size=4_000)] + random.normal(size=(4_000, 3))


@pytest.fixture
def folder(data, tmp_path, monkeypatch):
    monkeypatch.setattr(sources, "BLOCK_ROWS", 500)
    place = tmp_path / "table"
    place.mkdir()
    for number, part in enumerate(np.array_split(data, 3)):
        table = pl.DataFrame(part, schema=["x", "y", "z"]).with_columns(name=pl.lit("somebody"))
        table.write_parquet(place / f"{number}.parquet", row_group_size=200)
    return place


@pytest.mark.parametrize("p", [1, 2, pytest.param(3, marks=pytest.mark.slow), np.inf])
def test_costs_are_near_those_of_one_machine(p, data, folder, client):
    found = cluster_blocks(folder, 5, p=p, engine=client, random_state=0)
    distance = np.sqrt(((data[:, None] - found.centers[None]) ** 2).sum(axis=2)).min(axis=1)
    recomputed = distance.max() if np.isinf(p) else (distance**p).sum()
    assert found.objective == pytest.approx(recomputed, rel=1e-12)
    np.testing.assert_array_equal(data[found.center_rows], found.centers)
    assert found.n_points == len(data)
    assert found.columns == ("x", "y", "z")
    local = hard_clustering(data, 5, p=p, random_state=0)
    worth = local.distances.min(axis=1).max() if np.isinf(p) else local.cost
    assert found.cost <= 1.02 * worth


def test_dask_collections_give_the_same(data, client):
    import dask.array as da
    import dask.dataframe as dd
    import pandas as pd

    array = cluster_blocks(da.from_array(data, chunks=(700, 2)), 5, engine=client, random_state=0)
    frame = pd.DataFrame(data, columns=["x", "y", "z"])
    frame["who"] = "somebody"
    table = cluster_blocks(dd.from_pandas(frame, npartitions=4), 5, engine=client, random_state=0)
    for found in (array, table):
        assert found.n_points == len(data)
        assert found.objective == pytest.approx(array.objective, rel=0.02)
    again = cluster_blocks(da.from_array(data, chunks=(700, 2)), 5, engine=client, random_state=0)
    np.testing.assert_array_equal(array.centers, again.centers)


def test_empty_and_nullable_partitions(client):
    import dask.dataframe as dd
    import pandas as pd

    frame = pd.DataFrame({"x": pd.array(range(60), dtype="Int64"), "y": 1.0, "who": "a"})
    table = dd.from_pandas(frame, npartitions=4)
    found = cluster_blocks(table[table.x >= 30], 2, engine=client, random_state=0)
    assert found.n_points == 30
    assert found.columns == ("x", "y")
    frame.loc[3, "x"] = pd.NA
    with pytest.raises(InvalidArgument, match="are missing"):
        cluster_blocks(dd.from_pandas(frame, npartitions=2), 2, engine=client)
    with pytest.raises(InvalidArgument, match=r"^columns: the table has no 'age'"):
        cluster_blocks(table, 2, columns=["age"], engine=client)


def test_centers_that_chance_would_miss_are_found(tmp_path, client):
    path = tmp_path / "far.parquet"
    pl.DataFrame({"x": [10.0**power for power in range(10)]}).write_parquet(path)
    for seed in range(3):
        found = cluster_blocks(path, 10, engine=client, random_state=seed)
        assert found.objective == 0


def test_clusters_are_written_by_the_workers(data, folder, client, tmp_path):
    out = tmp_path / "out"
    found = cluster_blocks(folder, 4, engine=client, random_state=0, out=out)
    assert len(found.files) == len(list(out.iterdir())) > 3
    table = pl.read_parquet(out / "*.parquet")
    assert table["row"].to_list() == list(range(2, len(data) + 2))  # as a spreadsheet has them
    label = table["cluster"].to_numpy()
    to_own = np.sqrt(((data - found.centers[label]) ** 2).sum(axis=1))
    np.testing.assert_allclose(table["distance"].to_numpy(), to_own, rtol=1e-12)
    assert (to_own**2).sum() == pytest.approx(found.objective)
    with pytest.raises(InvalidArgument, match=r"^out: .* is not empty"):
        cluster_blocks(folder, 4, engine=client, out=out)


def test_few_different_rows(tmp_path, client):
    rows = np.repeat([[0.0, 0.0], [1.0, 0.0], [5.0, 5.0]], 40, axis=0)
    path = tmp_path / "few.parquet"
    pl.DataFrame(rows, schema=["x", "y"]).write_parquet(path)
    for p in (1, 2, np.inf):
        found = cluster_blocks(path, 3, p=p, engine=client, random_state=0)
        assert found.objective == 0
        assert len(np.unique(found.centers, axis=0)) == 3
        with pytest.warns(ConvergenceWarning, match="5 centres .* only 3 distinct points"):
            found = cluster_blocks(path, 5, p=p, engine=client, random_state=0)
        assert found.objective == 0
        assert len(found.centers) == 5
        np.testing.assert_array_equal(rows[found.center_rows], found.centers)
        np.testing.assert_array_equal(np.unique(found.centers, axis=0), np.unique(rows, axis=0))


def test_bad_sources_say_what_to_do(folder, client, tmp_path):
    with pytest.raises(FileNotFoundError, match=r"^source: there are no Parquet files"):
        cluster_blocks(tmp_path / "nothing", 3, engine=client)
    with pytest.raises(InvalidArgument, match=r"^columns: 0.parquet has no 'age'"):
        cluster_blocks(folder, 3, columns=["age"], engine=client)
    with pytest.raises(InvalidArgument, match=r"^source: ndarray does not come in blocks"):
        cluster_blocks(np.zeros((4, 2)), 3, engine=client)
    with pytest.raises(InvalidArgument, match=r"^n_clusters: 9000 clusters of 4000 rows"):
        cluster_blocks(folder, 9000, engine=client)
    (folder / "3.parquet").write_bytes(b"PAR1 no more")
    with pytest.raises(InvalidArgument, match=r"^source: .*3.parquet cannot be read"):
        cluster_blocks(folder, 3, engine=client)
    holes = tmp_path / "holes.parquet"
    pl.DataFrame({"x": [1.0, float("nan"), 2.0]}).write_parquet(holes)
    with pytest.raises(InvalidArgument, match=r"^source: some values in .*holes.parquet"):
        cluster_blocks(holes, 2, engine=client)
