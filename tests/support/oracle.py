"""Is this answer the best one? Checked without the solvers and without stored numbers.

By the conditions of optimality (feasible, dual feasible, complementary slackness) and, for small
problems, by the same program given whole to CVXPY and Clarabel.
"""

import warnings

import cvxpy as cp
import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components

FAIR = 1e-9


def all_pairs(problem):
    """Every constrained pair as three arrays."""
    parts = []
    for block in problem.pairs.blocks():
        places = np.flatnonzero(np.isfinite(block.bound))
        parts.append((*block.pairs_at(places), block.bound.ravel()[places]))
    if not parts:
        return np.zeros(0, int), np.zeros(0, int), np.zeros(0)
    return tuple(np.concatenate(column) for column in zip(*parts, strict=True))


def assert_fair(problem, x, allowed=FAIR):
    i, j, bound = all_pairs(problem)
    assert x.shape == problem.cost.shape
    assert x.min() >= 0
    np.testing.assert_allclose(x.sum(axis=1), 1, rtol=0, atol=1e-12)
    excess = problem.divergence.values(x[i], x[j]) - bound
    assert excess.max(initial=-1) <= allowed
    for coefficient, _ in group_rows(problem):
        assert (coefficient @ x).max() <= allowed * len(x)
    if problem.n_open is not None:
        assert x.max(axis=0).sum() <= problem.n_open + allowed


def group_rows(problem):
    """(coefficient of every point, (side, group)) of each bound on a group: coefficient . x <= 0
    at every centre.
    """
    bounds = problem.groups
    if bounds is None:
        return
    member = bounds.groups.member.toarray()
    for r in range(len(bounds)):
        yield bounds.weights * (member[:, r] - bounds.upper[r]), (0, r)
        yield bounds.weights * (bounds.lower[r] - member[:, r]), (1, r)


def assert_optimal(problem, assignment, tol=1e-7):
    """Feasible, and the duals prove that nothing is cheaper: slackness on every side."""
    x, duals = assignment.distributions, assignment.duals
    assert_fair(problem, x)
    scale = max(float(np.vdot(problem.cost, x)), 1e-12)

    # duals live on constrained pairs and add nothing at one end that they do not take at the other
    i, j, bound = all_pairs(problem)
    known = {(a, b): limit for a, b, limit in zip(i.tolist(), j.tolist(), bound, strict=True)}
    limits = np.array(
        [known[pair] for pair in zip(duals.i.tolist(), duals.j.tolist(), strict=True)]
    )
    constant = duals.alpha + duals.beta
    assert np.ptp(constant, axis=1).max(initial=0) <= tol * scale

    # a pair that pulls is at its bound, with its mass moved from the lowest to the highest dual
    if len(limits):
        pulled = (duals.alpha * (x[duals.i] - x[duals.j])).sum(axis=1)
        paid = limits * np.ptp(duals.alpha, axis=1)
        assert (paid - pulled).sum() <= tol * scale
        assert (paid - pulled).min() >= -tol * scale

    # a group that pulls at a centre is at its bound there
    for coefficient, (side, r) in group_rows(problem):
        multiplier = (duals.above, duals.below)[side][r]
        assert multiplier.min() >= 0
        assert -(multiplier * (coefficient @ x)).sum() <= tol * scale

    # a point that must be equal to others uses only centres that are cheapest for all of them
    reduced = problem.cost.copy()
    np.add.at(reduced, duals.i, duals.alpha)
    np.add.at(reduced, duals.j, duals.beta)
    for coefficient, (side, r) in group_rows(problem):
        reduced += np.outer(coefficient, (duals.above, duals.below)[side][r])
    equal = bound == 0
    n = len(x)
    graph = sparse.coo_array((np.ones(equal.sum()), (i[equal], j[equal])), shape=(n, n))
    count, group = connected_components(graph, directed=False)
    together = np.zeros((count, x.shape[1]))
    np.add.at(together, group, reduced)
    of_group = x[np.unique(group, return_index=True)[1]]
    slack = (together - together.min(axis=1, keepdims=True)) * of_group
    assert slack.sum() <= tol * scale


def fair_pairs(name, p, q, bound):
    """D(p || q) <= bound, row by row, as CVXPY writes it."""
    match name:
        case "tv":
            terms = 0.5 * cp.abs(p - q)
        case "kl":
            terms = cp.kl_div(p, q)
        case "reverse-kl":
            terms = cp.kl_div(q, p)
        case "jensen-shannon":
            terms = 0.5 * (cp.kl_div(p, (p + q) / 2) + cp.kl_div(q, (p + q) / 2))
        case "max-ratio":
            factor = np.exp(bound)[:, None]
            return [p <= cp.multiply(factor, q), q <= cp.multiply(factor, p)]
        case "hellinger":
            root = cp.Variable(p.shape, nonneg=True)  # root^2 <= p q
            return [_product_above(p, q, root), 1 - cp.sum(root, axis=1) <= bound]
        case "chi2" | "triangular" | "custom":
            terms = cp.Variable(p.shape, nonneg=True)  # (p - q)^2 <= terms * weight
            weight = q if name == "chi2" else p + q
            return [_product_above(terms, weight, p - q), cp.sum(terms, axis=1) <= bound]
    return [cp.sum(terms, axis=1) <= bound]


def _product_above(a, b, c):
    """a b >= c^2, entry by entry, a and b not negative: a second-order cone each."""
    a, b, c = (cp.reshape(v, (v.size,), order="C") for v in (a, b, c))
    return cp.SOC(a + b, cp.vstack([2 * c, a - b]), axis=0)


def oracle_objective(problem):
    """The optimal cost according to CVXPY and Clarabel, every pair in the program."""
    n, k = problem.cost.shape
    x = cp.Variable((n, k), nonneg=True)
    i, j, bound = all_pairs(problem)
    constraints = [cp.sum(x, axis=1) == 1]
    same = bound == 0  # as equations: an inequality without an interior is ill-posed
    if same.any():
        constraints.append(x[i[same]] == x[j[same]])
    if not same.all():
        i, j, bound = i[~same], j[~same], bound[~same]
        constraints += fair_pairs(problem.divergence.name, x[i], x[j], bound)
    constraints += [coefficient @ x <= 0 for coefficient, _ in group_rows(problem)]
    if problem.n_open is not None:
        constraints.append(cp.sum(cp.max(x, axis=0)) <= problem.n_open)
    scale = max(float(problem.cost.mean()), 1e-12)
    program = cp.Problem(cp.Minimize(cp.sum(cp.multiply(problem.cost / scale, x))), constraints)
    for accuracy in (1e-10, 1e-8):  # so much accuracy is not always to be had
        try:
            with warnings.catch_warnings():
                warnings.filterwarnings("ignore", "Solution may be inaccurate")
                program.solve(
                    solver=cp.CLARABEL,
                    tol_gap_abs=accuracy,
                    tol_gap_rel=accuracy,
                    tol_feas=accuracy,
                    max_iter=200,
                )
        except cp.SolverError:
            continue
        # "inaccurate" was seen off by 3e-5: nothing to compare with
        if program.status == cp.OPTIMAL:
            return program.value * scale
    raise cp.SolverError(f"Clarabel ended with {program.status!r}")
