"""Time that passes as a case wants it: alarms, signals, and processes that are lost."""

import os
import signal
import threading
import time
from contextlib import contextmanager
from unittest import mock

TWO_MINUTES = 121.0  # checkpoints are written every two


class Endless(BaseException):
    """A case that did not end; not an ``Exception``, so that nobody on the way takes it for one."""


class Lost(BaseException):
    """The end of a process, as far as one can be had without ending it."""


@contextmanager
def alarm(seconds):
    """``Endless`` in whatever has worked for so long then, or has waited ten times as long: others
    may be at work on this machine.
    """

    def ring(*_):
        raise Endless(f"no end within {seconds:g} s")

    clocks = {
        signal.ITIMER_PROF: (signal.SIGPROF, seconds),
        signal.ITIMER_REAL: (signal.SIGALRM, 10 * seconds),
    }
    before = {number: signal.signal(number, ring) for number, _ in clocks.values()}
    for clock, (_, limit) in clocks.items():
        signal.setitimer(clock, limit)
    try:
        yield
    finally:
        for clock in clocks:
            signal.setitimer(clock, 0.0)
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def interrupted(after):
    """Ctrl-C after so many seconds; ignored if the work is done by then."""
    before = signal.signal(signal.SIGINT, lambda *_: None)
    timer = threading.Timer(after, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        signal.signal(signal.SIGINT, before)


@contextmanager
def lost_after(looks):
    """Minutes pass between any two looks at the clock, and after so many of them all is lost."""
    clock = {"now": 0.0, "left": looks}

    def monotonic():
        clock["now"] += TWO_MINUTES
        clock["left"] -= 1
        if clock["left"] < 0:
            raise Lost
        return clock["now"]

    with mock.patch.object(time, "monotonic", monotonic):
        yield
