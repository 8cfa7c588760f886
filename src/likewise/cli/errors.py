"""Exit codes that tell failures apart, and what is said about them."""

import json
import sys

from likewise.cli.wording import in_options
from likewise.errors import (
    DataNotFound,
    InvalidArgument,
    MissingExtra,
    NotEnoughMemory,
    SolverError,
)

# 2 is the command line's own: an option or argument that does not exist
INPUT = 3  # a value that cannot be used, or a table that cannot be read
FILES = 4  # a file or data set that is not there, or cannot be written
UNSOLVED = 5  # no answer that keeps every promise
MEMORY = 6  # more than this machine has
UNFAIR = 7  # `audit --check` found violations
REFUSED = 8  # `assign` left out rows that have no place
INTERRUPTED = 130  # as shells report Ctrl-C: 128 and the signal's number, 2

as_json = False  # set by `--json`: then errors are for machines too


class Interrupted(Exception):
    """Ctrl-C; the message says what was kept."""


_CODES: tuple[tuple[type[Exception], int], ...] = (  # the first that fits
    (Interrupted, INTERRUPTED),
    (InvalidArgument, INPUT),
    (MissingExtra, INPUT),
    (SolverError, UNSOLVED),
    (MemoryError, MEMORY),
    (DataNotFound, FILES),
    (OSError, FILES),
    (ValueError, INPUT),  # scikit-learn's word for data it cannot use
)


def exit_code(problem: Exception) -> int | None:
    """Which kind of failure it is; None for those that nobody foresaw."""
    return next((code for kind, code in _CODES if isinstance(problem, kind)), None)


def in_words(problem: Exception) -> str:
    """What to tell the user, who has options and not arguments."""
    message = in_options(str(problem)) or type(problem).__name__
    if isinstance(problem, MemoryError) and not isinstance(problem, NotEnoughMemory):
        return (  # not foreseen by the estimate: the system said no
            f"there is not enough memory ({message}). Lower --n-neighbors, take fewer rows or"
            " columns, or raise the limit (ulimit -v, the container's)."
        )
    return message


def print_error(problem: Exception, code: int) -> None:
    """One message on standard error."""
    message = in_words(problem)
    if as_json:
        print(json.dumps({"error": message, "exit_code": code}), file=sys.stderr)
        return
    word = "stopped" if code == INTERRUPTED else "error"
    if isinstance(problem, MissingExtra):  # of which rich may be one
        print(f"{word}: {message}", file=sys.stderr)
        return
    from rich.console import Console
    from rich.text import Text

    console = Console(stderr=True, highlight=False, soft_wrap=True)
    console.print(Text(f"{word}: ", style="bold red").append(message, style="default"))
