"""What the page says in words about the numbers it shows."""

import math
from dataclasses import dataclass

from likewise.io.run_folder import CertificateSummary
from likewise.metrics.individual import Violations
from likewise.report.fairness_cost import FairnessCost
from likewise.report.numbers import percent_at_most
from likewise.report.run import Run


@dataclass(frozen=True)
class Verdict:
    """Whether like people are treated alike, and what that is known from."""

    is_fair: bool
    headline: str
    checked: str

    @staticmethod
    def of(proof: CertificateSummary, found: Violations, found_in_all: bool) -> "Verdict":
        """By the certificate and by the pairs that were judged for the page, all of them or some.
        Where the time limit of the run cut its certificate short, the page may know more.
        """
        is_fair = proof.is_fair and found.count == 0
        checked, is_whole = f"{proof.pairs_checked:,} pairs checked", proof.pairs_left == 0
        if not is_whole and found_in_all:
            checked, is_whole = f"{found.checked:,} pairs checked for this page", True
        elif not is_whole:
            of_how_many = proof.pairs_checked + proof.pairs_left
            checked = f"{proof.pairs_checked:,} of {of_how_many:,} pairs checked"
        yes = "yes, proven" if is_whole else "yes, as far as checked"
        return Verdict(is_fair, yes if is_fair else "NO", checked)


def of_cost(p: float) -> str:
    """What costs are measured in: the p-th root of the mean of distances to the power p."""
    if p == 1 or math.isinf(p):
        return "average distance"
    return "root mean square distance" if p == 2 else f"power mean of distances, p = {p:g}"


def of_objective(p: float) -> str:
    """What is added up and made as small as possible."""
    if p == 1 or math.isinf(p):
        return "distance"
    return "squared distance" if p == 2 else f"distance to the power {p:g}"


def of_pairs(judged: int, n: int) -> str:
    """Whose pairs figures about pairs are about."""
    if judged == n:
        return "Every pair that the run compared is counted."
    return (
        f"Pairs are counted among {judged:,} of the {n:,} people, chosen at random, under the"
        " bounds of the run."
    )


def of_frontier(cost: FairnessCost, run: Run) -> str:
    """Whom what fairness costs was computed for, and how well."""
    n, asked = run.n_points, run.record.parameters
    whom = f"For all {n:,} people."
    if not cost.is_of_everybody:
        whom = (
            f"Computed for {cost.n_rows:,} people who stand for all {n:,}, under the bounds that"
            " the run had between them; among fewer people fewer pairs are compared, so that costs"
            " come out a little low."
        )
        if asked.group_tolerance is not None:
            whom += " Bounds on groups, which are about everybody, are left out."
    above = percent_at_most(cost.above_least(asked.p))
    return f"{whom} Each cost is proven to be at most {above} above the least for them."


def why_no_frontier(run: Run) -> str:
    """Empty where there is nothing to say: the cost of k-center is a radius."""
    if run.record.parameters.n_neighbors is None:
        return ""
    return (
        "Not shown: it is computed for some people who stand for all, and hardly anybody is among"
        " the nearest of anybody else there."
    )
