"""Files and folders that are there whole or not at all.

Everything is written beside its place, under a name that begins with a dot, and put in place in
one step at the end. A full disk, a crash or Ctrl-C leaves what was there before; what was written
beside is removed, at once or, if the process was killed outright, by the next one that writes to
the same place (``leftovers``). Folders on the way are made.
"""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from likewise.errors import InvalidArgument
from likewise.io.leftovers import OLD, PART, in_use, remove_leftovers


def check_free(path: Path, replace: bool, argument: str = "out") -> None:
    """The one rule of commands that write: what is there is replaced only if that is asked for. To
    be asked before the work, not after it.
    """
    if path.exists() and not replace:
        raise InvalidArgument(
            argument, f"{path} is there already.", "Choose another place, or replace it (--force)."
        )


def write_atomically(path: Path, content: bytes) -> None:
    """Write beside, make sure it is on the disk, then put in place."""
    _make_parents(path)
    remove_leftovers(path)
    with _about(path), in_use(partial(_file_beside, path)) as beside:
        try:
            with beside.open("wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            os.chmod(beside, 0o666 & ~_umask())  # as any new file; temporary ones are their owner's
            os.replace(beside, path)
        except BaseException:
            beside.unlink(missing_ok=True)
            raise


@contextmanager
def atomic_folder(path: Path) -> Iterator[Path]:
    """A folder to write into; it takes the place of ``path`` if all went well."""
    _make_parents(path)
    remove_leftovers(path)
    with in_use(partial(_folder_beside, path, PART)) as beside:
        try:
            yield beside
            beside.chmod(0o777 & ~_umask())
            _put_in_place(beside, path)
        except BaseException:
            shutil.rmtree(beside, ignore_errors=True)
            raise


def _put_in_place(beside: Path, path: Path) -> None:
    """Folders are not replaced in one step by the system: the old one is moved away first, and
    back if the new one cannot take its place.
    """
    if not path.exists():
        os.rename(beside, path)
        return
    with in_use(partial(_folder_beside, path, OLD)) as old:
        os.rename(path, old / path.name)
        try:
            os.rename(beside, path)
        except BaseException:
            os.rename(old / path.name, path)
            raise
        finally:
            shutil.rmtree(old, ignore_errors=True)


def _make_parents(path: Path) -> None:
    with _about(path):
        path.parent.mkdir(parents=True, exist_ok=True)


@contextmanager
def _about(path: Path) -> Iterator[None]:
    """Errors name the file that was asked for, not the one beside it."""
    try:
        yield
    except OSError as problem:
        if problem.errno is None:
            raise
        raise type(problem)(problem.errno, problem.strerror, str(path)) from problem


def _file_beside(path: Path) -> Path:
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=PART)
    os.close(handle)
    return Path(name)


def _folder_beside(path: Path, suffix: str) -> Path:
    with _about(path):
        return Path(tempfile.mkdtemp(dir=path.parent, prefix=f".{path.name}.", suffix=suffix))


def _umask() -> int:
    """Which permissions new files and folders do not get."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
