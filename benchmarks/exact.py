"""The exact engine: against the whole program at n = 300, and at the paper's n = 1000."""

from benchmarks import instances
from benchmarks.generic import highs
from benchmarks.table import Table
from likewise import certify, solve
from likewise.solvers.solve import EXACT_VARIABLES


def against_the_whole_program() -> Table:
    table = Table(
        "Exact engine against the whole program in HiGHS (scipy), n = 300, m = 75",
        ["instance", "ours", "whole", "ratio", "relative difference"],
    )
    rows = instances.paper(n=300, similarity="global", dataset="creditcard", k=(4, 10))
    for instance in rows or [instances.generated(300, 4, 75)]:
        ours = solve(instance.problem, "exact")
        objective, seconds = highs(instance.problem)
        table.add(
            instance.name,
            f"{ours.seconds:.2f} s",
            f"{seconds:.1f} s",
            f"{seconds / ours.seconds:.0f}x",
            f"{instance.problem.objective(ours.distributions) / objective - 1:.0e}",
        )
    return table


def at_the_papers_size() -> Table:
    table = Table(
        "Exact engine, n = 1000 (their seconds: CPLEX, 20 cores)",
        ["instance", "seconds", "theirs", "rounds", "pairs", "cuts", "gap", "vs reference"],
    )
    for instance in instances.paper(n=1000, sample=1):
        ours = solve(instance.problem, "exact")
        certificate = certify(instance.problem, ours.distributions, ours.duals)
        off = certificate.objective / instance.problem.n_points / instance.expected - 1
        table.add(
            instance.name,
            f"{ours.seconds:.2f}",
            f"{instance.their_seconds:,.0f}",
            ours.trace["rounds"],
            ours.trace["pairs_with_cuts"],
            ours.trace["cuts"],
            f"{certificate.gap:.0e}",
            f"{off:.0e}",
        )
    return table


def crossover() -> Table:
    """Where `auto` changes from one engine to the other (``EXACT_VARIABLES``)."""
    table = Table(
        "Which engine: exact (to the optimum) and first-order (to 1e-4), seconds",
        ["instance", "fairness", "variables", "exact", "first-order", "auto takes"],
    )
    for algorithm in ("ALG-IF", "ALG-CF"):
        for n in (80, 300, 1000):
            rows = instances.paper(
                algorithm, n=n, sample=1, similarity="global", dataset=("adult", "creditcard"),
                k=(2, 4, 6, 10),
            )  # fmt: skip
            for instance in rows:
                cost = instance.problem.cost
                seconds = [
                    solve(instance.problem, solver, tol=1e-4).seconds
                    for solver in ("exact", "first-order")
                ]
                takes = "exact" if cost.size <= EXACT_VARIABLES else "first-order"
                fairness = "individual" if algorithm == "ALG-IF" else "combined"
                row = [f"{value:.2f}" for value in seconds]
                table.add(instance.name, fairness, f"{cost.size:,}", *row, takes)
    return table


TABLES = [against_the_whole_program, at_the_papers_size, crossover]
