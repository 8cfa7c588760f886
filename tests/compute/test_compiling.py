"""When loops are being compiled, and what is said meanwhile."""

import io
import re

import numba as nb
import pytest
from rich.console import Console

from likewise.cli.output import Output
from likewise.compute import code_cache
from likewise.compute.budget import Budget
from likewise.compute.code_cache import ForgivingCache
from likewise.compute.compiling import AGAIN, ONCE, in_words, told_of_compiling
from likewise.compute.jit import compiled


def fresh():
    """A loop within a loop, neither of which was ever compiled."""

    @nb.njit
    def inner(a):
        return a + 1.5

    @nb.njit
    def outer(a):
        return 2 * inner(a)

    return outer


def test_a_compilation_is_told_once_with_all_that_belongs_to_it():
    told, loop = [], fresh()
    with told_of_compiling(told.append):
        loop(1.0)
        loop(2.0)
    assert told == [AGAIN, ""]
    loop(1)  # for other types, after the block
    assert told == [AGAIN, ""]


def test_a_mistake_in_the_code_ends_it_too():
    told = []
    with told_of_compiling(told.append), pytest.raises(nb.TypingError):
        nb.njit(lambda a: a + "b")(1.0)
    assert told[-1] == ""


def test_once_is_only_what_is_kept_on_disk(monkeypatch):
    kept = compiled(lambda a: a)
    kept._cache = ForgivingCache(None)
    monkeypatch.setattr(code_cache, "_warned", False)
    assert in_words(kept) == ONCE
    assert in_words(fresh()) == AGAIN
    monkeypatch.setattr(code_cache, "_warned", True)  # there is no room
    assert in_words(kept) == AGAIN


def test_a_fit_says_it_at_once(capsys):
    budget, loop = Budget(verbose=1), fresh()
    with budget.ended_by_interrupt():
        loop(1.0)
    assert capsys.readouterr().err.split(" s  ")[1].strip() == AGAIN
    budget = Budget()
    with budget.ended_by_interrupt():
        fresh()(1.0)
    assert capsys.readouterr().err == ""


def test_people_before_a_terminal_see_it_beside_the_spinner():
    file = io.StringIO()
    output = Output(_err=Console(file=file, force_terminal=True, width=80))
    with output._passing() as progress:
        progress.add_task("judging", total=None)
        with told_of_compiling(lambda words: progress.refresh()):
            fresh()(1.0)
    assert f"judging 0:00:00 {AGAIN}" in re.sub(r"\x1b\[[\d;]*m", "", file.getvalue())
