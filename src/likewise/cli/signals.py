"""Being told to end in other ways than by Ctrl-C."""

import signal
from types import FrameType


def end_as_with_ctrl_c() -> None:
    """A request to end (``kill``, a closed terminal, a machine that shuts down) does what Ctrl-C
    does: a fit ends with the best fair answer so far and writes it. What the command was started
    to ignore (``nohup``) stays ignored.
    """
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)  # Windows has no SIGHUP
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _interrupt)


def _interrupt(number: int, frame: FrameType | None) -> None:
    signal.raise_signal(signal.SIGINT)
