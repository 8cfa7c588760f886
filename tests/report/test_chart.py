"""The chart of what fairness costs."""

import numpy as np
import pytest

from likewise import Assignment, AssignmentProblem, Pairs
from likewise.frontier import FrontierPoint
from likewise.report.chart import frontier_chart

NOTHING = AssignmentProblem(np.zeros((1, 2)), Pairs([], [], []))


def points(*prices):
    scales = [0.0, 1.0, np.inf]
    return [
        FrontierPoint(scale, price, price, price, price, NOTHING, Assignment.of(NOTHING.cost))
        for scale, price in zip(scales, prices, strict=False)
    ]


def test_marks_go_down_from_left_to_right():
    chart = frontier_chart(points(3.0, 2.0, 1.0))
    assert [mark.scale for mark in chart.marks] == ["0", "1", "none"]
    assert [mark.asked for mark in chart.marks] == [False, True, False]
    assert [(mark.x, mark.y) for mark in chart.marks] == [(70, 40), (340, 130), (610, 220)]
    assert chart.line == "70.0,40.0 340.0,130.0 610.0,220.0"
    assert chart.top == 3.0


def test_fairness_that_costs_nothing():
    (mark,) = frontier_chart(points(1.0)).marks
    assert (mark.x, mark.y) == pytest.approx((70, 220))
