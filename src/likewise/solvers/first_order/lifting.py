"""Lifting: from an iterate to a better bound, by the method itself.

What polishing is to distributions, this is to duals. The iteration goes on from the iterate with
the balance of steps tilted the other way: distributions follow at once, and duals move no further
than they have to for that. Their distance to the best ones hardly ever grows, while what
distributions had not caught up with yet, and the bound pays for, goes. Measured: where an answer is
there and only its proof is late, 60 iterations often do what a thousand others would.
"""

from likewise.compute.cancellation import check
from likewise.solvers.first_order.pdhg import PrimalDual
from likewise.solvers.merged_problem import MergedProblem
from likewise.solvers.result import MergedDuals
from likewise.solvers.working_set import CandidatePairs

LIGHTER = 0.01  # times as much do dual steps count as in the iteration
ROUND, ROUNDS = 20, 3  # iterations between looks at the bound; such rounds


def lifted(
    problem: MergedProblem, iterate: PrimalDual, bound: float
) -> tuple[float, MergedDuals] | None:
    """The best bound above ``bound`` that is found near the iterate's duals, and its evidence."""
    state = PrimalDual(problem, rebalances=False)
    state.start_like(iterate, iterate.x.image, iterate.pairs, CandidatePairs.none())
    state.weight = LIGHTER * iterate.weight
    best = None
    for _ in range(ROUNDS):
        check()
        state.iterate(ROUND)
        found = state.lower_bound()
        if found > bound:
            bound, best = found, (found, state.evidence())
    return best
