"""What is drawn is what was found; an axis may be passed."""

import subprocess
import sys

import numpy as np
import pytest
from matplotlib import pyplot
from matplotlib.colors import to_hex

from likewise import InvalidArgument, LikewiseClustering, choose_k
from likewise.displays import (
    ChooseKDisplay,
    ClusterMapDisplay,
    FrontierDisplay,
    GroupDisplay,
    UnequalPairsDisplay,
)
from likewise.drawing.colors import palette
from likewise.frontier import frontier
from likewise.metrics import cluster_shares, constrained_pairs, violations

X = np.random.default_rng(0).normal(size=(30, 3))
SEX = np.array(["f", "m"])[np.arange(30) % 2]


@pytest.fixture(scope="module")
def model():
    return LikewiseClustering(3, random_state=0).fit(X)


def test_people_have_the_colours_of_their_probabilities(model):
    _, ax = pyplot.subplots()
    display = ClusterMapDisplay.from_estimator(model, X, ax=ax)
    assert display.ax_ is ax
    assert display.figure_ is ax.figure
    people, centers = ax.collections
    assert len(people.get_offsets()) == 30
    assert [to_hex(color) for color in centers.get_edgecolors()] == palette(3)
    at = model.center_indices_
    drawn = [to_hex(color) for color in people.get_facecolors()[at]]
    sure = model.distributions_[at].max(axis=1) == 1
    assert [color for color, is_sure in zip(drawn, sure, strict=True) if is_sure] == [
        palette(3)[c] for c in np.flatnonzero(sure)
    ]
    assert [text.get_text() for text in ax.texts] == ["0", "1", "2"]


def test_centres_that_are_no_rows_are_on_the_map():
    model = LikewiseClustering(2, centers=X[:2] + 0.1).fit(X)
    display = ClusterMapDisplay.from_estimator(model, X)
    assert len(display.projection.points) == 30
    assert len(display.projection.centers) == 2
    with pytest.raises(InvalidArgument, match="rows that were fitted"):
        ClusterMapDisplay.from_estimator(model, X[:5])


def test_the_frontier_of_an_estimator(model):
    scales = [0.5, 1.0, np.inf]
    display = FrontierDisplay.from_estimator(model, X, scales=scales)
    expected = frontier(X, 3, scales, centers=model.center_indices_)
    (line, asked) = display.ax_.lines
    np.testing.assert_allclose(line.get_ydata(), [point.price for point in expected])
    assert asked.get_xdata() == [1]
    assert [label.get_text() for label in display.ax_.get_xticklabels()] == ["0.5", "1", "none"]


def test_a_choice_of_k():
    choice = choose_k(X, [2, 3], random_state=0)
    display = ChooseKDisplay.from_choice(choice)
    fair, hard, suggested = display.ax_.lines
    np.testing.assert_array_equal(fair.get_ydata(), [row.fair_cost for row in choice.table])
    np.testing.assert_array_equal(hard.get_ydata(), [row.hard_cost for row in choice.table])
    assert suggested.get_xdata() == [choice.suggested]


def test_groups_in_clusters(model):
    display = GroupDisplay.from_estimator(model, SEX)
    heights = [[bar.get_height() for bar in bars] for bars in display.ax_.containers]
    expected = cluster_shares(model.distributions_, SEX)
    np.testing.assert_allclose(heights, list(expected.values()))


def test_pairs_that_hard_clustering_parts(model):
    display = UnequalPairsDisplay.from_estimator(model, X, count=4)
    pairs = constrained_pairs(X, n_clusters=3)
    hard = model.transform(X).argmin(axis=1)
    assert violations(hard, pairs).worst_excess == pytest.approx(
        display.pairs[0].hard - display.pairs[0].bound
    )
    for pair in display.pairs:
        assert hard[pair.i] != hard[pair.j]
        assert pair.fair <= pair.bound + 1e-9 < pair.hard


def test_a_display_can_be_drawn_again(model):
    display = GroupDisplay.from_estimator(model, SEX)
    first = display.ax_
    assert display.plot().ax_ is not first


def test_matplotlib_is_loaded_when_something_is_drawn():
    code = "import sys, likewise.displays; print('matplotlib' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
