"""Every divergence and every metric: at n = 300 (KL against the whole program in Clarabel), at
n = 4000, over every pair of 10,000, and one's own beside the named one that it is.
"""

import json
import subprocess
import sys
import time
import warnings

import numpy as np
from scipy import sparse

from benchmarks import instances
from benchmarks.table import Table
from likewise import AssignmentProblem, FDivergence, LikewiseClustering, certify, solve
from likewise.divergences.registry import REGISTRY

COLUMNS = ["divergence", "solver", "seconds", "gap", "worst excess"]


def every_divergence() -> Table:
    table = Table("Every divergence, creditcard, n = 300, k = 4, m = 75 (tol = 1e-4)", COLUMNS)
    base = instances.creditcard_neighbors(300, 4, 75).problem
    for name in REGISTRY:
        _add(table, AssignmentProblem(base.cost, base.pairs, name), tol=1e-4)
    return table


def kl_against_the_whole_program() -> Table:
    """Clarabel's time alone: what it takes to write the program down is not counted."""
    table = Table(
        "KL, the same instance whole in Clarabel (exponential cones)",
        ["solver", "seconds", "ratio to ours", "objective", "status"],
    )
    base = instances.creditcard_neighbors(300, 4, 75).problem
    problem = AssignmentProblem(base.cost, base.pairs, "kl")
    ours = min((solve(problem, tol=1e-4) for _ in range(3)), key=lambda answer: answer.seconds)
    objective = problem.objective(ours.distributions)
    table.add("likewise, certified 1e-4", f"{ours.seconds:.2f}", "1x", f"{objective:.6g}", "fair")
    objective, seconds, status = clarabel(problem)
    ratio = f"{seconds / ours.seconds:.0f}x"
    table.add("Clarabel, its defaults", f"{seconds:.2f}", ratio, f"{objective:.6g}", status)
    return table


def at_four_thousand() -> Table:
    table = Table("Curved divergences, creditcard, n = 4000, k = 4, m = 250 (tol = 1e-3)", COLUMNS)
    for instance in instances.paper(sample="by_size", n=4000):
        for name in ("kl", "hellinger", "chi2", "jensen-shannon"):
            problem = AssignmentProblem(instance.problem.cost, instance.problem.pairs, name)
            _add(table, problem, tol=1e-3)
    return table


def one_s_own() -> Table:
    """f alone, beside the same divergence with its formulas written down."""
    table = Table("One's own f(t) = (t - 1)^2 / (t + 1), n = 1000, k = 4, m = 50 (1e-3)", COLUMNS)
    base = instances.creditcard_neighbors(1000, 4, 50).problem
    own = FDivergence(lambda t: (t - 1) ** 2 / (t + 1), name="one's own")
    for divergence in ("triangular", own):
        _add(table, AssignmentProblem(base.cost, base.pairs, divergence), tol=1e-3)
    return table


def refined_centers() -> Table:
    table = Table("max_refine=2, creditcard, n = 40, k = 4", ["divergence", "seconds", "gap"])
    X = instances.reference.samples("creditcard")["X"][0][:40]
    for name in REGISTRY:
        for _ in range(2):  # the first time may compile
            model = LikewiseClustering(4, divergence=name, max_refine=2, random_state=0)
            started = time.perf_counter()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                model.fit(X)
            seconds = time.perf_counter() - started
        table.add(name, f"{seconds:.2f}", f"{model.gap_:.1e}")
    return table


def every_pair() -> Table:
    """Each in a process of its own, so that its peak memory is its own."""
    table = Table(
        "Every pair of 10,000 rows, k = 4, local similarity (whole `fit`, tol = 1e-2)",
        [
            "data",
            "metric",
            "divergence",
            "gap",
            "seconds",
            "of them solving",
            "iterations",
            "one look at all pairs",
            "peak GB",
        ],
    )
    for data, metric, divergence in EVERY_PAIR:
        command = [sys.executable, "-m", "benchmarks.metrics", data, metric, divergence]
        run = subprocess.run(command, capture_output=True, text=True, check=True)
        found = json.loads(run.stdout.splitlines()[-1])
        table.add(
            data,
            metric,
            divergence,
            f"{found['gap']:.1e}",
            f"{found['seconds']:.0f}",
            f"{found['solving']:.0f}",
            f"{found['iterations']:,}",
            f"{found['look']:.2f}",
            f"{found['peak_gb']:.2f}",
        )
    return table


EVERY_PAIR = [
    *(("creditcard", metric, "tv") for metric in ("euclidean", "manhattan", "chebyshev", "cosine")),
    ("adult", "gower", "tv"),
    ("creditcard", "euclidean", "kl"),
    ("creditcard", "euclidean", "hellinger"),
]


def _add(table: Table, problem: AssignmentProblem, tol: float) -> None:
    small = instances.generated(50, problem.n_centers, 5).problem
    solve(AssignmentProblem(small.cost, small.pairs, problem.divergence))  # compile first
    answer = solve(problem, tol=tol)
    certificate = certify(problem, answer.distributions, answer.duals)
    table.add(
        problem.divergence.name,
        answer.solver,
        f"{answer.seconds:.2f}",
        f"{certificate.gap:.1e}",
        f"{certificate.worst_excess:.0e}",
    )


def clarabel(problem: AssignmentProblem) -> tuple[float, float, str]:
    """(objective, seconds, status) of the whole KL program, every pair in it.

    Variables (x, t) with t >= p log(p / q), which is (-t, p, q) in the exponential cone, and
    sum_c t <= F for each ordered pair.
    """
    import clarabel as solver

    n, k = problem.cost.shape
    i, j, bound = problem.pairs.i, problem.pairs.j, problem.pairs.bound
    m = len(i)
    n_x, n_t = n * k, m * k
    centers = np.arange(k)
    column_p = (i[:, None].astype(np.int64) * k + centers).ravel()
    column_q = (j[:, None].astype(np.int64) * k + centers).ravel()
    rows = np.arange(n_t)
    cone = sparse.csr_array(  # b - A z = (-t, p, q) with b = 0
        (
            np.concatenate([np.ones(n_t), -np.ones(2 * n_t)]),
            (
                np.concatenate([3 * rows, 3 * rows + 1, 3 * rows + 2]),
                np.concatenate([n_x + rows, column_p, column_q]),
            ),
        ),
        shape=(3 * n_t, n_x + n_t),
    )
    simplex = sparse.kron(sparse.eye_array(n), np.ones((1, k)))
    sums = sparse.kron(sparse.eye_array(m), np.ones((1, k)))
    A = sparse.vstack(
        [
            sparse.hstack([simplex, sparse.csr_array((n, n_t))]),
            sparse.hstack([-sparse.eye_array(n_x), sparse.csr_array((n_x, n_t))]),
            sparse.hstack([sparse.csr_array((m, n_x)), sums]),
            cone,
        ]
    ).tocsc()
    b = np.concatenate([np.ones(n), np.zeros(n_x), bound, np.zeros(3 * n_t)])
    cones = [
        solver.ZeroConeT(n),
        solver.NonnegativeConeT(n_x + m),
        *(solver.ExponentialConeT() for _ in range(n_t)),
    ]
    settings = solver.DefaultSettings()
    settings.verbose = False
    cost = np.concatenate([problem.cost.ravel(), np.zeros(n_t)])
    nothing = sparse.csc_array((n_x + n_t, n_x + n_t))
    started = time.perf_counter()
    answer = solver.DefaultSolver(nothing, cost, A, b, cones, settings).solve()
    return float(answer.obj_val), time.perf_counter() - started, str(answer.status)


TABLES = [
    every_divergence,
    kl_against_the_whole_program,
    at_four_thousand,
    one_s_own,
    refined_centers,
    every_pair,
]
