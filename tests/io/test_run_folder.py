"""The folder of a run: made, replaced, read back."""

import numpy as np
import polars as pl
import pytest

from likewise import InvalidArgument
from likewise.io.json_values import write_json
from likewise.io.run_folder import (
    ASSIGNMENTS,
    CENTERS,
    CERTIFICATE,
    CLUSTERS,
    Assignments,
    CertificateSummary,
    checksum,
    new_folder,
    read_center_rows,
    write_centers,
    write_certificate,
)
from likewise.io.run_record import RUN


def a_run(path, *more):
    with new_folder(path, replace=True) as folder:
        for name in (RUN, *more):
            (folder / name).touch()


def test_only_runs_are_replaced_and_only_on_request(tmp_path):
    path = tmp_path / "run"
    a_run(path, ASSIGNMENTS, "report.html")
    with pytest.raises(InvalidArgument, match="--force"), new_folder(path):
        pass
    a_run(path)
    assert [each.name for each in path.iterdir()] == [RUN]
    (path / "labels.csv").write_text("precious")
    with pytest.raises(InvalidArgument, match=r"more than a run \(labels\.csv\)"):
        a_run(path)
    assert (path / "labels.csv").read_text() == "precious"


def test_other_folders_are_never_replaced(tmp_path):
    (tmp_path / "thesis.txt").write_text("years of work")
    with pytest.raises(InvalidArgument, match="no result of a run"):
        a_run(tmp_path)
    assert (tmp_path / "thesis.txt").exists()


def test_an_empty_folder_is_filled(tmp_path):
    with new_folder(tmp_path) as folder:
        (folder / RUN).touch()
    assert [each.name for each in tmp_path.iterdir()] == [RUN]


def test_a_hard_clustering_is_replaced_too(tmp_path):
    path = tmp_path / "hard"
    with new_folder(path) as folder:
        (folder / RUN).touch()
        (folder / CLUSTERS).mkdir()
    a_run(path)
    assert [each.name for each in path.iterdir()] == [RUN]


def test_checksums_of_files_and_folders(tmp_path):
    for name, content in (("b", b"2"), ("a", b"1")):
        (tmp_path / f"{name}.parquet").write_bytes(content)
    before = checksum(tmp_path)
    assert len({before, checksum(tmp_path / "a.parquet"), checksum(tmp_path / "b.parquet")}) == 3
    (tmp_path / "notes.txt").write_text("no part of the table")
    assert checksum(tmp_path) == before
    (tmp_path / "a.parquet").write_bytes(b"3")
    assert checksum(tmp_path) != before


@pytest.mark.parametrize("ids", [["x", "y"], [10, 20]])
def test_assignments_there_and_back(tmp_path, ids):
    x = np.random.default_rng(0).dirichlet(np.ones(12), 2)
    Assignments(pl.Series(ids), x, x.argmax(axis=1)).write(tmp_path)
    for path in (tmp_path, tmp_path / ASSIGNMENTS):
        found = Assignments.read(path)
        assert found.ids.to_list() == ids
        np.testing.assert_array_equal(found.distributions, x)  # p10 comes after p9
        np.testing.assert_array_equal(found.labels, x.argmax(axis=1))


def test_assignments_that_are_none(tmp_path):
    with pytest.raises(FileNotFoundError, match="Name the folder of a run"):
        Assignments.read(tmp_path)
    (tmp_path / ASSIGNMENTS).write_bytes(b"nonsense")
    with pytest.raises(InvalidArgument, match="not what a run writes"):
        Assignments.read(tmp_path)
    pl.DataFrame({"p0": [1.0]}).write_parquet(tmp_path / ASSIGNMENTS)
    with pytest.raises(InvalidArgument, match="not what a run writes"):
        Assignments.read(tmp_path)


def test_centers_there_and_back(tmp_path):
    table = pl.DataFrame({"row": ["a", "b"], "x": [1.5, 2.5], "tags": [["u"], ["v", "w"]]})
    write_centers(tmp_path, table, np.array([7, 3]))
    assert pl.read_csv(tmp_path / CENTERS).to_dict(as_series=False) == {
        "center": [0, 1], "row": [9, 5], "row (in the file)": ["a", "b"], "x": [1.5, 2.5],
    }  # fmt: skip
    assert read_center_rows(tmp_path) == [7, 3]  # places in the table, counted from 0
    (tmp_path / CENTERS).write_text("center,row\n0,first\n")
    with pytest.raises(InvalidArgument, match="no column 'row' of row numbers"):
        read_center_rows(tmp_path)


def test_certificates_there_and_back(tmp_path):
    proof = {"pairs_checked": 6, "objective": 2, "lower_bound": 1.5, "gap": 0.25, "is_fair": True}
    write_certificate(tmp_path, {**proof, "worst_pair": (0, 1)})
    assert CertificateSummary.read(tmp_path) == CertificateSummary(True, 6, 0, 2.0, 1.5)
    write_certificate(tmp_path, {**proof, "cost": 1.4})
    assert CertificateSummary.read(tmp_path).cost == 1.4
    write_certificate(tmp_path, {**proof, "pairs_left": 3})
    assert CertificateSummary.read(tmp_path).pairs_left == 3
    write_json(tmp_path / CERTIFICATE, {**proof, "is_fair": "yes"})
    with pytest.raises(InvalidArgument, match=r"certificate\.json: 'is_fair' is not true or false"):
        CertificateSummary.read(tmp_path)


@pytest.mark.parametrize(
    ("objective", "lower_bound", "above"),
    [(143_807, 40_302, 2.5682), (2.0, 2.0, 0.0), (0.0, 0.0, 0.0), (1.0, 0.0, np.inf)],
)
def test_how_much_more_than_the_least_is_a_share_of_the_least(objective, lower_bound, above):
    summary = CertificateSummary(True, 6, 0, objective, lower_bound)
    assert summary.most_above_least == pytest.approx(above, rel=1e-4)
