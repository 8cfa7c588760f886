"""What can go wrong, each message naming the argument, the problem and the remedy."""

import difflib
from collections.abc import Iterable
from importlib.util import find_spec

CLOSE_ENOUGH = 0.4  # difflib's ratio: "exakt" is 0.8 like "exact"; a wild guess is not proposed


class InvalidArgument(ValueError):
    """A value that cannot be used: ``argument``, what is wrong with it, what to do instead."""

    def __init__(self, argument: str, problem: str, remedy: str) -> None:
        super().__init__(argument, problem, remedy)
        self.argument = argument
        self.problem = problem
        self.remedy = remedy

    def __str__(self) -> str:
        return f"{self.argument}: {self.problem} {self.remedy}"


class UnknownArgument(InvalidArgument, TypeError):
    """A keyword that a function does not take: a ``TypeError`` too, as Python's own is."""


class NotEnoughMemory(MemoryError):
    """The work would not fit; the message says how much it needs and which setting lowers it."""


class MissingExtra(ImportError):
    """Something needs packages that come with an extra of this one."""

    def __init__(self, argument: str, packages: Iterable[str], extra: str) -> None:
        *others, last = packages
        named = f"{', '.join(others)} and {last}, which are" if others else f"{last}, which is"
        super().__init__(
            f"{argument}: this needs {named} not installed."
            f" Install with: pip install 'likewise[{extra}]'"
        )


class DataNotFound(OSError):
    """A data set that is neither here nor to be had; the message says where to put it."""


class RelaxationWarning(UserWarning):
    """Somebody cannot be treated within all of their bounds; the message says how far beyond."""


class LongWorkWarning(UserWarning):
    """What was asked for will take very long; the message says how long, and what is shorter."""


class SamenessWarning(UserWarning):
    """Nearly everybody has the same most likely cluster; the message says what may change it."""


class SolverError(RuntimeError):
    """No answer can be given that keeps every promise; the message says what to change."""


# What an extra brings, by the names that are imported; `pyproject.toml` has the versions.
EXTRAS: dict[str, tuple[str, ...]] = {
    "cli": ("jinja2", "polars", "rich", "typer"),
    "dask": ("dask", "distributed", "polars", "pyarrow"),
    "datasets": ("polars", "pooch", "rich"),
    "plots": ("matplotlib",),
    "transport": ("ot",),
}


def require_extra(extra: str, argument: str) -> None:
    """Raise ``MissingExtra`` unless what the extra brings is installed. Nothing is imported.

    For the doors to what not everybody needs: a function calls this first, with the name that the
    user knows it by, and then imports what it wants as if it had always been there.
    """
    missing = [name for name in EXTRAS[extra] if find_spec(name) is None]
    if missing:
        raise MissingExtra(argument, missing, extra)


def check_keywords(given: Iterable[str], valid: Iterable[str]) -> None:
    """Raise for the first keyword that is not on the list, naming the nearest one that is."""
    names = list(valid)
    for keyword in given:
        if keyword not in names:
            raise UnknownArgument(keyword, "there is no such argument.", _instead(keyword, names))


def unknown_name(argument: str, value: object, valid: Iterable[str]) -> InvalidArgument:
    """The error for a name that is not on the list, with the nearest one that is."""
    return InvalidArgument(argument, f"{value!r} is not known.", _instead(value, list(valid)))


def _instead(value: object, names: list[str]) -> str:
    """What to write in place of a name that is not known."""
    close = difflib.get_close_matches(str(value).lower(), names, n=1, cutoff=CLOSE_ENOUGH)
    listed = ", ".join(repr(name) for name in names)
    return f"Did you mean {close[0]!r}? Valid: {listed}." if close else f"Use one of {listed}."
