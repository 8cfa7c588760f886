"""The state of a long fit in a file, so that a lost process costs minutes and not hours.

An ``.npz`` archive of plain arrays, written whole or not at all, never pickled. It belongs to one
fit, known by the digest of a fingerprint: everything that the answer depends on. Any other fit
leaves it alone and says so; so does any fit whose file was written by another version, cut off or
changed. A file that cannot be written is no reason to end a fit: it goes on and says so.
"""

import hashlib
import io
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from os import PathLike
from pathlib import Path
from types import CodeType

import numpy as np

from likewise import __version__
from likewise._typing import Array
from likewise.centers.choose import Centers, at_rows
from likewise.errors import InvalidArgument
from likewise.geometry.distances import Distances
from likewise.io.atomic import write_atomically
from likewise.solvers.checkpoint import RunCheckpoint

EVERY = 120.0  # seconds between two writings: what a lost process costs at most
_DIGEST, _VERSION, _CHECKSUM = "digest", "likewise", "checksum"  # their names in the archive


class Checkpoint:
    """A file that keeps the last state of a fit."""

    def __init__(self, path: str | PathLike[str], every: float = EVERY) -> None:
        self.path = Path(path)
        self.every = every
        self._written = time.monotonic()
        if not self.path.parent.is_dir():
            raise InvalidArgument(
                "checkpoint",
                f"there is no folder {self.path.parent}.",
                "Make it, or choose another place for the file.",
            )

    @property
    def is_due(self) -> bool:
        """Whether it is time to write again."""
        return time.monotonic() - self._written >= self.every

    def write(self, digest: str, arrays: dict[str, Array]) -> None:
        """Replace what the file holds, whole or not at all."""
        self._written = time.monotonic()
        kept = arrays | {_DIGEST: np.array(digest), _VERSION: np.array(__version__)}
        content = io.BytesIO()
        everything = kept | {_CHECKSUM: np.array(_checksum(kept))}
        np.savez(content, **everything)
        write_atomically(self.path, content.getvalue())

    def read(self, digest: str) -> dict[str, Array] | None:
        """What was written for this digest; None if nothing was."""
        try:
            with np.load(self.path, allow_pickle=False) as file:
                kept = dict(file)
        except FileNotFoundError:
            return None
        except Exception as problem:  # a damaged archive can raise anything
            raise self._refusal(f"cannot be read ({problem})") from problem
        version = str(kept.get(_VERSION, "0.1"))
        if version != __version__:
            raise self._refusal(f"was written by likewise {version}, this is {__version__}")
        if str(kept.pop(_CHECKSUM, "")) != _checksum(kept):
            raise self._refusal("is damaged: something in it is missing or has changed")
        if str(kept.pop(_DIGEST)) != digest:
            raise self._refusal("is not a checkpoint of this fit: other data, centres or settings")
        return kept

    def _refusal(self, problem: str) -> InvalidArgument:
        return InvalidArgument(
            "checkpoint", f"{self.path} {problem}.", "Delete it, or name another file."
        )

    def remove(self) -> None:
        """The fit is done, and within ``kept_until_written`` its result is written too."""
        finished = _finished.get()
        if finished is None:
            self.path.unlink(missing_ok=True)
        else:
            finished.append(self.path)


_finished: ContextVar[list[Path] | None] = ContextVar("finished", default=None)


@contextmanager
def kept_until_written() -> Iterator[None]:
    """Fits that end within this block leave their checkpoints, and the end of the block removes
    them: not before their answers are safe. If anything goes wrong they stay.
    """
    token = _finished.set([])
    try:
        yield
        for path in _finished.get() or []:
            path.unlink(missing_ok=True)
    finally:
        _finished.reset(token)


def _checksum(arrays: dict[str, Array]) -> str:
    """Of all arrays and their names."""
    return digest_of(part for name in sorted(arrays) for part in (name, arrays[name]))


def digest_of(parts: Iterable[object]) -> str:
    """One short text for arrays, numbers, names and functions, in this order."""
    digest = hashlib.sha256()
    for part in map(_lasting, parts):
        array = np.ascontiguousarray(part) if isinstance(part, np.ndarray) else None
        head = repr(part) if array is None else f"{array.dtype}{array.shape}"
        digest.update(head.encode() + b"\0")
        if array is not None:
            digest.update(array.tobytes())
    return digest.hexdigest()


def _lasting(value: object) -> object:
    """What stays the same from process to process: a function by its name and code, a source of
    chance as one. Where they are in memory changes.
    """
    if isinstance(value, np.random.RandomState):
        return "RandomState"
    name, code = getattr(value, "__qualname__", None), getattr(value, "__code__", None)
    if isinstance(code, CodeType):
        return (name, code.co_code, code.co_consts)
    if isinstance(value, list | tuple):
        return np.asarray(value)
    return value if name is None else name


class NumberedRun:
    """The checkpoint of a fit for the first, second, ... of its runs. Several may be on the same
    costs, but the state of one is none of the other's.
    """

    def __init__(self, checkpoint: RunCheckpoint, number: int) -> None:
        self._checkpoint = checkpoint
        self._number = number

    def state(self, cost: Array) -> dict[str, Array] | None:
        """What was kept of this run."""
        return self._checkpoint.state(np.append(cost, self._number))

    def offer(self, cost: Array, state: Callable[[], dict[str, Array]]) -> None:
        """Take the state of this run, if it is time to."""
        self._checkpoint.offer(np.append(cost, self._number), state)


class FitCheckpoint:
    """The checkpoint of one fit: its centres, and the state of the run that is under way.

    ``fingerprint`` is everything that the answer depends on: see ``Task.fingerprint``.
    """

    def __init__(self, path: str | PathLike[str], fingerprint: Iterable[object]) -> None:
        self.checkpoint = Checkpoint(path)
        self.digest = digest_of(fingerprint)
        self._kept = self.checkpoint.read(self.digest)
        self._warned = False
        self._centers = Centers(np.zeros(0, dtype=np.int64), None, np.zeros((0, 0)))

    def centers(self, choose: Callable[[], Centers], distances: Distances) -> Centers:
        """The centres of the fit that was interrupted, if there was one; else those chosen now."""
        kept = self._kept
        if kept is None or (kept["centers"] < 0).any():  # given points are given again
            self._centers = choose()
        else:
            ratio = float(kept["ratio"])
            self._centers = at_rows(kept["centers"], distances, ratio if ratio > 0 else None)
        return self._centers

    def state(self, cost: Array) -> dict[str, Array] | None:
        """What was kept of a run on these costs."""
        if self._kept is None or str(self._kept["cost"]) != digest_of([cost]):
            return None
        return self._kept

    def offer(self, cost: Array, state: Callable[[], dict[str, Array]]) -> None:
        """Take the state of a run on these costs, if it is time to."""
        if self.checkpoint.is_due:
            about = {
                "cost": np.array(digest_of([cost])),
                "centers": self._centers.indices,
                "ratio": np.array(self._centers.proven_ratio or 0.0),
            }
            try:
                self.checkpoint.write(self.digest, state() | about)
            except OSError as problem:
                self._warn_of(problem)

    def _warn_of(self, problem: OSError) -> None:
        """Once; it is tried again as often as before: there may be room by then."""
        if not self._warned:
            self._warned = True
            warnings.warn(
                f"checkpoint: {self.checkpoint.path} cannot be written ({problem.strerror}). The"
                " fit goes on without it; if it is lost, it begins anew or where the file last"
                " was.",
                RuntimeWarning,
                stacklevel=2,
            )

    def remove(self) -> None:
        """The fit is done."""
        self.checkpoint.remove()
