"""What bounds cost: the duals of an answer, in money.

Loosening the bound of a pair a little lowers the least cost by the slope of its support function:
its price. Pairs whose bounds do not bind have none.
"""

from dataclasses import dataclass

import numpy as np

from likewise._typing import Array
from likewise.divergences.registry import Divergence
from likewise.problem.assignment import Duals

# A bound is loosened by this share of it, and by this much at least, to see what that saves: little
# enough to be a slope, much enough to stand above rounding.
RELATIVE_STEP, LEAST_STEP = 1e-4, 1e-9


@dataclass(frozen=True)
class CostlyPair:
    """Two rows whose bound costs much: what the objective would fall by, per unit of more bound."""

    i: int
    j: int
    bound: float
    saving: float


def costly_pairs(
    duals: Duals, bound: Array, divergence: Divergence, count: int
) -> list[CostlyPair]:
    """The pairs whose bounds cost most, the dearest first; ``bound`` has those of the pairs that
    the duals are of.
    """
    kept = np.flatnonzero(np.isfinite(bound))
    alpha, beta, bound = duals.alpha[kept], duals.beta[kept], bound[kept]
    step = np.maximum(RELATIVE_STEP * bound, LEAST_STEP)
    support = divergence.support_function
    saving = (support(alpha, beta, bound + step) - support(alpha, beta, bound)) / step
    return [
        CostlyPair(
            int(duals.i[kept[at]]), int(duals.j[kept[at]]), float(bound[at]), float(saving[at])
        )
        for at in np.argsort(-saving)[:count]
        if saving[at] > 0
    ]
