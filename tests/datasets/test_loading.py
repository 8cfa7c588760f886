"""From a raw file to points, and from the net where there is none."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.utils import Bunch
from support import reference
from support.raw_files import BANK, raw_bank

from likewise import InvalidArgument, datasets
from likewise.datasets import catalog, files, loading, reading
from likewise.errors import DataNotFound


def test_a_raw_file_becomes_scaled_points(bank_folder):
    bank = datasets.load_bank(data_home=bank_folder)
    assert bank.feature_names == ["age", "balance", "duration"]
    assert bank.rows.tolist() == [0, 1, 3]  # the third repeats the first on the features
    assert bank.sensitive_features["marital"].tolist() == ["married", "single", "married"]
    np.testing.assert_allclose(bank.data.mean(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(bank.data.std(axis=0), 1)
    np.testing.assert_allclose(bank.data * bank.scale + bank.mean, raw_bank()[[0, 1, 3]])
    assert "3 rows of 4" in bank.DESCR


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


@reference.needed
@pytest.mark.parametrize("name", reference.RAW_FILES)
def test_contents_are_as_published(name):
    data = catalog.DATA_SETS[name]
    path = files.find(data, reference.FOLDER / "data")
    with files.opened(path) as file:
        frame = reading.read_csv(file, data, list(data.features), list(data.protected))
    assert len(frame) == data.n_rows
    assert loading.digest(frame) == data.contents
