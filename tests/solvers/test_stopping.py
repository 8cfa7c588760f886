"""When a first-order run ends: the rules alone, without any run."""

import math

import numpy as np
import pytest

from likewise import LikewiseClustering
from likewise.problem.assignment import negligible_cost, relative_gap
from likewise.solvers.first_order.stopping import (
    NEXT_TRY_AT_LEAST,
    POSITIVE,
    STALL_AFTER,
    ElasticRule,
    RelativeGap,
)

RULE = RelativeGap(tol=1e-2, give_up_at=50.0)
ELASTIC = ElasticRule(most_iterations=400)


@pytest.mark.parametrize(
    ("cost", "bound", "reached"), [(10.0, 10.0, True), (10.0, 9.9, True), (10.0, 9.8, False)]
)
def test_a_small_gap_is_good_enough(cost, bound, reached):
    assert RULE.gap(cost, bound) == relative_gap(cost, bound)
    assert RULE.is_reached(cost, bound) is reached
    assert RULE.ends(cost, bound) is reached


def test_a_high_bound_ends_a_run_that_is_of_no_use():
    assert not RULE.is_reached(100.0, 50.0)
    assert RULE.gives_up(50.0)
    assert RULE.ends(100.0, 50.0)
    assert not RULE.gives_up(49.9)
    assert not RelativeGap(tol=1e-2).gives_up(1e300)


def test_a_run_stalls_when_half_of_its_iterations_gained_little():
    later = 2 * STALL_AFTER
    history = [(100, 0.5), (later // 2, 0.1), (later - 40, 0.09)]
    assert RULE.stalls(later, history)
    assert not RULE.stalls(later, [*history[:-1], (later - 40, 0.07)])
    assert not RULE.stalls(STALL_AFTER - 1, history)  # too early to tell
    assert RelativeGap(1e-2, patience=1_000).stalls(1_000, [(400, 0.1), (900, 0.09)])


def test_the_further_off_the_longer_until_the_next_try():
    waits = [RULE.next_try(1_000, gap) - 1_000 for gap in (0.2, 0.05, 0.012)]
    assert waits == [500 + NEXT_TRY_AT_LEAST, 100 + NEXT_TRY_AT_LEAST, 0]


def test_costs_that_do_not_matter_are_a_part_of_the_tolerance():
    assert 0 < RULE.negligible < RULE.tol
    assert ELASTIC.negligible == 0.0


def test_the_elastic_question_is_answered_by_a_positive_bound_or_a_cost_of_zero():
    assert ELASTIC.ends(cost=3.0, bound=2 * POSITIVE)  # no
    assert ELASTIC.ends(cost=0.0, bound=-1.0)  # yes
    assert ELASTIC.gap(0.0, -1.0) == 0.0
    assert not ELASTIC.ends(cost=1e-9, bound=POSITIVE / 2)  # neither
    assert ELASTIC.gap(1e-9, 0.0) == math.inf


def test_the_elastic_question_is_asked_for_a_number_of_iterations():
    assert not ELASTIC.stalls(399, [])
    assert ELASTIC.stalls(400, [])
    tries = [0]
    for _ in range(6):
        tries.append(ELASTIC.next_try(tries[-1], math.inf))
    assert tries == [0, 1, 2, 4, 7, 12, 20]


def test_only_costs_that_tell_are_judged_by():
    assert RULE.judges_by_cost
    assert not ELASTIC.judges_by_cost


def test_costs_of_next_to_nothing_are_no_reason_to_go_on():
    """Rows and centres 1e-9 apart, others far away: the optimum is rounding, and so would its gap
    be as a share of it.
    """
    rng = np.random.default_rng(0)
    X = np.repeat([[0.0, 0.0], [5.0, 1.0]], 8, axis=0) + 1e-9 * rng.normal(size=(16, 2))
    for solver in ("exact", "first-order"):
        model = LikewiseClustering(
            4, similarity="local", centers=np.array([0, 1, 8, 9]), solver=solver, max_refine=0
        ).fit(X)
        assert model.objective_ < 1e-15
        assert model.gap_ <= 1e-4
        assert model.n_iter_ < 1000
        assert model.certificate_.is_fair


def test_what_counts_as_a_cost_has_the_size_of_the_differences():
    cost = np.array([[0.0, 2.0], [1.0, 4.0]])
    assert negligible_cost(cost) == pytest.approx(5e-6)
    assert relative_gap(1e-9, 0.0, negligible_cost(cost)) == pytest.approx(2e-4)
    assert relative_gap(2.0, 1.0, negligible_cost(cost)) == 0.5
