"""An answer against the problem it answers: every bound, and how far from the best it can be."""

import numpy as np

from likewise._typing import Array
from likewise.certificate.evidence import Certificate, RadiusProof
from likewise.certificate.lower_bound import possible_costs, proven_bound
from likewise.certificate.pairs import check_pairs
from likewise.certificate.sameness import sameness_of
from likewise.compute.budget import CERTIFYING, Budget
from likewise.compute.threads import plain_blas
from likewise.groups.bounds import GroupBounds
from likewise.problem.assignment import AssignmentProblem, Duals, negligible_cost, relative_gap
from likewise.problem.supports import distances_that_count, supports_suffice


@plain_blas()
def certify(
    problem: AssignmentProblem,
    distributions: Array,
    duals: Duals | None = None,
    budget: Budget | None = None,
) -> Certificate:
    """Check an answer against the problem it answers.

    Without duals the lower bound is the cost of giving everybody to the nearest centre. Where the
    budget does not suffice for all pairs, as many are checked as it allows.
    """
    with (budget or Budget()).cut_short(CERTIFYING):
        pairs, alike = check_pairs(problem, distributions)
    groups_checked, worst_group_excess, worst_group = _check_groups(problem.groups, distributions)
    objective = problem.objective(distributions)
    bound = float(possible_costs(problem).min(axis=1).sum())  # everybody to the nearest centre
    if duals is not None:
        bound = max(bound, proven_bound(problem, duals, alike))
    bound = min(bound, objective)
    return Certificate(
        pairs_checked=pairs.n_pairs,
        pairs_left=0 if pairs.is_whole else max(1, len(problem.pairs) - pairs.n_pairs),
        worst_excess=pairs.worst_excess,
        worst_pair=pairs.worst_pair,
        groups_checked=groups_checked,
        worst_group_excess=worst_group_excess,
        worst_group=worst_group,
        row_sum_error=float(np.abs(distributions.sum(axis=1) - 1.0).max()),
        smallest_probability=float(distributions.min()),
        forbidden_probability=_forbidden_probability(problem, distributions),
        opened_excess=_opened_excess(problem, distributions),
        objective=objective,
        lower_bound=bound,
        gap=relative_gap(objective, bound, negligible_cost(problem.cost)),
        sameness=sameness_of(problem, distributions),
    )


def prove_radius(
    problem: AssignmentProblem,
    distances: Array,
    distributions: Array,
    radius: float,
    next_smaller: float | None,
    duals: Duals | None,
    budget: Budget | None = None,
) -> RadiusProof:
    """Check a radius, and the proof that the next smaller one is impossible: who may use what
    rules it out, or the duals show that some probability must lie beyond it. Cut short, nothing is
    proven.
    """
    reach = distances_that_count(problem, distances)
    farthest = float(reach[distributions > 0].max())
    mass = np.inf if next_smaller is None else 0.0
    if next_smaller is not None:
        with (budget or Budget()).cut_short(CERTIFYING):
            allowed = reach <= next_smaller
            suffices = supports_suffice(allowed, problem)
            mass = _mass_on(~allowed, problem, distributions, duals) if suffices else np.inf
    is_next = next_smaller is None or not ((reach > next_smaller) & (reach < radius)).any()
    return RadiusProof(radius, farthest, next_smaller, mass, is_next and mass > 0)


def _mass_on(
    centers: Array, problem: AssignmentProblem, distributions: Array, duals: Duals | None
) -> float:
    """How much probability every fair answer has on these centres of each point, at least."""
    counted = AssignmentProblem(
        centers, problem.pairs, problem.divergence, problem.groups, executor=problem.executor
    )
    return certify(counted, distributions, duals).lower_bound


def _check_groups(
    groups: GroupBounds | None, distributions: Array
) -> tuple[int, float, tuple[object, object, int] | None]:
    """How many group bounds, the worst excess, and its group and cluster."""
    if groups is None or len(groups) == 0:
        return 0, 0.0, None
    excess = groups.excess(distributions)
    r, c = np.unravel_index(np.argmax(excess), excess.shape)
    return 2 * excess.size, float(excess[r, c]), (*groups.groups.names[r], int(c))


def _forbidden_probability(problem: AssignmentProblem, distributions: Array) -> float:
    if problem.allowed is None:
        return 0.0
    return float(distributions[~problem.allowed].max(initial=0.0))


def _opened_excess(problem: AssignmentProblem, distributions: Array) -> float:
    if problem.n_open is None:
        return 0.0
    return float(distributions.max(axis=0).sum()) - problem.n_open
