"""What killed processes left half-written beside the place it was meant for.

Whoever writes holds a lock that the system takes away when the process ends, however it ends. So
what nobody holds is left over, and may go; what another process is writing stays.
"""

import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows: there a file's age tells
    fcntl = None  # type: ignore[assignment]

PART = ".part"  # being written
OLD = ".old"  # a folder with the result that is being replaced
RANDOM_LETTERS = 8  # that ``tempfile`` puts between the name and the suffix
SURELY_LEFT = 24 * 3600.0  # seconds since anything changed, where there are no locks


@contextmanager
def in_use(create: Callable[[], Path]) -> Iterator[Path]:
    """The file or folder that ``create`` makes. Until the end of the block nobody takes it for
    left over.
    """
    path, handle = _held(create)
    try:
        yield path
    finally:
        if handle is not None:
            os.close(handle)


def remove_leftovers(path: Path) -> None:
    """Remove what is left of writings to ``path``. A result that was moved away, when a process
    was killed between moving it and putting the new one there, comes back.
    """
    for left in path.parent.glob(f".{_literally(path.name)}.*"):
        between = left.stem.removeprefix(f".{path.name}.")
        is_ours = left.suffix in (PART, OLD) and len(between) == RANDOM_LETTERS
        if is_ours and "." not in between:
            with _nobodys(left) as free:
                if free:
                    _remove(left, path)


def _remove(left: Path, path: Path) -> None:
    kept = left / path.name
    if left.suffix == OLD and kept.exists() and not path.exists():
        os.rename(kept, path)
    if left.is_dir():
        shutil.rmtree(left, ignore_errors=True)
    else:
        left.unlink(missing_ok=True)


@contextmanager
def _nobodys(path: Path) -> Iterator[bool]:
    """Whether nobody uses it; if so, nobody can begin to until the end of the block."""
    if fcntl is None:
        yield time.time() - path.stat().st_mtime > SURELY_LEFT
        return
    try:
        handle = os.open(path, os.O_RDONLY)
    except OSError:  # gone meanwhile, or not ours to read
        yield False
        return
    try:
        yield _lock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    finally:
        os.close(handle)


def _held(create: Callable[[], Path]) -> tuple[Path, int | None]:
    """What was created, and a handle that holds its lock; None where there are no locks. Another
    process may take it for left over before it is locked: then it is gone, and made once more.
    """
    while True:
        path = create()
        if fcntl is None:
            return path, None
        try:
            handle = os.open(path, os.O_RDONLY)
        except FileNotFoundError:
            continue
        _lock(handle, fcntl.LOCK_SH)
        if path.exists():
            return path, handle
        os.close(handle)


def _lock(handle: int, how: int) -> bool:
    """Whether it could be had. Some network file systems have no locks: there nothing is ever
    taken for left over.
    """
    try:
        fcntl.flock(handle, how)
    except OSError:
        return False
    return True


def _literally(name: str) -> str:
    """For a pattern, in which brackets, stars and question marks mean something."""
    return "".join(f"[{letter}]" if letter in "*?[" else letter for letter in name)
