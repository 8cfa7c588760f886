"""A colour for each centre."""

import numpy as np

from likewise.drawing.colors import mixtures, palette


def test_as_many_as_there_are_centers():
    colors = palette(12)
    assert len(set(colors)) == 12
    assert mixtures(np.eye(12), colors) == colors
