"""How long the work may take, and what it says meanwhile.

A fit goes through stages, each with a time of its own to end: what has to come after it keeps its
share, and what an answer cannot do without gets a moment longer. All of them together are over
within a second or so of the time limit, and a few seconds after Ctrl-C.
"""

import math
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from types import FrameType

from likewise.compute.cancellation import Scope, cut_short
from likewise.compute.progress import ProgressLine, TimeLeft


@dataclass(frozen=True)
class Stage:
    """A part of a fit, and how long it may go on where there is no time left."""

    name: str
    leeway: float = 0.0  # seconds after the time limit
    after_interrupt: float = 0.0  # seconds after Ctrl-C
    is_last: bool = False  # nothing comes after it for which time would be set aside


# Without centres and pairs nothing is left but the same distribution for everybody: small data gets
# its pairs whatever the limit is.
PREPARING = Stage("comparing rows", leeway=0.5, after_interrupt=1.0)
SOLVING = Stage("solving")
CLOSING = Stage("making it fair", leeway=0.5, after_interrupt=1.0)  # the last repair
CERTIFYING = Stage("checking every pair", leeway=1.0, after_interrupt=3.0, is_last=True)


class Budget:
    """Time limit, Ctrl-C and progress line of a solve, or of all solves of a fit.

    The clock starts when the budget is made.
    """

    def __init__(self, max_time: float | None = None, verbose: int = 0) -> None:
        self.started = time.perf_counter()
        self.max_time = math.inf if max_time is None else max_time
        self.verbose = verbose
        self.set_aside = 0.0  # seconds of the limit that are kept for the last stage
        self._interrupted_at = math.inf
        self._listens = False  # for Ctrl-C
        self._line = ProgressLine() if verbose else None
        self.time_left = TimeLeft(0.0)  # until the gap that is asked for, once it is known

    @property
    def seconds(self) -> float:
        """Since it was made."""
        return time.perf_counter() - self.started

    @property
    def seconds_left(self) -> float:
        """Until solving has to end; infinite without a limit."""
        return max(self.max_time - self.set_aside - self.seconds, 0.0)

    @property
    def interrupted(self) -> bool:
        """Whether there was a Ctrl-C."""
        return self._interrupted_at < math.inf

    def interrupt(self) -> None:
        """Do as if there was a Ctrl-C."""
        self._interrupted_at = min(self._interrupted_at, self.seconds)

    @property
    def is_spent(self) -> bool:
        """Whether it is time to end with what there is."""
        return self.is_over(SOLVING)

    def is_over(self, stage: Stage, reserve: float = 0.0) -> bool:
        """Whether a stage has to end now, or that many seconds before it would have to."""
        now = self.seconds
        kept = reserve if stage.is_last else reserve + self.set_aside
        return (
            now >= self.max_time - kept + stage.leeway
            or now - self._interrupted_at >= stage.after_interrupt
        )

    def cut_short(
        self, stage: Stage, reserve: Callable[[], float] = float
    ) -> AbstractContextManager[Scope]:
        """A block that ends when the stage has to, or ``reserve`` seconds before."""

        def is_due() -> bool:
            if self._line is not None:
                self._line.rewrite(self.seconds, stage.name)
            return self.is_over(stage, reserve())

        return cut_short(is_due)

    @contextmanager
    def ended_by_interrupt(self) -> Iterator[None]:
        """The first Ctrl-C ends the work with what it has; the second is a Ctrl-C as usual.

        As a flag, not as an exception in the middle of anything: the state stays whole. Within
        another such block of the same budget this one does nothing.
        """
        if self._listens or threading.current_thread() is not threading.main_thread():
            yield
            return
        before = signal.getsignal(signal.SIGINT)

        def take_note(number: int, frame: FrameType | None) -> None:
            self.interrupt()
            signal.signal(signal.SIGINT, before)
            if self.verbose:
                print("\nlikewise: stopping with a fair answer", file=sys.stderr, flush=True)

        signal.signal(signal.SIGINT, take_note)
        self._listens = True
        try:
            with self._says_when_it_compiles():
                yield
        finally:
            self._listens = False
            signal.signal(signal.SIGINT, before)
            if self._line is not None:
                self._line.end()

    def _says_when_it_compiles(self) -> AbstractContextManager[None]:
        if self._line is None:
            return nullcontext()
        from likewise.compute.compiling import told_of_compiling

        line = self._line

        def tell(words: str) -> None:
            if words:
                line.announce(self.seconds, words)

        return told_of_compiling(tell)

    def report(self, gap: float, working_set: int, pairs_checked: int) -> None:
        """One line about how far it is."""
        if self._line is not None:
            self.time_left.report(self.seconds, gap)
            left = [self.time_left.seconds(), self.seconds_left]
            known = [each for each in left if each is not None and each < math.inf]
            reached = f"gap {gap:.2e}  working set {working_set:,}  pairs checked {pairs_checked:,}"
            if known:
                reached += f"  about {min(known):.0f} s left"
            self._line.write(self.seconds, reached)


class Trial(Budget):
    """Time for something that is tried before the whole is begun, to find out what that takes.

    It does not listen for Ctrl-C: that is meant for the whole, and ends the trial at once.
    """

    def __init__(self, whole: Budget, max_time: float) -> None:
        super().__init__(min(max_time, whole.seconds_left))
        self._whole = whole
        self._listens = True  # the whole does, if anybody

    @property
    def interrupted(self) -> bool:
        """Whether the whole was."""
        return self._whole.interrupted

    def is_over(self, stage: Stage, reserve: float = 0.0) -> bool:
        """Nothing of a trial is worth another second once the whole is interrupted."""
        return self.interrupted or super().is_over(stage, reserve)
