"""Work ends where it is asked to, and what is around it goes on."""

import threading

import numpy as np
import pytest

from likewise.compute import threads
from likewise.compute.cancellation import Cancelled, check, cut_short, is_due, kept_whole
from likewise.compute.threads import over_ranges


def after(count):
    """Due from the so-many-th question on."""
    asked = iter(range(10**9))
    return lambda: next(asked) >= count


def test_without_a_scope_nothing_is_cut_short():
    check()
    assert not is_due()


def test_a_block_ends_and_says_so():
    done = []
    with cut_short(after(3)) as scope:
        for each in range(10):
            check()
            done.append(each)
    assert done == [0, 1, 2]
    assert scope.was_cut
    check()  # outside there is no scope any more


def test_what_is_done_in_time_is_not_cut_short():
    with cut_short(lambda: False) as scope:
        check()
    assert not scope.was_cut


def test_the_innermost_scope_ends_first_and_the_outer_at_the_next_check():
    steps = []
    with cut_short(lambda: True) as outer:
        with cut_short(lambda: True) as inner:
            check()
        steps.append("between")
        check()
        steps.append("never")
    assert (inner.was_cut, outer.was_cut) == (True, True)
    assert steps == ["between"]


def test_an_outer_scope_ends_what_is_inside():
    with cut_short(lambda: True) as outer:
        with cut_short(lambda: False) as inner:
            check()
        pytest.fail("the outer scope has ended")
    assert outer.was_cut
    assert not inner.was_cut


def test_nobody_takes_it_for_a_mistake():
    with cut_short(lambda: True) as scope:
        try:
            check()
        except Exception:
            pytest.fail("it is no mistake")
    assert scope.was_cut


@pytest.mark.parametrize("cores", [1, 3])
def test_ranges_end_and_nobody_is_still_at_work(monkeypatch, cores):
    monkeypatch.setattr(threads, "n_cores", lambda: cores)
    at_work, done = set(), np.zeros(100, dtype=int)

    def kernel(lo, hi):
        at_work.add(threading.get_ident())
        done[lo:hi] += 1
        at_work.discard(threading.get_ident())

    with cut_short(after(5)) as scope:
        over_ranges(kernel, 100, grain=1)
    assert scope.was_cut
    assert not at_work
    assert 0 < done.sum() <= 10  # of 64 ranges, those that were begun
    assert done.max() == 1


def test_a_mistake_in_a_range_is_raised_and_the_others_are_not_begun(monkeypatch):
    monkeypatch.setattr(threads, "n_cores", lambda: 2)

    def kernel(lo, hi):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        over_ranges(kernel, 100, grain=1)


def test_a_scope_knows_its_own():
    with pytest.raises(Cancelled), cut_short(lambda: False) as scope:
        raise Cancelled(type(scope)(lambda: True))


def test_what_is_kept_whole_goes_on_to_its_end(monkeypatch):
    monkeypatch.setattr(threads, "n_cores", lambda: 2)
    done = np.zeros(100, dtype=int)

    def kernel(lo, hi):
        done[lo:hi] += 1

    with cut_short(lambda: True) as scope:
        with kept_whole():
            over_ranges(kernel, 100, grain=1)
            check()
        assert done.sum() == 100
        check()
    assert scope.was_cut
