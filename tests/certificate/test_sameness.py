"""Nearly the same for everybody: found from the answer alone, and said wherever it is read."""

import json

import numpy as np
import polars as pl
import pytest
from support.commands import invoke

from likewise import AssignmentProblem, LikewiseClustering, Pairs, certify
from likewise.certificate import Sameness
from likewise.errors import SamenessWarning

COST = np.array([[0.0, 4.0], [1.0, 3.0], [5.0, 0.0], [6.0, 1.0]])  # hard 2, one for all 8
PROBLEM = AssignmentProblem(COST, Pairs([], [], []))
HARD = np.eye(2)[[0, 0, 1, 1]]


@pytest.mark.parametrize(
    ("x", "way", "largest"),
    [
        (HARD, 0.0, 0.5),
        (np.tile([0.0, 1.0], (4, 1)), 1.0, 1.0),
        (0.5 * HARD + 0.5 * np.tile([0.0, 1.0], (4, 1)), 0.5, 0.5),  # ties: to the nearest
    ],
)
def test_where_an_answer_is_between_the_two(x, way, largest):
    found = certify(PROBLEM, x).sameness
    assert (found.way, found.largest_share) == (pytest.approx(way), largest)
    assert found.is_notable == (way > 0.5)


def test_one_centre_is_no_finding():
    problem = AssignmentProblem(COST[:, :1], Pairs([], [], []))
    assert certify(problem, np.ones((4, 1))).sameness is None


def test_what_is_said():
    assert Sameness(0.2, 0.5).sentences(str) == []
    said = " ".join(Sameness(0.7, 0.96, ("this", "that"), (3,)).sentences("row {}".format))
    for part in ("70% of the way", "most likely one of 96.0%", "this; that", "row 3."):
        assert part in said


@pytest.fixture(scope="module")
def customers():
    """Ordinary ones, and two who are very rich."""
    random = np.random.default_rng(0)
    X = random.normal(size=(150, 2))
    X[[10, 20]] = [[0, 90], [70, 0]]
    return X


@pytest.mark.parametrize("max_refine", [0, "auto"])
def test_no_such_answer_goes_without_a_word(customers, max_refine):
    model = LikewiseClustering(4, similarity="global", max_refine=max_refine, random_state=0)
    with pytest.warns(SamenessWarning, match=r"the local similarity.*X\[10\], X\[20\]"):
        model.fit(customers)
    assert model.certificate_.sameness.largest_share >= 0.95
    assert "note:        One cluster is the most likely one of" in str(model.certificate_)


def test_the_default_does_better(customers):
    """Hardly anything to say of the same people under the default."""
    model = LikewiseClustering(4, random_state=0).fit(customers)
    assert model.certificate_.sameness.way < 0.5


def test_terminal_files_and_report_say_it(customers, tmp_path):
    who = [f"c{number}" for number in range(len(customers))]
    columns = {"who": who, "income": customers[:, 0], "spent": customers[:, 1]}
    pl.DataFrame(columns).write_csv(tmp_path / "people.csv")
    done = invoke(
        "fit", tmp_path / "people.csv", "--id", "who", "-k", 4, "--similarity", "global",
        "--no-scale", "--out", tmp_path / "run",
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    assert "Far from everybody else: c10, c20." in done.stdout
    assert "--bound-scale above 1" in done.stdout
    notes = json.loads((tmp_path / "run" / "certificate.json").read_text())["notes"]
    assert any("One cluster is the most likely" in note for note in notes)
    assert invoke("report", tmp_path / "run", "--out", tmp_path / "page.html").exit_code == 0
    page = (tmp_path / "page.html").read_text()
    assert "Worth knowing" in page
    assert "c10, c20" in page
