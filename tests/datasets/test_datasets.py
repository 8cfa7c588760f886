"""Loaders from raw files, from archives, from the net, and the paper's samples."""

import http.server
import threading
import zipfile
from dataclasses import replace
from hashlib import sha256

import numpy as np
import polars as pl
import pytest
from sklearn.utils import Bunch
from support import reference

from likewise import InvalidArgument, datasets
from likewise.datasets import catalog, files, loading, reading, samples
from likewise.errors import DataNotFound

RAW = ("bank", "adult", "creditcard", "diabetes")
with_raw_files = pytest.mark.skipif(
    not reference.is_there(), reason=f"no raw files at {reference.FOLDER}"
)

BANK = """"age";"marital";"default";"balance";"duration";"y"
30;"married";"no";1787;79;"no"
33;"single";"no";4789;220;"no"
30;"divorced";"yes";1787;79;"no"
59;"married";"no";0;226;"yes"

"""


@pytest.fixture
def bank_folder(tmp_path):
    (tmp_path / "bank.csv").write_text(BANK)
    return tmp_path


def test_a_raw_file_becomes_scaled_points(bank_folder):
    bank = datasets.load_bank(data_home=bank_folder)
    assert bank.feature_names == ["age", "balance", "duration"]
    assert bank.rows.tolist() == [0, 1, 3]  # the third repeats the first on the features
    assert bank.sensitive_features["marital"].tolist() == ["married", "single", "married"]
    np.testing.assert_allclose(bank.data.mean(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(bank.data.std(axis=0), 1)
    np.testing.assert_allclose(bank.data * bank.scale + bank.mean, raw_bank()[[0, 1, 3]])
    assert "3 rows of 4" in bank.DESCR


def raw_bank():
    return np.array([[30, 1787, 79], [33, 4789, 220], [30, 1787, 79], [59, 0, 226]], dtype=float)


def test_other_columns_and_nothing_dropped(bank_folder):
    bank = datasets.load_bank(
        data_home=bank_folder,
        features=["balance"],
        protected=["y"],
        drop_repeated=False,
        scale=False,
    )
    assert bank.data.tolist() == [[1787], [4789], [1787], [0]]
    assert bank.sensitive_features["y"].tolist() == ["no", "no", "no", "yes"]


def test_a_constant_column_stays_finite(bank_folder):
    (bank_folder / "bank.csv").write_text(BANK.replace("1787", "5").replace("4789", "5"))
    bank = datasets.load_bank(data_home=bank_folder, features=["balance", "age"])
    assert np.isfinite(bank.data).all()


def test_the_environment_names_the_folder(bank_folder, monkeypatch):
    monkeypatch.setenv("LIKEWISE_DATA", str(bank_folder))
    assert len(datasets.load_bank(download=False).data) == 3


def test_adult_without_a_header_is_read_too(tmp_path):
    line = "39, State-gov, 77516, Bachelors, 13, Never-married, Adm, Not, White, Male, 1, 0, 40, US"
    (tmp_path / "adult.data").write_text(f"{line}, <=50K\n{line.replace('39', '50')}, <=50K\n")
    adult = datasets.load_adult(data_home=tmp_path, scale=False)
    assert adult.data.tolist() == [[39, 77516, 40], [50, 77516, 40]]
    assert adult.sensitive_features["sex"].tolist() == ["Male", "Male"]


def test_a_file_in_an_archive(tmp_path):
    names = [*catalog.DIABETES.features, *catalog.DIABETES.protected]
    with zipfile.ZipFile(tmp_path / "diabetes.zip", "w") as archive:
        text = ",".join(names) + "\n1,2,3,4,5,Male,?\n"
        archive.writestr("somewhere/diabetic_data.csv", text)
    loaded = datasets.load_diabetes(data_home=tmp_path, scale=False)
    assert loaded.data.tolist() == [[1, 2, 3, 4, 5]]
    assert loaded.sensitive_features["race"].tolist() == ["?"]


def test_bad_input_names_argument_and_remedy(bank_folder, tmp_path):
    with pytest.raises(InvalidArgument, match=r"no column 'wealth'.*balance"):
        datasets.load_bank(data_home=bank_folder, features=["wealth"])
    with pytest.raises(InvalidArgument, match=r"features.*no numbers"):
        datasets.load_bank(data_home=bank_folder, features=["marital"])
    with pytest.raises(InvalidArgument, match=r"features.*list of names"):
        datasets.load_bank(data_home=bank_folder, features="age")
    with pytest.raises(InvalidArgument, match=r"data_home.*not a folder"):
        datasets.load_bank(data_home=tmp_path / "nowhere")
    with pytest.raises(InvalidArgument, match="Did you mean 'bank'"):
        datasets.load("banks")
    with pytest.raises(DataNotFound, match=r"adult\.csv.*LIKEWISE_DATA"):
        datasets.load_adult(data_home=bank_folder, download=False)


def test_no_way_to_reach_openml(monkeypatch, tmp_path):
    def offline(**_):
        raise OSError("no route")

    monkeypatch.setattr("sklearn.datasets.fetch_openml", offline)
    with pytest.raises(DataNotFound, match=r"bank\.csv into a folder.*LIKEWISE_DATA"):
        datasets.load_bank(data_home=tmp_path)


def openml_bank(**_):
    """What scikit-learn gives for OpenML's copy: numbers, and codes of categories."""
    names = [f"V{place}" for place in range(1, 17)]
    table = np.zeros((4, 16))
    table[:, [0, 5, 11]] = raw_bank()
    table[:, 2] = [0, 2, 1, 0]
    table[:, 4] = [1, 1, 0, 1]
    words = {"V3": ["married", "divorced", "single"], "V5": ["yes", "no"]}
    return Bunch(data=table, feature_names=names, categories=words)


def test_openml_has_the_same_under_other_names(monkeypatch, bank_folder, tmp_path):
    monkeypatch.setattr("sklearn.datasets.fetch_openml", openml_bank)
    frame = reading.read_csv(
        bank_folder / "bank.csv",
        catalog.BANK,
        list(catalog.BANK.features),
        list(catalog.BANK.protected),
    )
    known = replace(catalog.BANK, contents=loading.digest(frame))
    monkeypatch.setitem(catalog.DATA_SETS, "bank", known)
    (tmp_path / "empty").mkdir()
    from_net = datasets.load_bank(data_home=tmp_path / "empty")
    from_file = datasets.load_bank(data_home=bank_folder)
    np.testing.assert_array_equal(from_net.data, from_file.data)
    assert from_net.source == "OpenML 1558"
    monkeypatch.setitem(catalog.DATA_SETS, "bank", replace(known, contents="another"))
    with pytest.warns(UserWarning, match="no longer has the rows"):
        datasets.load_bank(data_home=tmp_path / "empty")


@pytest.fixture
def server(tmp_path):
    """A real one, with a census of four people."""
    folder = tmp_path / "served"
    folder.mkdir()
    names = [*catalog.CENSUS1990.protected, *catalog.CENSUS1990.features]
    rows = [range(15), range(1, 16), range(15), range(2, 17)]
    lines = [",".join(names), *(",".join(map(str, row)) for row in rows)]
    with zipfile.ZipFile(folder / "census.zip", "w") as archive:
        archive.writestr("USCensus1990.data.txt", "\n".join(lines) + "\n")
    asked = []

    class Handler(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *arguments):
            super().__init__(*arguments, directory=str(folder))

        def log_message(self, *arguments):
            asked.append(self.path)

    served = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=served.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{served.server_port}/census.zip"
    checksum = sha256((folder / "census.zip").read_bytes()).hexdigest()
    yield catalog.Archive(url, "USCensus1990.data.txt", checksum), asked
    served.shutdown()


def census_from(archive, monkeypatch, cache):
    known = replace(catalog.CENSUS1990, source=archive)
    monkeypatch.setitem(catalog.DATA_SETS, "census1990", known)
    monkeypatch.setattr(files, "cache_folder", lambda: cache)
    monkeypatch.delenv("LIKEWISE_DATA", raising=False)
    return datasets.load_census1990(scale=False)


def test_downloaded_once_then_kept(server, monkeypatch, tmp_path):
    archive, asked = server
    for _ in range(2):
        census = census_from(archive, monkeypatch, tmp_path / "cache")
        assert census.data[:, 0].tolist() == [2, 3, 4]  # one row repeats
    assert asked == ["/census.zip"]


def test_a_wrong_checksum_is_refused(server, monkeypatch, tmp_path):
    archive, _ = server
    with pytest.raises(DataNotFound, match="not the published file"):
        census_from(replace(archive, sha256="0" * 64), monkeypatch, tmp_path / "cache")


def test_a_dead_server_is_named(server, monkeypatch, tmp_path):
    archive, _ = server
    gone = replace(archive, url=archive.url.replace("census", "absent"))
    with pytest.raises(DataNotFound, match=r"cannot be reached.*LIKEWISE_DATA"):
        census_from(gone, monkeypatch, tmp_path / "cache")


@with_raw_files
@pytest.mark.parametrize("name", RAW)
def test_loaders_give_the_papers_samples(name):
    """From the raw file, all ten, to 1e-8, up to the order of the columns."""
    folder = reference.FOLDER / "data"
    ours = datasets.paper_samples(name, data_home=folder)
    theirs = samples.ready_samples(folder / f"samples_{name}.npz")
    assert len(ours) == len(theirs) == 10
    for mine, yours in zip(ours, theirs, strict=True):
        away = np.abs(mine.X[:, :, None] - yours.X[:, None, :]).max(axis=0)
        column = away.argmin(axis=1)
        assert sorted(column) == list(range(mine.X.shape[1]))
        assert away.min(axis=1).max() < 1e-8
        np.testing.assert_array_equal(mine.groups, yours.groups)


@with_raw_files
@pytest.mark.parametrize("name", RAW)
def test_contents_are_as_published(name):
    data = catalog.DATA_SETS[name]
    path = files.find(data, reference.FOLDER / "data")
    with files.opened(path) as file:
        frame = reading.read_csv(file, data, list(data.features), list(data.protected))
    assert len(frame) == data.n_rows
    assert loading.digest(frame) == data.contents


@with_raw_files
def test_ready_samples_stand_in_for_a_missing_file():
    found = datasets.paper_samples("census1990", data_home=reference.FOLDER / "data")
    assert len(found) == 10
    assert found[0].X.shape == (1000, 13)
    assert found[0].first(80).groups.shape == (80, 2)


def test_samples_of_other_sizes(bank_folder):
    bunch = datasets.load_bank(data_home=bank_folder)
    (sample,) = samples.shuffled_samples(bunch, count=1, size=2)
    assert sample.X.shape == (2, 3)
    assert pl.Series(sample.groups[:, 0]).is_in([0, 1]).all()
