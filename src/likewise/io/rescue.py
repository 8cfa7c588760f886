"""A finished answer that cannot be written where it should go is not lost."""

import errno
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

# what another place may not have: no room, over quota, not writable, broken, gone
ELSEWHERE_MAY_DO = {errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO, errno.ENOENT, errno.EACCES}


@contextmanager
def kept_elsewhere(wanted: Path, write: Callable[[Path], None]) -> Iterator[None]:
    """If the block cannot write to its place, ``write`` is given a folder among the temporary
    ones; the error says where the answer is, or that it is nowhere.
    """
    try:
        yield
    except OSError as problem:
        if problem.errno not in ELSEWHERE_MAY_DO:
            raise
        raise OSError(
            problem.errno,
            f"{problem.strerror}: {wanted} cannot be written. {_kept(write, wanted)}",
        ) from problem


def _kept(write: Callable[[Path], None], wanted: Path) -> str:
    """Where the answer is now, in words."""
    try:
        folder = Path(tempfile.mkdtemp(prefix=f"likewise-{wanted.name}-"))
    except OSError:
        return "Make room and run the command again."
    try:
        write(folder)
    except OSError:
        shutil.rmtree(folder, ignore_errors=True)
        return (
            f"Nor can {folder.parent}. Make room and run the command again; with --checkpoint on"
            " another disk it goes on from there."
        )
    return f"The answer is in {folder}: make room and move it."
