"""What long work says meanwhile: how far it is, and how long is left.

On a terminal and in a notebook one line is rewritten in place; in files and pipes there is a line
now and then. The relative gap falls about as fast as it did lately, by a factor a second: followed
to the gap that is asked for, that is the time that is left.
"""

import math
import sys
from collections import deque
from contextlib import suppress

SECONDS_BETWEEN_LINES = 5.0  # in files and pipes, where lines stay
SECONDS_BETWEEN_REWRITES = 0.2  # where a line is rewritten in place
# Reports whose gaps tell how fast it goes: the first may have waited for code to be compiled.
FEWEST, LOOKED_BACK = 3, 8


class TimeLeft:
    """How long it takes until the gap is small enough, from how it fell lately."""

    def __init__(self, goal: float) -> None:
        self.goal = goal
        self._seen: deque[tuple[float, float]] = deque(maxlen=LOOKED_BACK)

    def report(self, seconds: float, gap: float) -> None:
        """At this time the gap is this."""
        if 0 < gap < math.inf:
            self._seen.append((seconds, math.log(gap)))

    def seconds(self) -> float | None:
        """None where nothing can be said: too early, or the gap does not fall."""
        if len(self._seen) < FEWEST or self.goal <= 0:
            return None
        (first, before), (last, now) = self._seen[0], self._seen[-1]
        if now >= before or last <= first:
            return None
        return max(now - math.log(self.goal), 0.0) * (last - first) / (before - now)


class ProgressLine:
    """What was reached, and what is left."""

    def __init__(self) -> None:
        self._reached = ""
        self._written = 0.0  # when
        self._said: set[str] = set()  # what kinds of things
        self._in_place = sys.stderr.isatty() or in_notebook()
        self._width = 0  # of what stands there

    def write(self, seconds: float, reached: str) -> None:
        """Say what was reached."""
        self._reached = reached
        self._print(seconds, "", self._once("reached"))

    def announce(self, seconds: float, stage: str) -> None:
        """Say that something begins that takes long."""
        self._print(seconds, stage, self._once("announced"))

    def _once(self, what: str) -> float:
        """What is said the first time is said at once, also in files and pipes."""
        is_first = what not in self._said
        self._said.add(what)
        return 0.0 if self._in_place or is_first else SECONDS_BETWEEN_LINES

    def rewrite(self, seconds: float, stage: str) -> None:
        """Say that it goes on, and with what."""
        every = SECONDS_BETWEEN_REWRITES if self._in_place else SECONDS_BETWEEN_LINES
        self._print(seconds, stage, every)

    def _print(self, seconds: float, stage: str, every: float) -> None:
        if seconds - self._written < every:
            return
        self._written = seconds
        line = "  ".join(filter(None, [f"likewise {seconds:7.1f} s", self._reached, stage]))
        if self._in_place:
            # blanks over what is left of the last line: notebooks know no code for that
            print(f"\r{line:<{self._width}}", end="", file=sys.stderr, flush=True)
            self._width = len(line)
        else:
            print(line, file=sys.stderr, flush=True)

    def end(self) -> None:
        """What is printed next begins a line."""
        if self._in_place:
            print(file=sys.stderr, flush=True)


def in_notebook() -> bool:
    """Whether what is printed appears in a notebook, which is no terminal but rewrites lines."""
    shell = None
    with suppress(KeyError, AttributeError):
        shell = sys.modules["IPython"].get_ipython()
    return shell is not None and hasattr(shell, "kernel")
