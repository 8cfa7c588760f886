"""The whole state of a first-order run as arrays by name, and back: it goes on as if never stopped.

Bit for bit: averages, duals, the working set, what scans have found, when the next check is due.
Each part gives and takes its own.
"""

from collections.abc import Mapping

import numpy as np

from likewise._typing import Array
from likewise.solvers.checkpoint import Resumable, named, part


def taken(parts: Mapping[str, Resumable]) -> dict[str, Array]:
    """The state of these parts, as arrays that can be written to a file."""
    state: dict[str, Array] = {}
    for name, owner in parts.items():
        state |= named(name, {key: np.array(array) for key, array in owner.arrays().items()})
    return state


def restore(parts: Mapping[str, Resumable], state: dict[str, Array]) -> None:
    """Put the same parts of a new run on the same problem where the others were, in this order."""
    for name, owner in parts.items():
        owner.restore(part(name, state))
