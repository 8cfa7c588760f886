"""What the page says in words."""

import numpy as np
import pytest

from likewise.io.run_folder import CertificateSummary
from likewise.metrics import Violations
from likewise.report.in_words import Verdict, of_cost, of_objective, of_pairs


@pytest.mark.parametrize(
    ("p", "cost", "objective"),
    [
        (1, "average distance", "distance"),
        (2, "root mean square distance", "squared distance"),
        (np.inf, "average distance", "distance"),
        (3.5, "power mean of distances, p = 3.5", "distance to the power 3.5"),
    ],
)
def test_what_costs_are_measured_in(p, cost, objective):
    assert of_cost(p) == cost
    assert of_objective(p) == objective


def test_whose_pairs():
    assert of_pairs(90, 90) == "Every pair that the run compared is counted."
    assert of_pairs(40, 90).startswith("Pairs are counted among 40 of the 90 people")


@pytest.mark.parametrize(
    ("is_fair", "left", "violated", "found_in_all", "headline"),
    [
        (True, 0, 0, True, "yes, proven"),
        (True, 0, 0, False, "yes, proven"),
        (True, 5, 0, True, "yes, proven"),
        (True, 5, 0, False, "yes, as far as checked"),
        (True, 5, 1, True, "NO"),
        (True, 0, 1, False, "NO"),
        (False, 0, 0, True, "NO"),
    ],
)
def test_verdicts(is_fair, left, violated, found_in_all, headline):
    proof = CertificateSummary(is_fair, 15, left, 2.0, 1.0)
    verdict = Verdict.of(proof, Violations(violated, 20, 0.1), found_in_all)
    assert verdict.headline == headline
    assert verdict.is_fair == (headline != "NO")
