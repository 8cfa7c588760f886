"""Lifting: a better bound near the iterate's duals, which an oracle confirms."""

import pytest
from support.oracle import oracle_objective
from support.problems import iterate_of, random_groups, random_problem, with_groups

from likewise import AssignmentProblem, certify
from likewise.solvers.first_order.lifting import lifted
from likewise.solvers.merged_problem import MergedProblem
from likewise.solvers.repair.choose import repair_for


@pytest.mark.parametrize("divergence", ["tv", "hellinger", "kl"])
@pytest.mark.parametrize("grouped", [False, True])
def test_the_bound_rises_and_stays_below_the_optimum(divergence, grouped):
    some = random_problem(5, n=40, k=4, density=0.3, scale=0.4)
    problem = AssignmentProblem(some.cost, some.pairs, divergence)
    if grouped:
        problem = with_groups(problem, random_groups(5, 40, delta=0.3))
    merged = MergedProblem.of(problem)
    state = iterate_of(merged, rounds=4)
    before = state.lower_bound()
    found = lifted(merged, state, before)
    assert found is not None
    bound, duals = found
    assert before < bound <= oracle_objective(problem) * (1 + 1e-6)
    fair = merged.unmerged(repair_for(merged).first())
    proven = certify(problem, fair, merged.duals_of_rows(duals)).lower_bound
    assert proven == pytest.approx(bound, rel=1e-6), "the duals are its evidence"
    assert state.lower_bound() == before, "the iterate itself goes on from where it was"


def test_nothing_is_found_above_the_optimum():
    problem = random_problem(6, n=30, k=3, density=0.3, scale=0.4)
    merged = MergedProblem.of(problem)
    assert (
        lifted(merged, iterate_of(merged, rounds=4), oracle_objective(problem) * (1 + 1e-6)) is None
    )
