"""One budget for all that is done within it."""

import math
import signal

import numpy as np
import pytest
from support.problems import random_problem

from likewise.compute.budget import Budget
from likewise.solvers.solve import solve, solve_within


def test_time_runs_out():
    assert Budget().seconds_left == math.inf
    assert not Budget().is_spent
    budget = Budget(max_time=0.0)
    assert budget.is_spent
    assert budget.seconds_left == 0.0
    assert 0 < Budget(max_time=100.0).seconds_left <= 100.0


def test_the_first_interrupt_ends_the_work_and_the_second_is_one():
    # whoever runs the tests in the background ignores Ctrl-C: here it must be one
    outside = signal.signal(signal.SIGINT, signal.default_int_handler)
    before = signal.getsignal(signal.SIGINT)
    budget = Budget()
    with budget.ended_by_interrupt(), budget.ended_by_interrupt():  # a solve within a fit
        signal.raise_signal(signal.SIGINT)
        assert budget.is_spent
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert signal.signal(signal.SIGINT, outside) is before


def test_solves_share_a_budget():
    problem, budget = random_problem(0, n=30, k=3), Budget()
    first, second = solve_within(problem, budget), solve_within(problem, budget)
    np.testing.assert_array_equal(first.distributions, solve(problem).distributions)
    np.testing.assert_array_equal(first.distributions, second.distributions)
    assert first.finished
    assert first.seconds + second.seconds <= budget.seconds
    budget.interrupt()
    assert not solve_within(problem, budget, "first-order", tol=1e-9).finished
