"""Raw files in the shapes they come in."""

import zipfile

from likewise import datasets
from likewise.datasets import catalog


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
