"""Every engine on every case, by the conditions of optimality and against CVXPY."""

import os
import signal
import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import oracle
from support.problems import CASES, random_groups, random_problem, with_groups

from likewise import AssignmentProblem, Pairs, certify, solve

# a new engine is one line: it meets every case below
ENGINES = ["exact", "first-order"]
CLOSE = 1e-8


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", CASES)
def test_answer_is_optimal(engine, name):
    problem = CASES[name]()
    oracle.assert_optimal(problem, solve(problem, engine, tol=CLOSE))


@pytest.mark.parametrize("engine", ENGINES)
@given(
    seed=st.integers(0, 10_000),
    n=st.integers(2, 20),
    k=st.integers(1, 6),
    density=st.floats(0.05, 1),
    scale=st.sampled_from([0.01, 0.1, 0.5, 2.0]),
    zero_share=st.sampled_from([0.0, 0.0, 0.1]),
)
def test_agrees_with_cvxpy(engine, seed, n, k, density, scale, zero_share):
    problem = random_problem(seed, n, k, density, scale, zero_share)
    answer = solve(problem, engine, tol=CLOSE)
    oracle.assert_fair(problem, answer.distributions)
    expected = oracle.oracle_objective(problem)
    assert problem.objective(answer.distributions) == pytest.approx(expected, rel=1e-6, abs=1e-8)


@pytest.mark.parametrize("engine", ENGINES)
@given(
    seed=st.integers(0, 10_000),
    n=st.integers(4, 20),
    k=st.integers(1, 5),
    density=st.sampled_from([0.0, 0.2, 0.8]),
    values=st.sampled_from([(2,), (3, 2), (5,), (2, 2, 2)]),
    delta=st.sampled_from([0.0, 0.1, 0.5]),
    within=st.booleans(),
)
def test_groups_agree_with_cvxpy(engine, seed, n, k, density, values, delta, within):
    bounds = random_groups(seed, n, values, delta)
    problem = with_groups(random_problem(seed, n, k, density), bounds, within)
    answer = solve(problem, engine, tol=CLOSE)
    oracle.assert_fair(problem, answer.distributions)
    expected = oracle.oracle_objective(problem)
    assert problem.objective(answer.distributions) == pytest.approx(expected, rel=1e-6, abs=1e-8)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", CASES)
def test_certificate_confirms_the_engine(engine, name):
    problem = CASES[name]()
    answer = solve(problem, engine, tol=CLOSE)
    certificate = certify(problem, answer.distributions, answer.duals)
    assert certificate.is_fair
    assert certificate.gap <= 1e-7
    assert certificate.pairs_checked == len(problem.pairs)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("max_time", [0.0, 0.01, 0.1])
def test_stopped_early_is_still_fair(engine, max_time):
    problem = random_problem(20, n=120, k=6, density=0.6, scale=0.2)
    answer = solve(problem, engine, max_time=max_time)
    oracle.assert_fair(problem, answer.distributions)
    certificate = certify(problem, answer.distributions, answer.duals)
    assert certificate.lower_bound <= certificate.objective


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("delta", [0.0, 0.2])
@pytest.mark.parametrize("max_time", [0.0, 0.05])
def test_stopped_early_keeps_the_groups_too(engine, delta, max_time):
    problem = with_groups(
        random_problem(28, n=120, k=5, density=0.4, scale=0.2), random_groups(28, 120, delta=delta)
    )
    answer = solve(problem, engine, max_time=max_time)
    oracle.assert_fair(problem, answer.distributions)


def test_order_of_rows_does_not_matter():
    problem = random_problem(21, n=30, k=4)
    shuffle = np.random.default_rng(0).permutation(30)
    place = np.argsort(shuffle)
    pairs = problem.pairs
    shuffled = AssignmentProblem(
        problem.cost[shuffle], Pairs(place[pairs.i], place[pairs.j], pairs.bound)
    )
    costs = [p.objective(solve(p).distributions) for p in (problem, shuffled)]
    assert costs[0] == pytest.approx(costs[1], rel=1e-9)


def test_same_problem_same_answer():
    problem = random_problem(22, n=30, k=4)
    first, second = solve(problem), solve(problem)
    np.testing.assert_array_equal(first.distributions, second.distributions)


def test_number_of_threads_does_not_matter(monkeypatch):
    from likewise.compute import threads
    from likewise.solvers.divergence_ops import base

    monkeypatch.setattr(threads, "GRAIN", 50)
    monkeypatch.setattr(base, "LIST_GRAIN", 100)
    problem = random_problem(24, n=150, k=4, density=0.3)
    answers = []
    for cores in (1, 3):
        monkeypatch.setattr(threads, "n_cores", lambda cores=cores: cores)
        answers.append(solve(problem, "first-order", tol=1e-4).distributions)
    np.testing.assert_array_equal(answers[0], answers[1])


@pytest.mark.parametrize("engine", ENGINES)
@given(seconds=st.floats(0, 0.3))
def test_interrupted_at_any_moment_is_still_fair(engine, seconds):
    problem = random_problem(25, n=80, k=5, density=0.5, scale=0.1)
    before = signal.signal(signal.SIGINT, lambda *_: None)  # if it comes too late
    timer = threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    try:
        answer = solve(problem, engine, tol=0.0)
    finally:
        timer.cancel()
        timer.join()
        signal.signal(signal.SIGINT, before)
    oracle.assert_fair(problem, answer.distributions)
    certificate = certify(problem, answer.distributions, answer.duals)
    assert certificate.lower_bound <= certificate.objective


def test_interrupt_is_given_back():
    before = signal.getsignal(signal.SIGINT)
    solve(random_problem(26, n=10, k=2))
    assert signal.getsignal(signal.SIGINT) is before


def test_solving_outside_the_main_thread():
    problem = random_problem(27, n=10, k=2)
    answers = []
    thread = threading.Thread(target=lambda: answers.append(solve(problem)))
    thread.start()
    thread.join()
    oracle.assert_fair(problem, answers[0].distributions)


def test_progress_is_shown_on_request(capsys):
    solve(random_problem(23, n=10, k=2), verbose=1)
    assert "gap" in capsys.readouterr().err
    solve(random_problem(23, n=10, k=2))
    assert capsys.readouterr().err == ""
