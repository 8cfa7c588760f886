"""A folder with a small raw file."""

import pytest
from support.raw_files import BANK


@pytest.fixture
def bank_folder(tmp_path):
    (tmp_path / "bank.csv").write_text(BANK)
    return tmp_path
