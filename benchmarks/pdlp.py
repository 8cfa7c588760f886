"""OR-Tools PDLP on a program in a file: objective and seconds, as a line of JSON.

A process of its own: OR-Tools brings a HiGHS that does not go together with highspy's.
"""

import json
import sys
import time

import numpy as np
from scipy import sparse

ACCURACY = 1e-4


def run(path: str) -> tuple[float, float]:
    from ortools.pdlp import solve_log_pb2, solvers_pb2
    from ortools.pdlp.python import pdlp

    with np.load(path, allow_pickle=False) as file:
        cost, lower, upper = file["cost"], file["lower"], file["upper"]
        rows = sparse.csc_array((file["data"], file["indices"], file["indptr"]), file["shape"])
    program = pdlp.QuadraticProgram()
    program.objective_vector = cost
    program.constraint_matrix = sparse.csc_matrix(rows)
    program.constraint_lower_bounds, program.constraint_upper_bounds = lower, upper
    program.variable_lower_bounds = np.zeros(len(cost))
    program.variable_upper_bounds = np.full(len(cost), np.inf)
    settings = solvers_pb2.PrimalDualHybridGradientParams()
    accuracy = settings.termination_criteria.simple_optimality_criteria
    accuracy.eps_optimal_absolute = accuracy.eps_optimal_relative = ACCURACY
    settings.num_threads = 2
    started = time.perf_counter()
    answer = pdlp.primal_dual_hybrid_gradient(program, settings)
    seconds = time.perf_counter() - started
    assert answer.solve_log.termination_reason == solve_log_pb2.TERMINATION_REASON_OPTIMAL
    return float(cost @ answer.primal_solution), seconds


if __name__ == "__main__":
    print(json.dumps(run(sys.argv[1])))
