"""Two small data sets, as ready samples."""

import numpy as np
import pytest

from likewise.experiments import plan


@pytest.fixture
def folder(tmp_path):
    """Two small data sets, as ready samples."""
    random = np.random.default_rng(0)
    data = tmp_path / "data"
    data.mkdir()
    for name in ("bank", "creditcard"):
        X = random.normal(size=(2, 120, 3)) + 3 * random.integers(0, 2, size=(2, 120, 1))
        groups = random.integers(0, 2, size=(2, 120, 2))
        np.savez(data / f"samples_{name}.npz", X=X, groups=groups)
    sizes = {f"X_{n}": random.normal(size=(60, 3)) for n in plan.SIZES}
    groups = {f"groups_{n}": np.zeros((60, 2), int) for n in plan.SIZES}
    np.savez(data / "samples_creditcard_by_size.npz", **sizes, **groups)
    return data
