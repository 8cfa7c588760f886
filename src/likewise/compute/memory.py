"""How much memory a fit will need, known before it starts.

The bytes per pair, point and centre are measured peaks (``make bench``), rounded up.
"""

import os
from collections.abc import Iterator
from pathlib import Path

from likewise.errors import NotEnoughMemory

BASE = 300 * 2**20  # the interpreter, the libraries and the blocks that scans work on
ADDRESSES = 2 * 2**30  # that polars, numba and LLVM reserve; they hold a fifth of them
PER_LISTED_PAIR = 120  # while the list is sorted; half of it afterwards
PER_POINT = 2_000  # weights, labels, groups, and what is kept of each in scans
PER_POINT_AND_CENTER = 600  # distributions, duals of some ten pairs, and their averages
CURVED = 4  # times as much under curved divergences: duals for both ends, and pairs in both orders


def needed(n: int, k: int, d: int, listed_pairs: int, curved: bool = False) -> int:
    """Bytes that a fit of n points in d dimensions to k centres takes at its peak."""
    per_cell = PER_POINT_AND_CENTER * (CURVED if curved else 1)
    per_point = PER_POINT + per_cell * k + 32 * d
    return BASE + n * per_point + PER_LISTED_PAIR * listed_pairs


def available() -> int | None:
    """Bytes that this process may still take; None where the system does not say."""
    limits = [_free_in_system(), _free_in_container(), _free_in_process()]
    known = [limit for limit in limits if limit is not None]
    return min(known) if known else None


def check(
    n: int, k: int, d: int, n_neighbors: int | None, listed_pairs: int, curved: bool = False
) -> None:
    """Raise before the work starts if it cannot fit; arguments as in ``needed``."""
    wanted, free = needed(n, k, d, listed_pairs, curved), available()
    if free is None or wanted <= free:
        return
    without_pairs = needed(n, k, d, 0, curved)
    remedy = "Fit a sample of the rows, or use a machine with more memory."
    if n_neighbors is not None and without_pairs < free:
        fits = int((free - without_pairs) / PER_LISTED_PAIR / n)
        remedy = (
            f"Lower n_neighbors from {n_neighbors} to about {fits}, or set n_neighbors=None:"
            f" every pair is compared without being listed ({gigabytes(without_pairs)})."
        )
    raise NotEnoughMemory(
        f"X: {n:,} rows need about {gigabytes(wanted)}, but only {gigabytes(free)} are free."
        f" {remedy}"
    )


def check_address_space() -> None:
    """Raise before libraries are loaded that, denied memory, end the process without a word."""
    limit = _address_space()
    if limit is not None and limit < ADDRESSES:
        raise NotEnoughMemory(
            f"this process may use {gigabytes(limit)} of address space (ulimit -v), and the"
            f" libraries alone reserve {gigabytes(ADDRESSES)}. Raise the limit:"
            f" ulimit -v {2 * ADDRESSES // 1024}"
        )


def gigabytes(size: float) -> str:
    """A number of bytes in words."""
    return f"{size / 2**30:.1f} GB"


def _free_in_system() -> int | None:
    try:
        for line in Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    try:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return None


def _free_in_container() -> int | None:
    """The least that any of the control groups around this process has left."""
    known = [free for group in _control_groups() if (free := _free_in_group(group)) is not None]
    return min(known) if known else None


def _control_groups() -> Iterator[Path]:
    """The group of this process and those around it, up to the outermost that can be seen."""
    root = Path("/sys/fs/cgroup")
    yield root
    try:
        lines = Path("/proc/self/cgroup").read_text().splitlines()
    except OSError:
        return
    for line in lines:
        _, controllers, inside = line.split(":", 2)
        if controllers in ("", "memory"):  # the second version, the first
            group = root / controllers / inside.lstrip("/")
            yield group
            yield from group.parents[: len(group.relative_to(root).parts)]


def _free_in_group(group: Path) -> int | None:
    for most, now in (
        ("memory.max", "memory.current"),
        ("memory.limit_in_bytes", "memory.usage_in_bytes"),
    ):
        try:
            return int((group / most).read_text()) - int((group / now).read_text())
        except (OSError, ValueError):  # no such group, or no limit ("max")
            continue
    return None


def _free_in_process() -> int | None:
    """What ``ulimit -v`` leaves."""
    limit = _address_space()
    if limit is None:
        return None
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[0])
    except (OSError, ValueError):
        return None
    return max(limit - pages * os.sysconf("SC_PAGE_SIZE"), 0)


def _address_space() -> int | None:
    """The limit of ``ulimit -v``; None where there is none."""
    try:
        import resource
    except ImportError:  # Windows
        return None
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    return None if limit == resource.RLIM_INFINITY else limit
