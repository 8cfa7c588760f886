"""Boxes round every few points: a scan passes over those out of reach, and over no others."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise import AssignmentProblem
from likewise.geometry.distances import Distances
from likewise.similarities.pairs import EveryPair
from likewise.similarities.rules import GlobalRule, LocalRule
from likewise.solvers.divergence_ops.choose import ops_for
from likewise.solvers.separation import choose
from likewise.solvers.separation.boxes import BOX_SIZE, corners, near_order


@given(seed=st.integers(0, 10_000), n=st.integers(1, 300), d=st.integers(1, 4))
def test_boxes_hold_their_points(seed, n, d):
    X = np.random.default_rng(seed).normal(size=(n, d))
    order = near_order(X)
    assert sorted(order) == list(range(n))
    boxes = corners(X[order])
    assert boxes.shape == (-(-n // BOX_SIZE), 2, d)
    of_point = np.arange(n) // BOX_SIZE
    assert (boxes[of_point, 0] <= X[order]).all()
    assert (X[order] <= boxes[of_point, 1]).all()


def on_a_line(rule, n=5 * BOX_SIZE):
    """Points on a line, the total variation of two of them 0.505 times their distance: the scan of
    every pair, and where the points stand."""
    place = np.linspace(0, 1, n)
    place += np.random.default_rng(0).uniform(-1, 1, n) / (4 * n)
    problem = AssignmentProblem(np.ones((n, 2)), EveryPair(Distances(place[:, None]), rule))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(choose, "LISTED_PAIRS", 0)
        scanner = choose.make_scanner(problem, ops_for(problem.divergence))
    first = 0.505 * place[scanner.comparable.row_of]
    scan = scanner.full(np.column_stack([first, 1 - first]))
    return scan, place[scanner.comparable.row_of]


def test_boxes_barely_within_reach_are_looked_into():
    """Bounds of half the distance: every pair is above its bound, by 1 %."""
    scan, place = on_a_line(GlobalRule(2.0))
    found = set(zip(scan.candidates.a, scan.candidates.b, strict=True))
    assert {end for pair in found for end in pair} == set(range(len(place)))
    assert tuple(sorted((place.argmin(), place.argmax()))) in found  # the worst of all
    assert scan.mixing_weight == pytest.approx(1 - 1 / 1.01)


def test_boxes_within_reach_of_others_are_looked_into():
    """Half of the points have small radii: the others' bring pairs above their bounds."""
    place = np.linspace(0, 1, 5 * BOX_SIZE)
    scan, place = on_a_line(LocalRule(np.where(place < 0.5, 0.1, 2.0), n_inside=1))
    first = set(np.flatnonzero(place < 0.49))
    assert first <= set(scan.candidates.a)
    assert not first & set(scan.candidates.b)  # nor are they above their bounds with each other
