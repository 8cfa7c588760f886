"""How long the work may take, and what it says meanwhile."""

import math
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

SECONDS_BETWEEN_LINES = 5.0  # in files and pipes, where lines stay


class Budget:
    """Time limit, Ctrl-C and progress line of a solve, or of all solves of a fit.

    The clock starts when the budget is made.
    """

    def __init__(self, max_time: float | None = None, verbose: int = 0) -> None:
        self.started = time.perf_counter()
        self.max_time = math.inf if max_time is None else max_time
        self.verbose = verbose
        self.interrupted = False
        self._listens = False  # for Ctrl-C
        self._said = -math.inf  # when the last line was printed

    @property
    def seconds(self) -> float:
        """Since it was made."""
        return time.perf_counter() - self.started

    @property
    def seconds_left(self) -> float:
        """Until the time limit; infinite without one."""
        return max(self.max_time - self.seconds, 0.0)

    @property
    def is_spent(self) -> bool:
        """Whether it is time to end with what there is."""
        return self.interrupted or self.seconds >= self.max_time

    @contextmanager
    def ended_by_interrupt(self) -> Iterator[None]:
        """The first Ctrl-C ends the solve with what it has; the second is a Ctrl-C as usual.

        As a flag, not as an exception in the middle of anything: the state stays whole. Within
        another such block of the same budget this one does nothing.
        """
        if self._listens or threading.current_thread() is not threading.main_thread():
            yield
            return
        before = signal.getsignal(signal.SIGINT)

        def take_note(number: int, frame: FrameType | None) -> None:
            self.interrupted = True
            signal.signal(signal.SIGINT, before)
            if self.verbose:
                print("\nlikewise: stopping with a fair answer", file=sys.stderr, flush=True)

        signal.signal(signal.SIGINT, take_note)
        self._listens = True
        try:
            yield
        finally:
            self._listens = False
            signal.signal(signal.SIGINT, before)
            self._end_line()

    def report(self, gap: float, working_set: int, pairs_checked: int) -> None:
        """One line, rewritten in place on a terminal."""
        if not self.verbose:
            return
        line = (
            f"likewise {self.seconds:7.1f} s  gap {gap:.2e}"
            f"  working set {working_set:,}  pairs checked {pairs_checked:,}"
        )
        if sys.stderr.isatty():
            print(f"\r{line}\x1b[K", end="", file=sys.stderr, flush=True)
        elif self.seconds - self._said >= SECONDS_BETWEEN_LINES:
            self._said = self.seconds
            print(line, file=sys.stderr, flush=True)

    def _end_line(self) -> None:
        if self.verbose and sys.stderr.isatty():
            print(file=sys.stderr, flush=True)
