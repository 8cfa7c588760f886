"""Every divergence: at n = 300 against the whole program in Clarabel (KL), and at n = 4000."""

import time

import numpy as np
from scipy import sparse

from benchmarks import instances
from benchmarks.table import Table
from likewise import AssignmentProblem, certify, solve
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
        for name in ("kl", "hellinger"):
            problem = AssignmentProblem(instance.problem.cost, instance.problem.pairs, name)
            _add(table, problem, tol=1e-3)
    return table


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


TABLES = [every_divergence, kl_against_the_whole_program, at_four_thousand]
