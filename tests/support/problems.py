"""Cases: every engine must pass every one of them. A new case is one function with @case."""

import numpy as np

from likewise import AssignmentProblem, Pairs
from likewise.groups.bounds import bounds_from
from likewise.groups.membership import Groups
from likewise.solvers.first_order.pdhg import PrimalDual

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


def random_groups(seed, n, values=(3, 2), delta=0.2, weights=None):
    """Random attributes with so many values each, and bounds with that tolerance."""
    rng = np.random.default_rng(seed)
    features = {f"attribute {a}": rng.integers(0, v, n) for a, v in enumerate(values)}
    groups = Groups.from_features(features, n)
    return bounds_from(groups, np.ones(n) if weights is None else weights, delta, None)


def with_groups(problem, bounds, within=True):
    pairs = problem.pairs.within(bounds.groups) if within else problem.pairs
    return AssignmentProblem(problem.cost, pairs, problem.divergence, bounds)


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


@case
def pairs_and_groups():
    return with_groups(random_problem(13, n=24, k=3), random_groups(13, 24))


@case
def groups_and_all_pairs():
    return with_groups(random_problem(14, n=16, k=3), random_groups(14, 16), within=False)


@case
def groups_alone():
    problem = random_problem(15, n=30, k=4, density=0.0)
    return with_groups(problem, random_groups(15, 30, values=(4,), delta=0.1))


@case
def groups_in_exact_proportion():
    problem = random_problem(16, n=20, k=3, density=0.2)
    return with_groups(problem, random_groups(16, 20, delta=0.0))


@case
def groups_of_one():
    problem = random_problem(17, n=15, k=3, density=0.3)
    return with_groups(problem, random_groups(17, 15, values=(12, 2)))


@case
def equal_pairs_across_groups():
    problem = random_problem(18, n=20, k=3, density=0.2, zero_share=0.15)
    return with_groups(problem, random_groups(18, 20))


@case
def weighted_groups():
    weights = np.random.default_rng(19).integers(0, 4, 20).astype(float)
    problem = random_problem(19, n=20, k=3, density=0.3)
    weighted = AssignmentProblem(problem.cost * weights[:, None], problem.pairs)
    return with_groups(weighted, random_groups(19, 20, weights=weights))


@case
def groups_with_tiny_bounds():
    return with_groups(random_problem(20, n=18, k=3, scale=1e-7), random_groups(20, 18, delta=0.05))


@case
def groups_with_room_to_spare():
    return with_groups(random_problem(21, n=18, k=3), random_groups(21, 18, delta=0.99))


@case
def everyone_in_one_group():
    return with_groups(random_problem(22, n=12, k=3), random_groups(22, 12, values=(1,)))


@case
def only_some_groups_bounded():
    groups = Groups.from_features(np.arange(21) % 3, 21)
    bounds = bounds_from(groups, np.ones(21), None, {0: (0.3, 0.4), 2: (0.0, 0.35)})
    return with_groups(random_problem(23, n=21, k=3), bounds)


def iterate_of(merged, rounds):
    """An iterate of the first-order method, with its duals."""
    state = PrimalDual(merged)
    for _ in range(rounds):
        state.admit(merged.scanner.full(state.x.image))
        state.iterate(40)
    return state
