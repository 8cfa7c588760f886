"""The whole state of a first-order run as arrays by name, and back: it goes on as if never stopped.

Bit for bit: averages, duals, the working set, what scans have found, when the next check is due.
"""

from functools import reduce
from typing import Any

import numpy as np

from likewise._typing import Array
from likewise.solvers.first_order.run import FirstOrderRun
from likewise.solvers.working_set import CandidatePairs

# what is part of the state, by where it is in a run; all else follows from the problem
_PARTS = {
    "": ("best", "best_cost", "bound", "_best_v", "_best_w"),
    "schedule": ("check", "repair", "attempt"),
    "state": ("x", "x_anchor", "x_image", "reflected", "pull", "weight", "iterations"),
    "state.average": ("steps", "first", "last"),
    "state.duals": ("u", "anchor", "image", "guess", "awake"),
    "state.groups": ("v", "anchor", "image"),
    "state.opening": ("w", "anchor", "image", "y", "y_anchor", "y_image"),
}


def taken(run: FirstOrderRun) -> dict[str, Array]:
    """The state of a run, as arrays that can be written to a file."""
    found = {
        f"{place}.{name}": np.array(getattr(_at(run, place), name))
        for place, names in _PARTS.items()
        for name in names
    }
    found["history"] = np.array(run.history, dtype=np.float64).reshape(-1, 2)
    found["best_alpha"], found["best_beta"] = (np.array(end) for end in run._best_u)
    _put_pairs(found, "pairs", run.state.pairs)
    _put_pairs(found, "best_pairs", run._best_pairs)
    found["scans"], known = run.scanner.memory()
    _put_pairs(found, "known", known)
    return found


def restore(run: FirstOrderRun, kept: dict[str, Array]) -> None:
    """Put a new run on the same problem where the other one was."""
    run.state.duals.replace(_pairs(kept, "pairs"), np.zeros(0, dtype=np.int64))
    run.state._pairs_changed()
    for place, names in _PARTS.items():
        part = _at(run, place)
        for name in names:
            value = kept[f"{place}.{name}"]
            setattr(part, name, value.item() if value.ndim == 0 else value.copy())
    run.history = [(int(iterations), float(gap)) for iterations, gap in kept["history"]]
    run._best_u = kept["best_alpha"], kept["best_beta"]
    run._best_pairs = _pairs(kept, "best_pairs")
    run.scanner.remember(kept["scans"], _pairs(kept, "known"))
    run.is_resumed = True


def _at(run: FirstOrderRun, place: str) -> Any:
    return reduce(getattr, filter(None, place.split(".")), run)


def _put_pairs(found: dict[str, Array], name: str, pairs: CandidatePairs) -> None:
    for column in ("a", "b", "bound", "code"):
        found[f"{name}:{column}"] = getattr(pairs, column)


def _pairs(kept: dict[str, Array], name: str) -> CandidatePairs:
    return CandidatePairs(*(kept[f"{name}:{column}"] for column in ("a", "b", "bound", "code")))
