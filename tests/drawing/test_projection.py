"""Points on a sheet of paper."""

import numpy as np
import pytest

from likewise.drawing.projection import project

RNG = np.random.default_rng(0)


def test_a_line_stays_a_line():
    X = np.column_stack([np.arange(10.0), np.zeros(10), np.ones(10)])
    flat = project(X, np.array([0, 9]), np.arange(10))
    assert flat.explained == pytest.approx(1.0)
    assert sorted(flat.points[:, 0]) == pytest.approx(list(np.linspace(0, 1, 10)))
    assert (flat.points[:, 1] == 0.5).all()
    assert flat.n_outside == 0


def test_one_feature():
    one = project(np.arange(4.0)[:, None], np.array([0]), np.arange(4))
    assert one.points.shape == (4, 2)
    assert one.explained == pytest.approx(1.0)


def test_everybody_in_one_place():
    same = project(np.ones((5, 3)), np.array([2]), np.arange(5))
    assert (same.points == 0.5).all()
    assert same.n_outside == 0


def test_people_without_outliers_are_all_in_view():
    X = RNG.normal(size=(2000, 4))
    flat = project(X, np.array([0]), np.arange(2000))
    assert flat.n_outside == 0
    assert flat.points.min() == 0.0
    assert flat.points.max() == 1.0


def test_outliers_stand_at_the_edge_and_squeeze_nobody():
    X = RNG.normal(size=(2000, 4))
    alone = project(X, np.array([5]), np.arange(2000))
    far = np.vstack([X, [[500.0, 0, 0, 0], [0, -300.0, 0, 0], [90.0, 90.0, 0, 0]]])
    flat = project(far, np.array([5, 2000]), np.array([2002, 3, 2001, 4]))
    assert flat.n_outside == 3
    assert flat.outside.tolist() == [True, False, True, False]
    at_edge = (flat.points == 0.0) | (flat.points == 1.0)
    assert at_edge.any(axis=1).tolist() == [True, False, True, False]
    np.testing.assert_allclose(flat.points[[1, 3]], alone.points[[3, 4]], atol=0.02)
    np.testing.assert_allclose(flat.centers[0], alone.centers[0], atol=0.02)
    assert flat.explained == pytest.approx(alone.explained, abs=0.01)
