"""The other surfaces: solve and certify, lower bounds, the frontier, audits, bad input."""

import warnings
from itertools import pairwise

import numpy as np

from tests.fuzz import referee
from tests.fuzz.fits import agreed

OF_BOUNDS = ("n_clusters", "p", "metric", "divergence", "similarity", "n_neighbors",
             "group_tolerance", "group_bounds", "individual", "bound_scale")  # fmt: skip

# What a bound may be off by: rounding, and under cosine that of distances above 1e-6.
NEAR, NEAR_UNDER_COSINE = 1e-11, 3e-10


def lower_level(made, rng):
    """AssignmentProblem, solve and certify, without the estimator."""
    from likewise import AssignmentProblem, Pairs, certify, solve

    k = made.options["n_clusters"]
    cost = rng.exponential(size=(made.n, k)) * 10.0 ** rng.uniform(-4, 4)
    F = made.bounds
    i, j = np.nonzero(np.isfinite(F) & ~np.eye(made.n, dtype=bool))
    problem = AssignmentProblem(cost, Pairs(i, j, F[i, j]), made.options["divergence"])
    answer = solve(problem, made.options["solver"], tol=made.options["tol"], max_time=5)
    found = certify(problem, answer.distributions, answer.duals)
    if found.gap > made.options["tol"]:
        made.found.add("above tol, in a hurry")
    judged = referee.Problem(cost, F, made.divergence, np.ones(made.n), [])
    complaints = referee.check_distributions(answer.distributions)
    complaints += referee.check_fair(judged, answer.distributions)
    complaints += referee.check_cost(
        judged, answer.distributions, found.objective, found.lower_bound
    )
    if answer.finished and found.gap > 10 * made.options["tol"] + 1e-6:
        complaints.append(f"finished, at a gap of {found.gap:.2e}")
    return complaints


def bound(made, rng):
    """lower_bound: below every fair clustering there is."""
    from likewise import InvalidArgument, LikewiseClustering, lower_bound

    options = {name: made.options[name] for name in OF_BOUNDS if name in made.options}
    told = dict(sensitive_features=made.groups, sample_weight=made.weights)
    try:
        found = lower_bound(made.X, tol=1e-2, max_time=1.0, **options, **told)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model = LikewiseClustering(**options, max_time=1.0, random_state=0)
            model.fit(made.X, **told)
    except InvalidArgument as refusal:
        return agreed(made, refusal)
    if found.cost > model.cost_ * (1 + 1e-7) + 1e-300:
        return [f"the lower bound {found.cost:.12g} is above a cost of {model.cost_:.12g}"]
    return []


def price(made, rng):
    """The frontier: looser bounds never cost more, every point is fair to its own bounds."""
    from likewise import InvalidArgument
    from likewise.frontier import frontier

    made.options["p"] = min(made.options["p"], 3.0)
    options = {name: made.options[name] for name in OF_BOUNDS if name in made.options}
    scales = (0.5, 1.0, 2.0)
    try:
        found = frontier(
            made.X, scales=scales, sensitive_features=made.groups, sample_weight=made.weights,
            tol=1e-2, max_time=1.0, random_state=0, **options,
        )  # fmt: skip
    except InvalidArgument as refusal:
        return agreed(made, refusal)
    complaints = []
    weights = np.ones(made.n) if made.weights is None else made.weights
    for point in found:
        F = made.bounds * point.scale
        judged = referee.Problem(point.problem.cost, F, made.divergence, weights, made.limits)
        complaints += referee.check_distributions(point.distributions)
        complaints += referee.check_fair(judged, point.distributions)
    for tight, loose in pairwise(found):
        if loose.lower_bound > tight.objective * (1 + 1e-9) + 1e-300:
            complaints.append(f"bounds times {loose.scale:g} cost more than times {tight.scale:g}")
    return complaints


def audit(made, rng):
    """An audit of random labels or distributions, counted by hand."""
    from likewise.auditing import audit as judge_labels
    from likewise.metrics import constrained_pairs

    k = made.options["n_clusters"]
    labels = rng.integers(0, k, made.n)
    labels[0] = k - 1
    similarity = made.similarity if made.similarity in ("global", "local") else "global"
    metric = made.options["metric"]
    # it may be a matter of rounding who is just about a neighbour
    neighbors = None if referee.distance_rounding(metric) else made.options["n_neighbors"]
    pairs = constrained_pairs(
        made.X, similarity, n_clusters=k, n_neighbors=neighbors, metric=metric
    )
    soft = rng.random() < 0.3
    x = rng.dirichlet(np.ones(k), made.n) if soft else np.eye(k)[labels]
    found = judge_labels(x if soft else labels, pairs, made.groups)
    F = referee.named_bounds(similarity, made.D, k)
    F = referee.only_neighbors(F, made.D, neighbors, metric)
    np.fill_diagonal(F, np.inf)
    excess = 0.5 * np.abs(x[:, None, :] - x[None, :, :]).sum(axis=-1) - F
    violated = int((excess > 1e-9).sum())
    off = NEAR_UNDER_COSINE if metric == "cosine" else NEAR
    near = int((np.abs(excess - 1e-9) < off).sum())  # too near to tell
    if abs(found.pairs.count - violated) > near:
        return [f"{found.pairs.count} pairs violated, by hand {violated}"]
    return []


def bad_input(made, rng):
    """Wrong values are refused with a message that names the argument and a remedy."""
    from likewise import InvalidArgument, LikewiseClustering

    wrong = {
        "n_clusters": [0, -1, 1.5, "three", made.n + 1, None],
        "p": [0.5, "two", np.nan, -1],
        "tol": [-1.0, "small"],
        "max_time": [-1.0, "soon"],
        "n_neighbors": [0, -3, 2.5],
        "solver": ["simplex", 7],
        "metric": ["euclidian", 3],
        "divergence": ["kld", 3],
        "similarity": ["locale", "nearest", np.zeros((made.n, made.n + 1))],
        "centers": ["best", np.array([made.n, 0]), np.array([0, 0]), np.zeros((5, 5))],
        "individual": ["some", 3],
        "group_tolerance": [1.0, -0.1, "wide"],
        "group_bounds": [{("g", 0): (0.9, 0.1)}, "narrow"],
        "max_refine": [-1, 0.5, "some"],
        "bound_scale": [-1.0, np.nan, np.inf, "double"],
        "checkpoint": ["no/such/folder/state.npz"],
    }
    name = str(rng.choice(list(wrong)))
    value = wrong[name][int(rng.integers(len(wrong[name])))]
    made.notes = [f"{name}={value!r}"[:40]]
    options = {"n_clusters": 2, name: value}
    groups = {"g": np.arange(made.n) % 2} if name.startswith("group") else None
    X = np.arange(float(made.n))[:, None]
    try:
        LikewiseClustering(**options).fit(X, sensitive_features=groups)
    except InvalidArgument as refusal:
        named = refusal.argument == name and refusal.problem and refusal.remedy
        return [] if named else [f"{name}={value!r}: {refusal}"]
    except Exception as error:
        return [f"{name}={value!r}: {type(error).__name__}: {error}"]
    return [f"{name}={value!r} was taken without a word"]
