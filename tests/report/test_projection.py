"""Points on a sheet of paper."""

import numpy as np
import pytest

from likewise.report.projection import project


def test_a_line_stays_a_line():
    X = np.column_stack([np.arange(10.0), np.zeros(10), np.ones(10)])
    flat = project(X, np.array([0, 9]), np.arange(10))
    assert flat.explained == pytest.approx(1.0)
    assert sorted(flat.points[:, 0]) == pytest.approx(list(np.linspace(0, 1, 10)))
    assert (flat.points[:, 1] == 0.5).all()


def test_one_feature():
    one = project(np.arange(4.0)[:, None], np.array([0]), np.arange(4))
    assert one.points.shape == (4, 2)
    assert one.explained == pytest.approx(1.0)
