"""One fit: one budget for everything it solves, better centres only where they are better."""

import time

import numpy as np
import pytest

from likewise.centers.choose import choose_for
from likewise.compute.budget import Budget
from likewise.errors import SolverError
from likewise.fitting import pipeline
from likewise.fitting.pipeline import Fitting, Settings
from likewise.problem.specification import Specification

X = np.random.default_rng(0).normal(size=(30, 2))


def fitting(k=3, checkpoint=None, settings=None, **said):
    task = Specification(k, **said).task(X)
    how = dict(settings or {})
    budget = Budget(how.pop("max_time", None))
    fit = Fitting(task, Settings(random_state=0, **how), budget, checkpoint)
    return fit, choose_for(task, random_state=0)


@pytest.fixture
def solved(monkeypatch):
    """What ``solve_within`` was asked for, call by call, and the seconds that were left then."""
    calls = []

    def watched(problem, budget, solver, **options):
        calls.append(options | {"budget": budget, "left": budget.seconds_left})
        return solve_within(problem, budget, solver, **options)

    solve_within = pipeline.solve_within
    monkeypatch.setattr(pipeline, "solve_within", watched)
    return calls


def test_a_plain_fit_solves_once(solved):
    fit, centers = fitting()
    found = fit.fit(centers)
    assert len(solved) == 1
    assert found.centers is centers
    assert found.certificate.is_fair
    assert found.objective == found.certificate.objective
    assert found.seconds == found.assignment.seconds
    assert found.n_refined == 0


def test_no_limit_is_no_limit(solved):
    fit, centers = fitting()
    fit.fit(centers)
    assert solved[0]["left"] == np.inf


@pytest.mark.parametrize("p", [2, np.inf])
def test_the_time_limit_is_for_all_solves_together(solved, p):
    """One budget for all: each solve gets what the others left, and the clock starts with the
    fit.
    """
    fit, centers = fitting(p=p, settings=dict(max_time=100.0, max_refine=2))
    time.sleep(0.05)
    fit.fit(centers)
    left = [options["left"] for options in solved]
    assert len({id(options["budget"]) for options in solved}) == 1
    assert left == sorted(left, reverse=True)
    assert 50 < left[0] <= 100.0 - 0.05


def test_refining_ends_when_the_time_is_spent(solved):
    fit, centers = fitting(settings=dict(max_time=0.0, max_refine=50))
    found = fit.fit(centers)
    assert len(solved) == 1
    assert found.n_refined == 0
    assert found.certificate.is_fair


@pytest.mark.parametrize("p", [2, np.inf])
def test_an_interrupt_ends_all_that_is_left(solved, p):
    """k-center's search for the radius was interrupted: what comes after it is not begun anew."""
    fit, centers = fitting(p=p, n_neighbors=4, settings=dict(solver="first-order", max_refine=5))
    fit._budget.interrupt()
    found = fit.fit(centers)
    assert len(solved) == 1
    assert not found.assignment.finished
    assert found.certificate.is_fair


def test_better_centers_are_better_and_their_solves_are_counted(solved):
    plain, centers = fitting()
    refined, _ = fitting(settings=dict(max_refine=3))
    before, after = plain.fit(centers), refined.fit(centers)
    assert after.objective <= before.objective
    assert after.seconds > after.assignment.seconds
    assert len(solved) > 2
    assert 0 <= after.n_refined <= 3


def test_k_center_is_proven_within_its_radius():
    fit, centers = fitting(p=np.inf, n_neighbors=4)
    found = fit.fit(centers)
    proof = found.certificate.radius
    assert proof.is_minimal
    used = centers.distances[found.assignment.distributions > 0]
    assert used.max() == proof.farthest <= proof.radius
    assert found.proven_ratio == centers.proven_ratio == 2.0
    assert found.seconds >= found.assignment.seconds


def test_an_answer_that_is_not_fair_is_an_error(monkeypatch):
    def unfair(*arguments, **options):
        answer = solve_within(*arguments, **options)
        answer.distributions[:] = np.eye(3)[np.arange(30) % 3]
        return answer

    solve_within = pipeline.solve_within
    monkeypatch.setattr(pipeline, "solve_within", unfair)
    fit, centers = fitting()
    with pytest.raises(SolverError, match="NOT FAIR"):
        fit.fit(centers)


def test_every_solve_is_offered_the_checkpoint(solved):
    asked = []

    class Nothing:
        def state(self, cost):
            asked.append(cost)

        def offer(self, cost, state):
            pass

    fit, centers = fitting(checkpoint=Nothing())
    fit.fit(centers)
    assert len(asked) == len(solved)
