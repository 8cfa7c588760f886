"""The first-order engine at scale: the paper's sizes, then far beyond them."""

import datetime
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np

from benchmarks import instances, large
from benchmarks.table import Table
from likewise import certify, solve
from likewise.experiments.paper import SECONDS


def by_size() -> Table:
    """The paper's running-time table, on its samples and centres."""
    table = Table(
        "Running time against n (creditcard, k = 4, m = 250, global, tol = 1e-4)",
        ["n", "seconds", "paper", "ratio", "gap", "vs reference", "worst excess"],
    )
    sizes, seconds = [], []
    for instance in instances.paper(sample="by_size"):
        answer, certificate = _solved(instance)
        n = instance.problem.n_points
        sizes.append(n)
        seconds.append(answer.seconds)
        table.add(
            n,
            f"{answer.seconds:.2f}",
            f"{SECONDS[n]:,}",
            f"{SECONDS[n] / answer.seconds:,.0f}x",
            f"{certificate.gap:.1e}",
            f"{_off(instance, certificate):.1e}",
            f"{certificate.worst_excess:.0e}",
        )
    if len(sizes) > 1:
        growth = np.polyfit(np.log(sizes), np.log(seconds), 1)[0]
        table.note(f"Fitted growth: seconds ~ n^{growth:.2f}.")
    return table


def paper_rows() -> Table:
    """Individual fairness: every run of the paper's authors at n = 1000."""
    return _every_run("ALG-IF", "Individual fairness, all n = 1000 runs", "first-order")


def combined_rows() -> Table:
    """Combined fairness: the same, with groups."""
    return _every_run("ALG-CF", "Combined fairness, all n = 1000 runs", "first-order")


def group_rows() -> Table:
    """Group fairness alone: the same, to the optimum."""
    return _every_run("GF", "Group fairness alone, all n = 1000 runs", "exact", similarity="global")


def _every_run(algorithm: str, title: str, solver: str, **wanted) -> Table:
    table = Table(
        f"{title} ({solver}, tol = 1e-4; their seconds: CPLEX, 20 cores)",
        ["instance", "seconds", "theirs", "gap", "vs reference", "pair excess", "group excess"],
    )
    for instance in instances.paper(algorithm, n=1000, sample=1, **wanted):
        answer, certificate = _solved(instance, solver)
        table.add(
            instance.name,
            f"{answer.seconds:.2f}",
            f"{instance.their_seconds:,.0f}",
            f"{certificate.gap:.1e}",
            f"{_off(instance, certificate):.1e}",
            f"{certificate.worst_excess:.0e}",
            f"{certificate.worst_group_excess:.0e}",
        )
    return table


def _solved(instance: instances.Instance, solver: str = "first-order"):
    answer = solve(instance.problem, solver, tol=1e-4)
    return answer, certify(instance.problem, answer.distributions, answer.duals)


def _off(instance: instances.Instance, certificate) -> float:
    return certificate.objective / instance.problem.n_points / instance.expected - 1


def large_cases() -> Table:
    """Each in a process of its own, so that its peak memory is its own."""
    table = Table(
        "Large data (whole `fit`: centres, pairs, solve, certificate)",
        [
            "case",
            "pairs checked",
            "tol",
            "gap",
            "seconds",
            "of them solving",
            "to within 5 %",
            "peak GB",
        ],
    )
    for name, case in large.CASES.items():
        found = _found(name, case)
        if found is None:
            continue
        table.add(
            case.title + (f" (run on {found['date']})" if "date" in found else ""),
            f"{found['pairs']:,}",
            f"{case.tol:g}",
            f"{found['gap']:.1e}",
            f"{found['seconds']:.0f}",
            f"{found['solving']:.0f}",
            f"{found['roughly']:.0f}" if "roughly" in found else "",
            f"{found['peak_gb']:.2f}",
        )
    return table


def _found(name: str, case: large.Case) -> dict | None:
    """What the case took: measured now or, if it is only run on request, as last recorded."""
    if not case.only_on_request:
        return _in_own_process("benchmarks.large", name)
    record = Path(__file__).with_name(f"{name}.json")
    if name in sys.argv:
        found = {**_in_own_process("benchmarks.large", name), "date": str(datetime.date.today())}
        record.write_text(json.dumps(found, indent=1) + "\n")
    return json.loads(record.read_text()) if record.exists() else None


def _in_own_process(module: str, *arguments: str) -> dict:
    run = subprocess.run(
        [sys.executable, "-m", module, *arguments], capture_output=True, text=True, check=False
    )
    if run.returncode:
        raise RuntimeError(f"{module} {arguments} failed:\n{run.stderr[-2000:]}")
    return json.loads(run.stdout.splitlines()[-1])


TABLES: list[Callable[[], Table]] = [
    by_size,
    paper_rows,
    combined_rows,
    group_rows,
    large_cases,
]
