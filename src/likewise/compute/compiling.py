"""When loops are being compiled, for those who show what is going on.

The first call of a loop compiles it, and may take longer than all the work: whoever waits should
know that it is not the work that takes so long. Code that is found on disk is loaded, which is no
compiling.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from numba.core.dispatcher import Dispatcher
from numba.core.event import Event, Listener, install_listener

from likewise.compute.code_cache import is_kept

ONCE, AGAIN = "compiling (once on this machine)", "compiling"


class _Watch(Listener):
    """Tells of whole compilations: those within another one are part of it."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell = tell
        self._depth = 0

    def on_start(self, event: Event) -> None:
        if self._depth == 0:
            self._tell(in_words(event.data["dispatcher"]))
        self._depth += 1

    def on_end(self, event: Event) -> None:
        self._depth -= 1
        if self._depth == 0:
            self._tell("")


def in_words(dispatcher: Dispatcher) -> str:
    """What is to be said while this is compiled."""
    return ONCE if is_kept(dispatcher) else AGAIN


@contextmanager
def told_of_compiling(tell: Callable[[str], None]) -> Iterator[None]:
    """Within this block ``tell`` gets words when compiling begins, and none when it has ended."""
    with install_listener("numba:compile", _Watch(tell)):
        yield
