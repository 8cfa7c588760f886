"""The whole program, every pair in it, given to a generic solver."""

import time

import numpy as np
from scipy import sparse
from scipy.optimize import linprog

from likewise import AssignmentProblem


def unordered_pairs(problem: AssignmentProblem) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Each pair once, with its smaller bound: total variation is symmetric."""
    pairs = problem.pairs
    a, b = np.minimum(pairs.i, pairs.j), np.maximum(pairs.i, pairs.j)
    key = a * problem.n_points + b
    order = np.lexsort((pairs.bound, key))
    first = order[np.r_[True, np.diff(key[order]) != 0]]
    return a[first], b[first], pairs.bound[first]


def highs_through_scipy(problem: AssignmentProblem) -> tuple[float, float]:
    """(objective, seconds) of the textbook program: t >= x_i - x_j, t >= 0, sum t <= F."""
    n, k = problem.cost.shape
    i, j, bound = unordered_pairs(problem)
    m = len(i)
    started = time.perf_counter()
    rows = np.arange(m * k)
    column_i = (i[:, None] * k + np.arange(k)).ravel()
    column_j = (j[:, None] * k + np.arange(k)).ravel()
    ones = np.ones(m * k)
    difference = sparse.csr_array(
        (
            np.concatenate([ones, -ones, -ones]),
            (np.tile(rows, 3), np.concatenate([column_i, column_j, n * k + rows])),
        ),
        shape=(m * k, n * k + m * k),
    )
    total = sparse.hstack(
        [sparse.csr_array((m, n * k)), sparse.kron(sparse.eye_array(m), np.ones((1, k)))]
    )
    simplex = sparse.hstack(
        [sparse.kron(sparse.eye_array(n), np.ones((1, k))), sparse.csr_array((n, m * k))]
    )
    answer = linprog(
        np.concatenate([problem.cost.ravel(), np.zeros(m * k)]),
        A_ub=sparse.vstack([difference, total]).tocsr(),
        b_ub=np.concatenate([np.zeros(m * k), bound]),
        A_eq=simplex.tocsr(),
        b_eq=np.ones(n),
        method="highs",
    )
    return float(answer.fun), time.perf_counter() - started
