"""Displays are drawn without a screen, and their figures closed."""

import matplotlib
import pytest

matplotlib.use("Agg")


@pytest.fixture(autouse=True)
def closed():
    from matplotlib import pyplot

    yield
    pyplot.close("all")
