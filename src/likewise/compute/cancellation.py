"""Work that may be cut short, by a time limit or by Ctrl-C.

What takes long (scans, neighbours, repairs, the certificate) goes over ranges, blocks or parts, and
between any two of them asks ``check``. Within a scope whose time has come that ends the block:

    with cut_short(lambda: clock() > limit) as scope:
        found = scan(everything)
    if scope.was_cut:
        ...  # without ``found``

As cancel scopes of structured concurrency: nobody in between has to know, and what is not within
a scope is never cut short. Of several scopes whose time has come the innermost is ended first; the
others are at the next check.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar


class Scope:
    """A block of work, and whether it was cut short."""

    def __init__(self, is_due: Callable[[], bool]) -> None:
        self.is_due = is_due
        self.was_cut = False


class Cancelled(BaseException):
    """Ends the block of a scope. No ``Exception``: whoever catches these means mistakes."""

    def __init__(self, scope: Scope) -> None:
        super().__init__()
        self.scope = scope


_scopes: ContextVar[tuple[Scope, ...]] = ContextVar("scopes", default=())


@contextmanager
def cut_short(is_due: Callable[[], bool]) -> Iterator[Scope]:
    """Within this block work ends at the next check after ``is_due`` has become true."""
    scope = Scope(is_due)
    token = _scopes.set((*_scopes.get(), scope))
    try:
        yield scope
    except Cancelled as cancelled:
        if cancelled.scope is not scope:
            raise
        scope.was_cut = True
    finally:
        _scopes.reset(token)


@contextmanager
def kept_whole() -> Iterator[None]:
    """Within this block nothing is cut short: it is soon done, and half of it is of no use."""
    token = _scopes.set(())
    try:
        yield
    finally:
        _scopes.reset(token)


def current() -> tuple[Scope, ...]:
    """The scopes around the caller: for threads, which do not inherit them."""
    return _scopes.get()


def is_due(scopes: tuple[Scope, ...] | None = None) -> bool:
    """Whether ``check`` would end the work."""
    return any(scope.is_due() for scope in (current() if scopes is None else scopes))


def check(scopes: tuple[Scope, ...] | None = None) -> None:
    """End the work here if it is to be cut short."""
    for scope in reversed(current() if scopes is None else scopes):
        if scope.is_due():
            raise Cancelled(scope)
