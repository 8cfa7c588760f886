"""The proof that comes with every answer, recomputed from the answer alone.

Nothing here is shared with the solvers but the formulas of the divergences, which tests check
against their definitions: a mistake in a solver cannot hide here. Every constrained pair is
checked, block by block, so all n (n - 1) pairs need no n x n memory.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import NamedTuple

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from likewise._typing import Array
from likewise.compute.executor import cut
from likewise.compute.threads import plain_blas
from likewise.divergences.registry import Divergence
from likewise.groups.bounds import GroupBounds
from likewise.groups.membership import describe
from likewise.problem.assignment import AssignmentProblem, Duals, relative_gap
from likewise.problem.supports import distances_that_count, supports_suffice
from likewise.similarities.pairs import PairSource, excess_of

ALLOWED_EXCESS = 1e-9  # no pair and no group of an answer may exceed its bound by more: rounding


@dataclass(frozen=True)
class RadiusProof:
    """k-center: how far anybody is sent, and why nothing smaller will do for these centres."""

    radius: float
    farthest: float  # largest distance at which anybody has any probability
    next_smaller: float | None  # the next candidate: a distance to a centre
    mass_beyond: float  # proven to lie beyond that one; inf: who may use what rules it out
    is_minimal: bool

    def __str__(self) -> str:
        if self.next_smaller is None:
            return f"{self.radius:.8g}, nothing smaller is possible"
        verdict = "impossible" if self.is_minimal else "NOT RULED OUT"
        return f"{self.radius:.8g}; {self.next_smaller:.8g} is {verdict}"


@dataclass(frozen=True)
class Certificate:
    """What was checked and what was found."""

    pairs_checked: int
    worst_excess: float  # largest divergence - bound over all pairs; <= 0: every pair within
    worst_pair: tuple[int, int] | None
    groups_checked: int  # group bounds: two a group and cluster
    worst_group_excess: float  # furthest outside its bounds, in shares of everybody; <= 0: within
    worst_group: tuple[object, object, int] | None  # (attribute, value, cluster)
    row_sum_error: float
    smallest_probability: float
    forbidden_probability: float  # largest at a centre that a point may not use
    opened_excess: float  # how much of centres is opened beyond what may be; <= 0: within
    objective: float
    lower_bound: float
    gap: float  # (objective - lower_bound) / objective
    radius: RadiusProof | None = None  # of k-center

    @property
    def is_fair(self) -> bool:
        """Every row is a distribution, every pair and every group is within its bounds."""
        return (
            self.worst_excess <= ALLOWED_EXCESS
            and self.worst_group_excess <= ALLOWED_EXCESS
            and self.row_sum_error <= ALLOWED_EXCESS
            and self.opened_excess <= ALLOWED_EXCESS
            and self.forbidden_probability == 0
            and self.smallest_probability >= 0
        )

    def as_dict(self) -> dict[str, object]:
        """All of it as plain values, the verdict included."""
        return {**asdict(self), "is_fair": self.is_fair}

    def __str__(self) -> str:
        return self.in_words(lambda row: f"X[{row}]")

    def in_words(self, name_of: Callable[[int], str]) -> str:
        """All of it for people; the worst pair by their names."""
        verdict = "every bound kept" if self.is_fair else "NOT FAIR"
        worst = "" if self.worst_pair is None else f" ({_both(self.worst_pair, name_of)})"
        checked = f"{self.pairs_checked:,} ordered pairs"
        lines = [f"worst pair:  divergence - bound = {self.worst_excess:.2e}{worst}"]
        if self.worst_group is not None:
            checked += f" and {self.groups_checked:,} bounds on groups"
            *name, cluster = self.worst_group
            group = f"{describe((name[0], name[1]))} in cluster {cluster}"
            lines.append(
                f"worst group: {self.worst_group_excess:.2e} of everybody beyond bounds ({group})"
            )
        if self.radius is not None:
            lines.append(f"radius:      {self.radius}")
        return "\n".join(
            [
                f"fair:        {verdict}; {checked} checked",
                *lines,
                f"rows:        sum to 1 within {self.row_sum_error:.1e}",
                f"cost:        {self.objective:.8g}, proven at least {self.lower_bound:.8g}",
                f"gap:         {self.gap:.2e} of the cost",
            ]
        )


def _both(pair: tuple[int, int], name_of: Callable[[int], str]) -> str:
    return " and ".join(name_of(row) for row in pair)


@plain_blas()
def certify(
    problem: AssignmentProblem, distributions: Array, duals: Duals | None = None
) -> Certificate:
    """Check an answer against the problem it answers.

    Without duals the lower bound is the cost of giving everybody to the nearest centre.
    """
    pairs_checked, worst_excess, worst_pair, alike = _check_pairs(problem, distributions)
    groups_checked, worst_group_excess, worst_group = _check_groups(problem.groups, distributions)
    objective = problem.objective(distributions)
    bound = float(_possible_costs(problem).min(axis=1).sum())  # everybody to the nearest centre
    if duals is not None:
        bound = max(bound, _lower_bound(problem, duals, alike))
    bound = min(bound, objective)
    return Certificate(
        pairs_checked=pairs_checked,
        worst_excess=worst_excess,
        worst_pair=worst_pair,
        groups_checked=groups_checked,
        worst_group_excess=worst_group_excess,
        worst_group=worst_group,
        row_sum_error=float(np.abs(distributions.sum(axis=1) - 1.0).max()),
        smallest_probability=float(distributions.min()),
        forbidden_probability=_forbidden_probability(problem, distributions),
        opened_excess=_opened_excess(problem, distributions),
        objective=objective,
        lower_bound=bound,
        gap=relative_gap(objective, bound),
    )


def prove_radius(
    problem: AssignmentProblem,
    distances: Array,
    distributions: Array,
    radius: float,
    next_smaller: float | None,
    duals: Duals | None,
) -> RadiusProof:
    """Check a radius, and the proof that the next smaller one is impossible: who may use what
    rules it out, or the duals show that some probability must lie beyond it.
    """
    reach = distances_that_count(problem, distances)
    farthest = float(reach[distributions > 0].max())
    mass = np.inf
    if next_smaller is not None:
        allowed = reach <= next_smaller
        if supports_suffice(allowed, problem):
            beyond = AssignmentProblem(
                ~allowed,
                problem.pairs,
                problem.divergence,
                problem.groups,
                executor=problem.executor,
            )
            mass = certify(beyond, distributions, duals).lower_bound
    is_next = next_smaller is None or not ((reach > next_smaller) & (reach < radius)).any()
    return RadiusProof(radius, farthest, next_smaller, mass, is_next and mass > 0)


class _PairCheck(NamedTuple):
    """What was found in some blocks of pairs."""

    n_pairs: int
    worst_excess: float
    worst_pair: tuple[int, int] | None
    links: tuple[Array, Array]  # between points bound to be equal


def _check_pairs(
    problem: AssignmentProblem, distributions: Array
) -> tuple[int, float, tuple[int, int] | None, Array]:
    """How many pairs, the worst excess, its pair, and the classes of points bound to be equal."""
    pairs, executor = problem.pairs, problem.executor
    ranges = cut(pairs.n_blocks, executor.parts(len(pairs)))
    parts: list[_PairCheck] = executor.map_parts(
        _check_blocks, executor.scatter(ranges), pairs, problem.divergence, distributions
    )
    checked, worst, where = 0, -np.inf, None
    alike = np.arange(problem.n_points)
    for part in parts:
        checked += part.n_pairs
        if part.worst_excess > worst:
            worst, where = part.worst_excess, part.worst_pair
        alike = _linked(alike, *part.links)
    return checked, worst if where else 0.0, where, alike


def _check_blocks(
    blocks: tuple[int, int], pairs: PairSource, divergence: Divergence, distributions: Array
) -> _PairCheck:
    """The pairs of some blocks, and links between points that they bind to be equal."""
    checked, worst, where = 0, -np.inf, None
    alike = np.arange(len(distributions))
    for block in pairs.blocks(*blocks):
        excess = excess_of(block.divergences(divergence, distributions), block.bound)
        checked += block.n_pairs
        position = np.argmax(excess)
        if excess.flat[position] > worst:
            i, j = block.pairs_at(np.array([position]))
            worst, where = float(excess.flat[position]), (int(i[0]), int(j[0]))
        i, j = block.pairs_at(np.flatnonzero(block.bound == 0))
        alike = _linked(alike, i, j)
    first_of_class = np.unique(alike, return_index=True)[1][alike]
    linked = np.flatnonzero(first_of_class != np.arange(len(alike)))
    return _PairCheck(checked, worst, where, (first_of_class[linked], linked))


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


def _linked(label: Array, i: Array, j: Array) -> Array:
    """The classes of ``label`` after the classes of i and of j have become one."""
    if len(i) == 0:
        return label
    n = len(label)
    graph = sparse.coo_array((np.ones(len(i)), (label[i], label[j])), shape=(n, n))
    return np.asarray(connected_components(graph, directed=False)[1][label])


def _lower_bound(problem: AssignmentProblem, duals: Duals, alike: Array) -> float:
    """Lagrange: the least cost with the duals added, less their support function.

    Points that must be equal (``alike``) move together, so the least is taken over their sum.
    """
    shift, support = cost_shift_and_support(problem, duals)
    together = np.zeros((alike.max() + 1, problem.n_centers))
    np.add.at(together, alike, _possible_costs(problem) + shift)
    return float(together.min(axis=1).sum()) - support


def _possible_costs(problem: AssignmentProblem) -> Array:
    """The costs; infinite where a centre may not be used."""
    if problem.allowed is None:
        return problem.cost
    return np.where(problem.allowed, problem.cost, np.inf)


def cost_shift_and_support(problem: AssignmentProblem, duals: Duals) -> tuple[Array, float]:
    """What duals add to the cost of every point at every centre, and the value of their support
    function: the most that the additions can amount to for any fair answer.
    """
    bound = problem.pairs.bounds_at(duals.i, duals.j)
    support = float(problem.divergence.support_function(duals.alpha, duals.beta, bound).sum())
    shift = np.zeros_like(problem.cost)
    np.add.at(shift, duals.i, duals.alpha)
    np.add.at(shift, duals.j, duals.beta)
    if problem.groups is not None and duals.above.size:
        shift += _cost_shift_of_groups(problem.groups, duals)
    if problem.n_open is not None and duals.opening.size:
        multiplier = np.maximum(duals.opening, 0.0)
        shift += multiplier
        # the best openings, each between 0 and 1, earn this much
        support += float(np.sort(multiplier.sum(axis=0))[-problem.n_open :].sum())
    return shift, support


def _cost_shift_of_groups(groups: GroupBounds, duals: Duals) -> Array:
    """What the multipliers of the group bounds add to the costs. The bounds' right-hand sides are
    zero, so that the support function of multipliers that are not negative is zero as well.
    """
    above, below = np.maximum(duals.above, 0.0), np.maximum(duals.below, 0.0)
    of_everybody = groups.lower @ below - groups.upper @ above
    shift = groups.groups.member @ (above - below) + of_everybody
    return np.asarray(groups.weights[:, None] * shift)
