"""Pairs of merged points, as the solvers handle them."""

from dataclasses import dataclass

import numpy as np

from likewise._typing import Array


@dataclass(frozen=True)
class CandidatePairs:
    """Pairs of merged points (a, b) with their bounds.

    ``code`` is i * n + j for the rows (i, j) of the data that a pair stands for.
    """

    a: Array
    b: Array
    bound: Array
    code: Array

    def __len__(self) -> int:
        return len(self.a)

    def take(self, which: Array | slice) -> "CandidatePairs":
        return CandidatePairs(self.a[which], self.b[which], self.bound[which], self.code[which])

    def keys(self, n_merged: int) -> Array:
        return self.a.astype(np.int64) * n_merged + self.b

    @staticmethod
    def join(parts: "list[CandidatePairs]") -> "CandidatePairs":
        if len(parts) == 1:
            return parts[0]
        columns = zip(*((p.a, p.b, p.bound, p.code) for p in parts), strict=True)
        return CandidatePairs(*(np.concatenate(column) for column in columns))

    @staticmethod
    def none() -> "CandidatePairs":
        rows = np.zeros(0, dtype=np.int32)
        return CandidatePairs(rows, rows, np.zeros(0), np.zeros(0, dtype=np.int64))
