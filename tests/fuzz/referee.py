"""The referee: what must hold of any answer, computed without a line of likewise."""

import warnings
from dataclasses import dataclass

import numpy as np
from scipy.spatial.distance import cdist

FAIR = 1e-9  # what a bound may be exceeded by
ROUNDING = 1e-9  # relative, of sums
TIE = 1 + 1e-12


def divergence(name, P, Q):
    """D(P_r || Q_r), row by row, from the textbook."""
    P, Q = np.asarray(P, float), np.asarray(Q, float)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        match name:
            case "tv":
                return 0.5 * np.abs(P - Q).sum(axis=-1)
            case "kl":
                return _relative_entropy(P, Q)
            case "reverse-kl":
                return _relative_entropy(Q, P)
            case "jensen-shannon":
                M = 0.5 * (P + Q)
                return 0.5 * (_relative_entropy(P, M) + _relative_entropy(Q, M))
            case "hellinger" | "own with slope":
                return 0.5 * ((np.sqrt(P) - np.sqrt(Q)) ** 2).sum(axis=-1)
            case "chi2":
                return np.where(P == Q, 0.0, (P - Q) ** 2 / Q).sum(axis=-1)
            case "triangular" | "own":
                return np.where(P == Q, 0.0, (P - Q) ** 2 / (P + Q)).sum(axis=-1)
            case "max-ratio":
                return np.where(P == Q, 0.0, np.abs(np.log(P) - np.log(Q))).max(axis=-1)
    raise KeyError(name)


def _relative_entropy(P, Q):
    return np.where(P > 0, P * np.log(np.where(P > 0, P / Q, 1.0)) - P + Q, Q).sum(axis=-1)


def local_radius(D, k):
    """The distance of each point to its floor(n / k)-th nearest other."""
    n = len(D)
    ball = max(1, min(n // k, n - 1))
    others = D + np.diag(np.full(n, np.inf))
    return np.sort(others, axis=1)[:, ball - 1]


def named_bounds(similarity, D, k):
    """F of the paper: global is d over the largest distance, local d over the radius, at most 1."""
    if similarity == "global":
        largest = D.max()
        return D / largest if largest > 0 else np.zeros_like(D)
    radius = local_radius(D, k)[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(D == 0, 0.0, D / radius)
    return np.minimum(ratio, 1.0)


def later_bounds(similarity, D, between, k, m):
    """(there, back) of later people and fitted ones: as if both had been fitted together.

    ``D`` are distances among the fitted, ``between`` those of the later to the fitted.
    """
    n = len(D)
    if similarity == "global":
        largest = D.max()
        there = back = between / largest if largest > 0 else np.zeros_like(between)
    else:
        inside = max(1, min(n // k, n - 1))
        own = np.sort(between, axis=1)[:, inside - 1 : inside]
        with np.errstate(divide="ignore", invalid="ignore"):
            there = np.minimum(between / own, 1.0)
            back = np.minimum(between / local_radius(D, k)[None, :], 1.0)
    if m is None or m >= n - 1:
        return there, back
    others = D + np.diag(np.full(n, np.inf))
    theirs = np.sort(others, axis=1)[:, m - 1]
    own = np.sort(between, axis=1)[:, m - 1 : m]
    # a hair within: who is just about a neighbour may be left out here, never wrongly in
    near, back_near = between <= own * (1 - 1e-9), between <= theirs[None, :] * (1 - 1e-9)
    return np.where(near, there, np.inf), np.where(back_near, back, np.inf)


def only_neighbors(F, D, m, metric):
    """F where j is among the m nearest of i, ties included; elsewhere there is no bound. Where
    rounding may decide who of several is the last to be near, they are left out.
    """
    n = len(D)
    if m is None or m >= n - 1:
        return F
    others = D + np.diag(np.full(n, np.inf))
    kth = np.sort(others, axis=1)[:, m - 1 : m]
    near = others <= kth * TIE
    if distance_rounding(metric):
        about = np.abs(others - kth) <= 1e-9 * kth
        near &= ~(about & (kth > 0) & (about.sum(axis=1, keepdims=True) > 1))
    return np.where(near, F, np.inf)


def sharing(groups):
    """(n, n): who has a protected value in common."""
    shared = None
    for values in groups.values():
        values = np.asarray(values)
        both_missing = (values != values)[:, None] & (values != values)[None, :]
        same = (values[:, None] == values[None, :]) | both_missing
        shared = same if shared is None else shared | same
    return shared


def group_limits(groups, weights, tolerance):
    """[(members, lower, upper)] of every value of every attribute."""
    total = weights.sum()
    limits = []
    for values in groups.values():
        values = np.asarray(values)
        for value in np.unique(values):
            member = ((values == value) | ((values != values) & (value != value))).astype(float)
            share = float(weights @ member) / total
            high = min(share / (1 - tolerance), 1.0)
            limits.append((member, min(share * (1 - tolerance), high), high))
    return limits


def as_group_bounds(groups, limits):
    """The same limits as a dict, in the order in which ``group_limits`` made them."""
    names = [(name, value) for name in groups for value in np.unique(groups[name]).tolist()]
    return {name: (low, high) for name, (_, low, high) in zip(names, limits, strict=True)}


@dataclass
class Problem:
    """Everything an answer is judged by."""

    cost: np.ndarray  # (n, k), weights included
    bounds: np.ndarray  # (n, n), infinite where nothing is asked
    divergence: str
    weights: np.ndarray
    limits: list  # of groups
    rounding: float = 0.0  # by which the sum of all costs may be off, in cost


def check_distributions(x):
    if not np.isfinite(x).all():
        return ["some probabilities are not numbers"]
    found = []
    if x.min() < 0:
        found.append(f"a probability is {x.min():.3g}")
    if np.abs(x.sum(axis=1) - 1).max() > ROUNDING:
        found.append(f"a row sums to {x.sum(axis=1).max():.15g}")
    return found


def check_fair(problem, x):
    """Complaints about pairs and groups."""
    found = []
    F = problem.bounds.copy()
    np.fill_diagonal(F, np.inf)
    i, j = np.nonzero(np.isfinite(F))
    if len(i):
        value = divergence(problem.divergence, x[i], x[j])
        excess = value - F[i, j]
        worst = int(np.argmax(excess))
        if not excess[worst] <= FAIR:
            found.append(
                f"pair ({i[worst]}, {j[worst]}) differs by {value[worst]:.12g},"
                f" bound {F[i[worst], j[worst]]:.12g}"
            )
    mass = problem.weights[:, None] * x
    total, everybody = mass.sum(axis=0), max(problem.weights.sum(), 1e-300)
    for member, lower, upper in problem.limits:
        part = member @ mass
        excess = max((part - upper * total).max(), (lower * total - part).max()) / everybody
        if excess > FAIR:
            found.append(f"a group is beyond its bounds by {excess:.3g} of everybody")
    return found


def check_cost(problem, x, objective, lower_bound):
    found = []
    real = float((problem.cost * x).sum())
    size = max(abs(real), 1e-300)
    if abs(real - objective) > ROUNDING * size + problem.rounding + 1e-300:
        found.append(f"the objective is {real:.15g}, not {objective:.15g}")
    if lower_bound > objective + ROUNDING * size + problem.rounding:
        found.append(f"the lower bound {lower_bound:.15g} is above the objective {objective:.15g}")
    return found


def optimum(problem, allowed=None):
    """The least cost according to CVXPY and Clarabel; None where it is not sure."""
    import cvxpy as cp

    n, k = problem.cost.shape
    x = cp.Variable((n, k), nonneg=True)
    constraints = [cp.sum(x, axis=1) == 1]
    F = problem.bounds.copy()
    np.fill_diagonal(F, np.inf)
    same = np.argwhere(F == 0)
    if len(same):
        constraints.append(x[same[:, 0]] == x[same[:, 1]])
    largest = LARGEST[problem.divergence]
    i, j = np.nonzero((F > 0) & (largest > F) & np.isfinite(F))
    if len(i):
        constraints += _fair_pairs(problem.divergence, x[i], x[j], F[i, j])
    for member, lower, upper in problem.limits:
        weighted = problem.weights
        constraints.append((weighted * (member - upper)) @ x <= 0)
        constraints.append((weighted * (lower - member)) @ x <= 0)
    if allowed is not None:
        constraints.append(cp.multiply((~allowed).astype(float), x) == 0)
    scale = float(problem.cost.max()) or 1.0
    program = cp.Problem(cp.Minimize(cp.sum(cp.multiply(problem.cost / scale, x))), constraints)
    accuracy = 1e-10
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            program.solve(
                solver=cp.CLARABEL,
                tol_gap_abs=accuracy,
                tol_gap_rel=accuracy,
                tol_feas=accuracy,
                max_iter=200,
            )
    except cp.SolverError:
        return None
    return program.value * scale if program.status == cp.OPTIMAL else None


LARGEST = {
    "tv": 1.0,
    "kl": np.inf,
    "reverse-kl": np.inf,
    "jensen-shannon": np.log(2.0),
    "hellinger": 1.0,
    "chi2": np.inf,
    "triangular": 2.0,
    "own": 2.0,
    "own with slope": 1.0,
    "max-ratio": np.inf,
}


def _fair_pairs(name, p, q, bound):
    import cvxpy as cp

    def product_above(a, b, c):  # a b >= c^2, entry by entry
        a, b, c = (cp.reshape(v, (v.size,), order="C") for v in (a, b, c))
        return cp.SOC(a + b, cp.vstack([2 * c, a - b]), axis=0)

    match name:
        case "tv":
            return [0.5 * cp.sum(cp.abs(p - q), axis=1) <= bound]
        case "kl":
            return [cp.sum(cp.kl_div(p, q), axis=1) <= bound]
        case "reverse-kl":
            return [cp.sum(cp.kl_div(q, p), axis=1) <= bound]
        case "jensen-shannon":
            m = (p + q) / 2
            return [0.5 * cp.sum(cp.kl_div(p, m) + cp.kl_div(q, m), axis=1) <= bound]
        case "hellinger" | "own with slope":
            root = cp.Variable(p.shape, nonneg=True)
            return [product_above(p, q, root), 1 - cp.sum(root, axis=1) <= bound]
        case "max-ratio":
            keep = bound < 30  # e^30: never binds to within rounding
            factor = np.exp(bound[keep])[:, None]
            p, q = p[keep], q[keep]
            return [p <= cp.multiply(factor, q), q <= cp.multiply(factor, p)] if keep.any() else []
    terms = cp.Variable(p.shape, nonneg=True)
    weight = q if name == "chi2" else p + q
    return [product_above(terms, weight, p - q), cp.sum(terms, axis=1) <= bound]


def distance_rounding(metric):
    """What a distance may be off by: 1 - cos is a difference of numbers of size 1."""
    return {"cosine": 1e-15, "gower": 1e-15}.get(metric, 0.0)


def distances(X, metric, like=None):
    """All distances, by scipy; the ranges of columns are those of the rows ``like`` these."""
    X = np.asarray(X.todense()) if hasattr(X, "todense") else np.asarray(X, float)
    if metric == "precomputed":
        return X
    names = {"euclidean": "euclidean", "manhattan": "cityblock", "chebyshev": "chebyshev"}
    if metric == "cosine":  # |u - v|^2 / 2 keeps the digits that 1 - u.v loses
        unit = X / np.sqrt((X * X).sum(axis=1, keepdims=True))
        found = 0.5 * cdist(unit, unit, "sqeuclidean")
        return np.where(found <= 1e-28, 0.0, found)
    if metric == "gower":
        return _gower(X, X if like is None else like)
    return cdist(X, X, names[metric])


def _gower(X, like):
    """The mean over columns that both rows have of their difference as a share of the range."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of columns without a value
        ranges = np.nanmax(like, axis=0) - np.nanmin(like, axis=0)
        share = np.abs(X[:, None] - X[None, :]) / np.where(ranges > 0, ranges, 1.0)
        return np.nan_to_num(np.nanmean(share, axis=2), nan=1.0)
