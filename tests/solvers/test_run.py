"""A first-order run: when it repairs its iterates, and what it learns from that."""

import numpy as np
from support.problems import random_problem

from likewise.compute.budget import Budget
from likewise.solvers.first_order.run import MOST_RISES, FirstOrderRun
from likewise.solvers.first_order.stopping import RelativeGap
from likewise.solvers.merged_problem import MergedProblem
from likewise.solvers.repair.choose import repair_for


class Hopeful:
    """A repair that foresees next to no rise of the cost, and gets no further than where all
    others begin.
    """

    def __init__(self, merged):
        self.repair = repair_for(merged)
        self.cost = merged.cost
        self.tries = 0

    def first(self):
        return self.repair.first()

    def start_with(self, fair):
        self.repair.start_with(fair)

    def estimate(self, x, scan):
        return float(np.vdot(self.cost, x)) * (1 + 1e-3)

    def make_fair(self, x, working, negligible, looks=4):
        self.tries += 1
        return self.first()


def run_with_hope(learns):
    merged = MergedProblem.of(random_problem(7, n=40, k=4, density=0.3, scale=0.4))
    repair = Hopeful(merged)
    run = FirstOrderRun(merged, RelativeGap(tol=1e-2, patience=2_000), repair)
    if not learns:
        run._repair_and_learn = lambda: run._repair(run.repair)
    run.run(Budget(max_time=None))
    return repair.tries, run


def test_what_a_repair_cost_more_than_expected_is_expected_of_the_next():
    tries, run = run_with_hope(learns=True)
    in_vain, _ = run_with_hope(learns=False)
    assert tries < 0.5 * in_vain
    assert run.arrays()["rises"] == MOST_RISES, "a run that is resumed knows it too"


class Truthful(Hopeful):
    """A repair that foresees to the last bit what it will cost."""

    def estimate(self, x, scan):
        fair = self.repair.make_fair(x, scan.candidates, negligible=0.0)
        return float(np.vdot(self.cost, fair))

    def make_fair(self, x, working, negligible, looks=4):
        self.tries += 1
        return self.repair.make_fair(x, working, negligible, looks)


def test_learning_nothing_where_repairs_do_as_expected():
    merged = MergedProblem.of(random_problem(7, n=40, k=4, density=0.3, scale=0.4))
    repair = Truthful(merged)
    run = FirstOrderRun(merged, RelativeGap(tol=1e-3), repair)
    assert run.run(Budget(max_time=None))
    assert repair.tries > 0
    assert run.rises < 1.01
