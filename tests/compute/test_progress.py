"""What long work says meanwhile."""

import math
import sys
from types import SimpleNamespace

import pytest

from likewise.compute import progress
from likewise.compute.budget import Budget


def test_the_time_left_is_that_of_a_gap_that_goes_on_falling():
    left = progress.TimeLeft(goal=1e-4)
    assert left.seconds() is None
    for second in range(1, 6):
        left.report(float(second), 10.0**-second)  # a tenth of it every second, for ever
    assert left.seconds() == pytest.approx(0.0, abs=1e-9)
    left = progress.TimeLeft(goal=1e-6)
    for second in range(1, 4):
        left.report(float(second), 10.0**-second)
    assert left.seconds() == pytest.approx(3.0)


def test_nothing_is_said_where_nothing_is_known():
    falls_enough = [0.5, 0.1, 0.05]
    for gaps, goal in (
        ([0.1, 0.1, 0.2], 1e-3),
        ([math.inf, 0.5, 0.1], 1e-3),
        (falls_enough[:2], 1e-3),  # while loops are compiled nothing else goes on
        (falls_enough, 0.0),
    ):
        left = progress.TimeLeft(goal)
        for second, gap in enumerate(gaps):
            left.report(float(second), gap)
        assert left.seconds() is None


def test_a_notebook_is_no_terminal_but_lines_are_rewritten(monkeypatch, capsys):
    shell = SimpleNamespace(kernel=object())
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    assert progress.in_notebook()
    line = progress.ProgressLine()
    line.write(1.0, "a long line about what was reached")
    line.write(2.0, "short")
    line.end()
    first, second = capsys.readouterr().err.split("\r")[1:]
    assert len(second.rstrip("\n")) == len(first)  # nothing of the first is left to be seen
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: None))
    assert not progress.in_notebook()


def test_the_limit_counts_too(capsys):
    budget = Budget(max_time=100.0, verbose=1)
    budget.report(0.5, 10, 100)
    assert "about 100 s left" in capsys.readouterr().err


def test_what_is_said_first_is_said_at_once_in_files_too(capsys):
    line = progress.ProgressLine()
    line.announce(0.1, "compiling")
    line.announce(0.2, "compiling")
    line.write(0.3, "gap 1")
    line.write(0.4, "gap 2")
    line.rewrite(9.0, "solving")
    said = [text.split(" s  ")[1] for text in capsys.readouterr().err.splitlines()]
    assert said == ["compiling", "gap 1", "gap 2  solving"]
