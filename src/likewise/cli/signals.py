"""Being told to end: by Ctrl-C, or in another way."""

import atexit
import logging
import signal
from types import FrameType

_told = False


def end_as_with_ctrl_c() -> None:
    """A request to end (``kill``, a closed terminal, a machine that shuts down) does what Ctrl-C
    does: a fit ends with the best fair answer so far and writes it. What the command was started
    to ignore (``nohup``) stays ignored.
    """
    atexit.register(_end_in_peace)
    for number in signals_to_end():
        if number != signal.SIGINT and signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _as_interrupt)
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _take_note)


def _end_in_peace() -> None:
    """The process is done: being told to end while the interpreter takes itself down would only
    make it look as if it had been killed.
    """
    for number in signals_to_end():
        signal.signal(number, signal.SIG_IGN)


def signals_to_end() -> list[int]:
    """Those that ask a process to end; Windows has no SIGHUP."""
    names = ("SIGINT", "SIGTERM", "SIGHUP")
    return [getattr(signal, name) for name in names if hasattr(signal, name)]


def heed() -> None:
    """End now if the command was told to before: an exception that is raised in a finalizer or a
    callback is printed and forgotten. To be asked before long work.
    """
    if _told:
        raise KeyboardInterrupt


def _as_interrupt(number: int, frame: FrameType | None) -> None:
    signal.raise_signal(signal.SIGINT)


def _take_note(number: int, frame: FrameType | None) -> None:
    global _told
    _told = True
    logging.disable()  # what a cluster says of connections that are closed under it helps nobody
    signal.default_int_handler(number, frame)
