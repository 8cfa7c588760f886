"""Whole labels from a fractional group-fair assignment (Bera, Chakrabarty, Flores, Negahbani 2019).

Iterative rounding. Keep, for every cluster and for every group in every cluster, its count between
the whole numbers round the fractional one. A vertex of that program has many whole entries; fix
them, drop every count with few undecided points left (at most 2 (Delta + 1), where a point is in
at most Delta groups), and solve again. Each round decides something, the cost never rises, and at
the end each count is off by at most 4 Delta + 3.
"""

import numpy as np
from scipy import sparse
from scipy.optimize import linprog

from likewise._typing import Array
from likewise.errors import SolverError

WHOLE = 1e-7  # an entry this near to 0 or 1 is decided: HiGHS keeps its bounds to this


def largest_additive_violation(groups_per_point: int) -> int:
    """The guarantee: no count is off by more."""
    return 4 * groups_per_point + 3


def round_to_labels(distributions: Array, cost: Array, member: sparse.csr_array) -> Array:
    """One label a point; ``member[j, r]`` says whether point j is in group r."""
    counted = sparse.csr_array(sparse.hstack([member != 0, np.ones((len(cost), 1))]))
    in_groups = int(np.diff(member.indptr).max(initial=0))
    undecided = _Undecided(distributions, counted)
    labels: Array = distributions.argmax(axis=1)
    few = 2 * (in_groups + 1)
    while len(undecided.point):
        before = undecided.size
        x = undecided.vertex(cost)
        ones = x > 1 - WHOLE
        labels[undecided.point[ones]] = undecided.center[ones]
        undecided.decide(ones, x < WHOLE)
        undecided.drop_counts(few)
        if undecided.size == before:  # the theory rules it out; rounding errors might not
            raise SolverError("the rounding came to a halt. Scale the costs.")
    return labels


class _Undecided:
    """The entries (point, centre) that are still open, and the counts that are still kept."""

    def __init__(self, distributions: Array, counted: sparse.csr_array) -> None:
        x = np.where(distributions < WHOLE, 0.0, distributions)
        self.point, self.center = np.nonzero(x)
        self.counted = counted
        self.n_counts = counted.shape[1]
        self.k: int = distributions.shape[1]
        expected = np.asarray(counted.T @ (x / x.sum(axis=1, keepdims=True)))
        self.least = np.floor(expected + WHOLE).ravel()
        self.most = np.ceil(expected - WHOLE).ravel()
        self.kept = np.ones(self.n_counts * self.k, dtype=bool)

    @property
    def size(self) -> tuple[int, int]:
        """Open entries and kept counts: each round lowers one of them."""
        return len(self.point), int(self.kept.sum())

    def _count_rows(self) -> sparse.csr_array:
        """(count r * k + centre, entry): which open entry adds to which count."""
        entries = sparse.coo_array(self.counted[self.point])
        entry, count = entries.coords
        row = count * self.k + self.center[entry]
        shape = (self.n_counts * self.k, len(self.point))
        return sparse.csr_array((np.ones(len(row)), (row, entry)), shape=shape)

    def vertex(self, cost: Array) -> Array:
        """A vertex of the program over the open entries."""
        rows = self._count_rows()[np.flatnonzero(self.kept)]
        points, one_each = np.unique(self.point, return_inverse=True)
        size = (len(points), len(self.point))
        entries = np.arange(len(self.point))
        answer = linprog(
            cost[self.point, self.center],
            A_ub=sparse.vstack([rows, -rows]),
            b_ub=np.concatenate([self.most[self.kept], -self.least[self.kept]]),
            A_eq=sparse.csr_array((np.ones(size[1]), (one_each, entries)), shape=size),
            b_eq=np.ones(size[0]),
            bounds=(0, 1),
            method="highs-ds",
        )
        if answer.x is None:
            raise SolverError(f"the assignment could not be rounded: {answer.message}.")
        return np.asarray(answer.x)

    def decide(self, ones: Array, zeros: Array) -> None:
        """Fix these entries: the points that got a one are done."""
        added = self._count_rows() @ ones.astype(np.float64)
        self.least -= added
        self.most -= added
        done = np.isin(self.point, self.point[ones])
        stays = ~(done | zeros)
        self.point, self.center = self.point[stays], self.center[stays]

    def drop_counts(self, few: int) -> None:
        """Counts with at most ``few`` open entries are kept no longer."""
        self.kept &= np.diff(self._count_rows().indptr) > few
