"""Compiled code on disk, for the next process; where it cannot be kept, everything still works.

numba keeps compiled code beside the source, or in the user's folder for such things. It gives up
where it may write to neither, where the disk is full, and where the code found there refers to
modules that have since moved (after an upgrade in place). None of these is a reason not to
compute: the code is compiled again, and one warning says how to give it a place.
"""

import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from numba.core.dispatcher import Dispatcher

Function = TypeVar("Function", bound=Callable[..., object])

_REMEDY = (
    "it is compiled anew in every process, which takes up to a minute. Set the environment variable"
    " NUMBA_CACHE_DIR to a folder that may be written to."
)


class _Cache(Protocol):
    """numba's, as its dispatchers use it."""

    def load_overload(self, sig: object, target_context: object) -> object: ...
    def save_overload(self, sig: object, data: object) -> None: ...
    def flush(self) -> None: ...


class ForgivingCache:
    """A cache of compiled code that is without it where another one would fail."""

    def __init__(self, cache: _Cache) -> None:
        self._cache = cache

    def load_overload(self, sig: object, target_context: object) -> object:
        """The code for these types of arguments; None if there is none that can be used."""
        try:
            found = self._cache.load_overload(sig, target_context)
        except Exception:  # unpickling what another version left can raise anything
            self._forget()
            return None
        # two processes that begin together may both write the same file, each for its own types
        made_for = getattr(getattr(found, "signature", None), "args", None)
        return found if made_for == sig else None

    def save_overload(self, sig: object, data: object) -> None:
        """Keep it, if there is room."""
        try:
            self._cache.save_overload(sig, data)
        except Exception as problem:
            _warn_once(f"({problem})")

    def _forget(self) -> None:
        """So that what cannot be read is written anew."""
        try:
            self._cache.flush()
        except OSError as problem:
            _warn_once(f"({problem})")

    def __getattr__(self, name: str) -> object:
        return getattr(self._cache, name)


class _Compiler(Protocol):
    """A decorator of numba's."""

    def __call__(self, function: Function, /) -> "Dispatcher[Function]": ...


def cached(compile_function: _Compiler) -> _Compiler:
    """The same decorator, with what it compiles kept on disk."""

    def decorate(function: Function) -> "Dispatcher[Function]":
        dispatcher = compile_function(function)
        try:
            dispatcher.enable_caching()
        except RuntimeError:  # no place that may be written to
            _warn_once("(neither beside the package nor in the user's folder)")
        else:
            dispatcher._cache = ForgivingCache(dispatcher._cache)  # type: ignore[attr-defined]
        return dispatcher

    return decorate


def is_kept(dispatcher: "Dispatcher[Function]") -> bool:
    """Whether what it compiles will be there for the next process, as far as is known."""
    return not _warned and isinstance(getattr(dispatcher, "_cache", None), ForgivingCache)


_warned = False


def _warn_once(why: str) -> None:
    global _warned
    if not _warned:
        _warned = True
        message = f"likewise: compiled code cannot be kept on disk {why}: {_REMEDY}"
        warnings.warn(message, RuntimeWarning, stacklevel=2)
