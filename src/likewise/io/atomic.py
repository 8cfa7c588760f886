"""Files and folders that are there whole or not at all.

Everything is written beside its place, under a name that begins with a dot, and put in place in
one step at the end. A full disk, a crash or Ctrl-C leaves what was there before; what was written
beside is removed, unless the process is killed outright.
"""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def write_atomically(path: Path, content: bytes) -> None:
    """Write beside, make sure it is on the disk, then put in place."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, 0o666 & ~_umask())  # as any new file; temporary ones are their owner's only
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


@contextmanager
def atomic_folder(path: Path) -> Iterator[Path]:
    """A folder to write into; it takes the place of ``path`` if all went well."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = _folder_beside(path, ".part")
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
    old = _folder_beside(path, ".old")
    os.rename(path, old / path.name)
    try:
        os.rename(beside, path)
    except BaseException:
        os.rename(old / path.name, path)
        raise
    finally:
        shutil.rmtree(old, ignore_errors=True)


def _folder_beside(path: Path, suffix: str) -> Path:
    return Path(tempfile.mkdtemp(dir=path.parent, prefix=f".{path.name}.", suffix=suffix))


def _umask() -> int:
    """Which permissions new files and folders do not get."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
