"""The paper's samples."""

import numpy as np
import polars as pl
import pytest
from support import reference

from likewise import datasets
from likewise.datasets import samples


@reference.needed
@pytest.mark.parametrize("name", reference.RAW_FILES)
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


@reference.needed
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
