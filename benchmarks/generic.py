"""The same program, whole, in generic solvers: HiGHS, Clarabel, and OR-Tools PDLP."""

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from scipy import sparse
from scipy.optimize import linprog

from benchmarks import instances
from benchmarks.table import Table
from likewise import AssignmentProblem, solve


def textbook(problem: AssignmentProblem) -> dict:
    """min c.z, A z <= b, E z = 1, z = (x, t) >= 0: a pair has t >= x_i - x_j and sum_c t <= F."""
    n, k = problem.cost.shape
    i, j, bound = unordered_pairs(problem)
    m = len(i)
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
    sums = sparse.kron(sparse.eye_array(m), np.ones((1, k)))
    total = sparse.hstack([sparse.csr_array((m, n * k)), sums])
    simplex = sparse.kron(sparse.eye_array(n), np.ones((1, k)))
    return {
        "c": np.concatenate([problem.cost.ravel(), np.zeros(m * k)]),
        "A": sparse.vstack([difference, total]).tocsr(),
        "b": np.concatenate([np.zeros(m * k), bound]),
        "E": sparse.hstack([simplex, sparse.csr_array((n, m * k))]).tocsr(),
    }


def unordered_pairs(problem: AssignmentProblem) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Each pair once, with its smaller bound: total variation is symmetric."""
    pairs = problem.pairs
    a, b = np.minimum(pairs.i, pairs.j), np.maximum(pairs.i, pairs.j)
    key = a.astype(np.int64) * problem.n_points + b
    order = np.lexsort((pairs.bound, key))
    first = order[np.r_[True, np.diff(key[order]) != 0]]
    return a[first], b[first], pairs.bound[first]


def highs(problem: AssignmentProblem) -> tuple[float, float]:
    """(objective, seconds) in HiGHS through scipy."""
    lp = textbook(problem)
    started = time.perf_counter()
    n = problem.n_points
    answer = linprog(
        lp["c"], A_ub=lp["A"], b_ub=lp["b"], A_eq=lp["E"], b_eq=np.ones(n), method="highs"
    )
    return float(answer.fun), time.perf_counter() - started


def clarabel(problem: AssignmentProblem) -> tuple[float, float]:
    """(objective, seconds) in Clarabel, at its default accuracy."""
    import clarabel as solver

    lp = textbook(problem)
    n_rows, n_columns = lp["A"].shape
    rows = sparse.vstack([lp["E"], lp["A"], -sparse.eye_array(n_columns)]).tocsc()
    right = np.concatenate([np.ones(problem.n_points), lp["b"], np.zeros(n_columns)])
    cones = [solver.ZeroConeT(problem.n_points), solver.NonnegativeConeT(n_rows + n_columns)]
    settings = solver.DefaultSettings()
    settings.verbose = False
    nothing = sparse.csc_array((n_columns, n_columns))
    started = time.perf_counter()
    answer = solver.DefaultSolver(nothing, lp["c"], rows, right, cones, settings).solve()
    return float(answer.obj_val), time.perf_counter() - started


def pdlp(problem: AssignmentProblem) -> tuple[float, float]:
    """(objective, seconds) in OR-Tools PDLP at 1e-4."""
    lp = textbook(problem)
    rows = sparse.csc_array(sparse.vstack([lp["E"], lp["A"]]))
    ones = np.ones(problem.n_points)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "program.npz"
        np.savez(
            path,
            cost=lp["c"],
            lower=np.concatenate([ones, np.full(len(lp["b"]), -np.inf)]),
            upper=np.concatenate([ones, lp["b"]]),
            data=rows.data,
            indices=rows.indices,
            indptr=rows.indptr,
            shape=rows.shape,
        )
        command = [sys.executable, "-m", "benchmarks.pdlp", str(path)]
        run = subprocess.run(command, capture_output=True, text=True, check=True)
    objective, seconds = json.loads(run.stdout.splitlines()[-1])
    return objective, seconds


CASES = [(500, 4, 50), (1000, 5, 10)]  # rows, centres, neighbours, of the paper's credit cards


def compare() -> Table:
    """Ours to a certified 1e-4 against the generic solvers."""
    table = Table(
        "The same program whole, creditcard (ours: tol = 1e-4, certified)",
        ["n, k, m", "solver", "seconds", "ratio to ours", "objective"],
    )
    for case in CASES:
        problem = instances.creditcard_neighbors(*case).problem
        found = _ours(problem) | _theirs(problem)
        ours = next(iter(found.values()))[1]
        for name, (objective, seconds) in found.items():
            ratio = f"{seconds / ours:.0f}x"
            table.add(", ".join(map(str, case)), name, f"{seconds:.2f}", ratio, f"{objective:.6g}")
    return table


def _ours(problem: AssignmentProblem) -> dict[str, tuple[float, float]]:
    """(objective, seconds) by name; what is asked for by default comes first."""
    found = {}
    for engine in ("auto", "first-order"):
        solve(problem, engine)  # compiled kernels from here on
        answer = min((solve(problem, engine) for _ in range(5)), key=lambda a: a.seconds)
        name = f"likewise, {engine}" + (f" ({answer.solver})" if engine == "auto" else "")
        found[name] = (problem.objective(answer.distributions), answer.seconds)
    return found


def _theirs(problem: AssignmentProblem) -> dict[str, tuple[float, float]]:
    return {
        "HiGHS (scipy)": highs(problem),
        "Clarabel": clarabel(problem),
        "OR-Tools PDLP at 1e-4": pdlp(problem),
    }
