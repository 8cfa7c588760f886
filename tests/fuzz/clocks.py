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
    """``Endless`` in whatever still runs then."""

    def ring(*_):
        raise Endless(f"no end within {seconds:g} s")

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)


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
