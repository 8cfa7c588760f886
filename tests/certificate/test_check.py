"""The certificate must find what is wrong, not only confirm what is right."""

import numpy as np
import pytest
from support.problems import random_problem

from likewise import AssignmentProblem, Pairs, certify, solve
from likewise.geometry.diameter import diameter
from likewise.geometry.distances import Distances
from likewise.problem.assignment import Duals
from likewise.similarities.pairs import EveryPair
from likewise.similarities.rules import GlobalRule, TableRule

PROBLEM = random_problem(0, n=25, k=3)
ANSWER = solve(PROBLEM)


def test_confirms_a_good_answer():
    certificate = certify(PROBLEM, ANSWER.distributions, ANSWER.duals)
    assert certificate.is_fair
    assert certificate.objective == pytest.approx(PROBLEM.objective(ANSWER.distributions))
    said = str(certificate)
    assert "every bound kept" in said
    assert f"objective:   {certificate.objective:.8g}, proven at least" in said
    assert "of the objective" in said
    assert "cost" not in said  # that is the objective's root, which a certificate does not know
    assert certificate.as_dict()["is_fair"]


def test_finds_the_unfair_pair():
    x = np.tile([1.0, 0.0, 0.0], (25, 1))
    x[7] = [0.0, 1.0, 0.0]
    certificate = certify(PROBLEM, x)
    assert not certificate.is_fair
    assert 7 in certificate.worst_pair
    i, j = certificate.worst_pair
    excess = 1 - PROBLEM.pairs.bounds_at(np.array([i]), np.array([j]))[0]
    assert certificate.worst_excess == pytest.approx(excess)
    assert "NOT FAIR" in str(certificate)


@pytest.mark.parametrize("row", [[0.6, 0.6, 0.0], [1.5, -0.5, 0.0]])
def test_finds_rows_that_are_no_distributions(row):
    x = np.tile(row, (25, 1))
    assert not certify(PROBLEM, x).is_fair


def test_any_duals_give_a_bound_that_holds():
    rng = np.random.default_rng(0)
    best = PROBLEM.objective(ANSWER.distributions)
    for _ in range(50):
        which = rng.integers(0, len(PROBLEM.pairs), 10)
        duals = Duals(
            PROBLEM.pairs.i[which],
            PROBLEM.pairs.j[which],
            rng.normal(size=(10, 3)),
            rng.normal(size=(10, 3)),
        )
        assert certify(PROBLEM, ANSWER.distributions, duals).lower_bound <= best * (1 + 1e-12)


def test_duals_on_a_pair_without_a_bound_prove_nothing_false():
    problem = AssignmentProblem(np.array([[0.0, 1.0], [1.0, 0.0]]), Pairs([], [], []))
    duals = Duals(np.array([0]), np.array([1]), np.array([[1.0, -1.0]]), np.array([[-1.0, 1.0]]))
    assert certify(problem, np.eye(2), duals).lower_bound <= 0


def test_every_pair_and_its_list_get_the_same_certificate():
    X = np.random.default_rng(1).normal(size=(30, 2))
    every = EveryPair(Distances(X), GlobalRule(diameter(Distances(X))))
    i, j = np.nonzero(~np.eye(30, dtype=bool))
    listed = Pairs(i, j, every.bounds_at(i, j))
    cost = np.random.default_rng(2).random((30, 3))
    x = np.random.default_rng(3).dirichlet(np.ones(3), 30)
    certificates = [certify(AssignmentProblem(cost, pairs), x) for pairs in (every, listed)]
    assert certificates[0].pairs_checked == certificates[1].pairs_checked == 870
    assert certificates[0].worst_excess == pytest.approx(certificates[1].worst_excess)
    assert certificates[0].lower_bound == pytest.approx(certificates[1].lower_bound)


def test_pairs_without_bounds_hide_nothing():
    """Infinitely different and free to be: beside them, a broken bound must still be seen."""
    bound = np.full((4, 4), np.inf)
    bound[0, 1] = 0.1
    x = np.array([[1.0, 0.0], [0.5, 0.5], [0.0, 1.0], [1.0, 0.0]])
    distances = Distances(np.arange(4.0)[:, None])
    problem = AssignmentProblem(np.ones((4, 2)), EveryPair(distances, TableRule(bound)), "kl")
    certificate = certify(problem, x)
    assert not certificate.is_fair
    assert certificate.worst_pair == (0, 1)
    assert certificate.worst_excess == pytest.approx(np.log(2) - 0.1)


def test_the_worst_pair_by_any_names():
    problem = AssignmentProblem(np.eye(2), Pairs([0], [1], [0.5]))
    certificate = certify(problem, np.array([[1.0, 0.0], [0.5, 0.5]]))
    assert "(X[0] and X[1])" in str(certificate)
    assert "(Ann and Bob)" in certificate.in_words(["Ann", "Bob"].__getitem__)
