"""Who is compared with whom, in words, and what a task really compares."""

import numpy as np
import pytest
from scipy import sparse

from likewise import Pairs
from likewise.problem.scope import scope_of
from likewise.problem.specification import Specification

N = 20
X = np.random.default_rng(0).normal(size=(N, 2))
SEX = ["f", "m"] * 10
NEAREST = "each person with the 5 nearest others, ties included"


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({}, "everybody with everybody"),
        ({"similarity": "local"}, "everybody with everybody"),
        ({"n_neighbors": 19}, "everybody with everybody"),
        ({"n_neighbors": 5}, NEAREST),
        ({"individual": False}, "nobody with anybody"),
        ({"similarity": Pairs([0], [1], [0.1])}, "the pairs the similarity bounds"),
        ({"similarity": sparse.eye_array(N)}, "the pairs the similarity bounds"),
        ({"similarity": lambda a, b: np.inf}, "the pairs the similarity bounds"),
        (
            {"similarity": Pairs([0], [1], [0.1]), "n_neighbors": 5},
            f"{NEAREST}, where the similarity sets a bound",
        ),
        (
            {"group_tolerance": 0.2},
            "everybody with those who share a protected value",
        ),
        (
            {"group_bounds": {"f": (0.1, 0.9)}, "n_neighbors": 5},
            f"{NEAREST}, where both share a protected value",
        ),
        ({"group_tolerance": 0.2, "individual": "all"}, "everybody with everybody"),
        (
            {"individual": "within-groups"},
            "everybody with those who share a protected value",
        ),
    ],
)
def test_words(said, words):
    scope = scope_of(Specification(3, **said), N)
    assert str(scope) == words
    assert scope.is_everybody == (words == "everybody with everybody")


@pytest.mark.parametrize(
    "said",
    [{}, {"n_neighbors": 19}, {"n_neighbors": 5}, {"individual": False}, {"group_tolerance": 0.5}],
)
def test_everybody_means_every_pair(said):
    specification = Specification(3, **said)
    task = specification.task(X, SEX if specification.bounds_groups else None)
    constrained = sum(block.n_pairs for block in task.pairs.blocks())
    assert scope_of(specification, N).is_everybody == (constrained == N * (N - 1))
