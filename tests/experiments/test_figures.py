"""Every figure, drawn from results that nobody computed."""

import os

import pytest
from support.cells import invented

from likewise.experiments.figures import FIGURES, draw_all
from likewise.experiments.results import Results

BIASED = {"violated": 0.3, "bias": 0.1, "earth_mover": 0.2}
SOFT = {"violated": 0.9, "beta": 0.5, "curve": [[0.1, 2.0, 0.5], [1.0, 1.5, 0.7]]}


@pytest.fixture(scope="module")
def complete():
    found = invented(SKM=SOFT, GF=BIASED).found
    return Results({cell: result | {"GF": BIASED} for cell, result in found.items()})


def test_all_of_them_the_same_every_time(complete, tmp_path):
    for name in ("once", "twice"):
        titles = draw_all(complete, tmp_path / name)
        assert titles == {name: title for name, (title, _) in FIGURES.items()}
    files = sorted(os.listdir(tmp_path / "once"))
    assert files == sorted(f"{name}.{ending}" for name in FIGURES for ending in ("png", "svg"))
    for file in files:
        once, twice = (tmp_path / name / file for name in ("once", "twice"))
        assert once.read_bytes() == twice.read_bytes()


def test_without_results_there_is_no_picture(complete, tmp_path):
    few = Results({cell: each for cell, each in complete.found.items() if cell.n == 80})
    missing = set(FIGURES) - set(draw_all(few, tmp_path))
    assert missing == {"soft-violations", "trade-off", "bias", "time"}
