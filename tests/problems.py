"""Cases: every engine must pass every one of them. A new case is one function with @case."""

import numpy as np

from likewise import AssignmentProblem, Pairs

CASES = {}


def case(function):
    CASES[function.__name__] = function
    return function


def random_problem(seed, n, k, density=0.5, scale=0.3, zero_share=0.0, weights=False):
    """Random costs, random ordered pairs, random bounds."""
    rng = np.random.default_rng(seed)
    cost = rng.exponential(size=(n, k)) ** 2
    if weights:
        cost *= rng.integers(0, 4, size=(n, 1))
    i, j = np.nonzero(rng.random((n, n)) < density)
    bound = scale * rng.random(len(i))
    bound[rng.random(len(i)) < zero_share] = 0.0
    return AssignmentProblem(cost, Pairs(i, j, bound))


@case
def a_dozen_points():
    return random_problem(0, n=12, k=3)


@case
def two_centers():
    return random_problem(1, n=20, k=2)


@case
def one_center():
    return random_problem(2, n=8, k=1)


@case
def many_centers():
    return random_problem(3, n=15, k=8)


@case
def sparse_pairs():
    return random_problem(4, n=25, k=4, density=0.05)


@case
def equal_pairs():
    return random_problem(5, n=20, k=3, density=0.2, zero_share=0.1)


@case
def everyone_equal():
    return random_problem(6, n=10, k=3, zero_share=1.0)


@case
def tiny_bounds():
    return random_problem(7, n=15, k=3, scale=1e-7)


@case
def huge_bounds():
    return random_problem(8, n=15, k=3, scale=1e6)


@case
def mixed_bounds():
    rng = np.random.default_rng(9)
    i, j = np.nonzero(rng.random((20, 20)) < 0.4)
    bound = 10.0 ** rng.uniform(-8, 1, size=len(i))
    return AssignmentProblem(rng.random((20, 4)), Pairs(i, j, bound))


@case
def no_pairs():
    return AssignmentProblem(np.random.default_rng(10).random((6, 3)), Pairs([], [], []))


@case
def weights_some_zero():
    return random_problem(11, n=18, k=3, weights=True)


@case
def tied_costs():
    i, j = np.nonzero(~np.eye(9, dtype=bool))
    return AssignmentProblem(np.ones((9, 4)), Pairs(i, j, np.full(len(i), 0.1)))


@case
def zero_costs():
    return AssignmentProblem(np.zeros((5, 2)), Pairs([0, 1], [1, 2], [0.1, 0.2]))


@case
def costs_of_many_sizes():
    rng = np.random.default_rng(12)
    cost = 10.0 ** rng.uniform(-6, 6, size=(15, 3))
    i, j = np.nonzero(rng.random((15, 15)) < 0.3)
    return AssignmentProblem(cost, Pairs(i, j, rng.random(len(i))))
