"""Files that are there whole or not at all."""

import os
import tempfile
from pathlib import Path


def write_atomically(path: Path, content: bytes) -> None:
    """Write beside, make sure it is on the disk, then put in place in one step.

    A full disk, a crash or Ctrl-C leaves what was there before.
    """
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, 0o666 & ~umask())  # as any new file; temporary ones are their owner's only
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def umask() -> int:
    """Which permissions new files and folders do not get."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
