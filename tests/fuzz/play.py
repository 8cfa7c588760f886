"""Cases played through the public surface; each returns complaints, none if all is well."""

import os
import signal
import tempfile
import threading
import time
import warnings
from pathlib import Path

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from tests.fuzz import referee
from tests.fuzz.generate import case, packed

SLOW = 15.0  # seconds that a fit of some tens of points may take
ORACLE_CELLS = 1500  # pairs times centres that CVXPY is given


class Refused(Exception):
    """A documented refusal: a reason that the referee agrees with."""


def estimator(rng):
    """A fit, judged from all sides."""
    made = case(rng)
    model, complaints = _fitted(made, rng)
    if model is None:
        return made, complaints
    complaints += judge(made, model)
    if not complaints and made.container in ("array", "pandas"):
        complaints += _afterwards(made, model, rng)
    return made, complaints


def _fitted(made, rng):
    from likewise import InvalidArgument, LikewiseClustering

    model = LikewiseClustering(**made.options)
    folder = None
    if "checkpoint" in made.notes:
        folder = tempfile.TemporaryDirectory()
        model.set_params(checkpoint=str(Path(folder.name) / "state.npz"))
    timer = None
    before = signal.getsignal(signal.SIGINT)
    if "interrupted" in made.notes:
        signal.signal(signal.SIGINT, lambda *_: None)  # if it comes too late
        timer = threading.Timer(rng.random() * 0.3, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
    started = time.perf_counter()
    try:
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            model.fit(packed(made), sensitive_features=made.groups, sample_weight=made.weights)
    except InvalidArgument as refusal:
        return None, _refusal(made, refusal)
    except ValueError as refusal:
        return None, [] if "overflow" in str(refusal) else [f"ValueError: {refusal}"]
    finally:
        if timer is not None:
            timer.cancel()
            timer.join()
        signal.signal(signal.SIGINT, before)
        if folder is not None:
            left = [path.name for path in Path(folder.name).iterdir()]
            folder.cleanup()
    seconds = time.perf_counter() - started
    complaints = []
    if folder is not None and left:
        complaints.append(f"left behind: {left}")
    limit = made.options.get("max_time")
    slowest = SLOW if limit is None else limit + 3.0
    if seconds > slowest:
        complaints.append(f"SLOW: {seconds:.1f} s")
    warned = any(issubclass(each.category, ConvergenceWarning) for each in said)
    if model.gap_ > made.options["tol"] and not warned:
        complaints.append(f"gap {model.gap_:.2e} above tol {made.options['tol']:g}, not a word")
    free = limit is None and "interrupted" not in made.notes
    if free and model.gap_ > made.options["tol"] and not np.isinf(made.options["p"]):
        complaints.append(f"SHORT: gap {model.gap_:.2e} above tol {made.options['tol']:g}")
    odd = {each.category.__name__ for each in said} - {"ConvergenceWarning", "UserWarning"}
    if odd:
        complaints.append(f"warnings: {odd}")
    return model, complaints


def _refusal(made, refusal):
    """Complaints about a refusal that the referee does not agree with."""
    D, k = made.D, made.options["n_clusters"]
    if refusal.argument in ("cost", "X"):
        with np.errstate(over="ignore"):
            p = 1 if np.isinf(made.options["p"]) else made.options["p"]
            weight = 1.0 if made.weights is None else made.weights.max()
            if not np.isfinite((D**p).sum() * weight * 1e3):
                return []
    if refusal.argument == "n_clusters" and k > made.n:
        return []
    return [f"refused: {refusal}"]


def judge(made, model):
    """What must hold of a fitted model."""
    x = model.distributions_
    complaints = referee.check_distributions(x)
    if complaints:
        return complaints
    problem, reach = _problem(made, model)
    complaints += referee.check_fair(problem, x)
    complaints += referee.check_cost(problem, x, model.objective_, model.lower_bound_)
    if not model.certificate_.is_fair:
        complaints.append("the certificate says that it is not fair")
    if reach is not None:
        counted = problem.weights > 0
        farthest = reach[counted][x[counted] > 0].max(initial=0.0)
        if farthest > model.cost_ * (1 + 1e-12):
            complaints.append(f"somebody is sent {farthest:.12g}, beyond {model.cost_:.12g}")
    if not complaints:
        complaints += _optimum(made, model, problem)
    return complaints


def _problem(made, model):
    weights = np.ones(made.n) if made.weights is None else made.weights
    p = made.options["p"]
    if (model.center_indices_ >= 0).all():
        reach = made.D[:, model.center_indices_]
    else:
        reach = referee.cdist(made.X, model.cluster_centers_)
    cost = weights[:, None] * reach ** (1 if np.isinf(p) else p)
    limits = []
    if made.groups is not None:
        limits = referee.group_limits(made.groups, weights, made.options["group_tolerance"])
    problem = referee.Problem(cost, made.bounds, made.divergence, weights, limits)
    return problem, reach if np.isinf(p) else None


def _optimum(made, model, problem):
    if np.isinf(made.options["p"]):
        return []
    pairs = np.isfinite(problem.bounds).sum()
    if pairs * problem.cost.shape[1] > ORACLE_CELLS or problem.cost.max() == 0:
        return []
    positive = problem.bounds[(problem.bounds > 0) & np.isfinite(problem.bounds)]
    if len(positive) and positive.min() < 1e-6:  # more than Clarabel can tell apart
        return []
    best = referee.optimum(problem)
    if best is None:
        return []
    complaints = []
    slack = 1e-6 * float(problem.cost.sum(axis=0).max()) + 1e-300
    if model.lower_bound_ > best + slack:
        complaints.append(f"lower bound {model.lower_bound_:.12g} above the optimum {best:.12g}")
    if model.objective_ < best - slack:
        complaints.append(f"cost {model.objective_:.12g} below the optimum {best:.12g}")
    return complaints


def _afterwards(made, model, rng):
    """What a fitted model is asked later: labels drawn, later people, saved and loaded."""
    complaints = []
    labels = model.sample(2, random_state=int(rng.integers(100)))
    if labels.shape != (2, made.n) or labels.min() < 0 or labels.max() >= model.n_clusters:
        complaints.append(f"drawn labels of shape {labels.shape}")
    chosen = np.take_along_axis(model.distributions_, labels.T, axis=1)
    if not (chosen > 0).all():
        complaints.append("a label was drawn that has no probability")
    if made.similarity in ("matrix", "sparse", "pairs") or made.options["metric"] == "precomputed":
        return complaints
    X = packed(made)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        chances, factors = model.predict_proba(
            X, sensitive_features=made.groups, return_relaxation=True
        )
    counted = np.ones(made.n, bool) if made.weights is None else made.weights > 0
    complaints += referee.check_distributions(chances)
    apart = np.abs(chances - model.distributions_)[counted].max(initial=0.0)
    unique = made.options["metric"] != "cosine"  # of rows at distance zero, which is meant?
    if unique and apart > 1e-9 and not _split_duplicates(made):
        complaints.append(f"fitted rows get back others' distributions, off by {apart:.3g}")
    if (factors < 1).any():
        complaints.append("a relaxation below 1")
    return complaints


def _split_duplicates(made):
    """Whether rows at distance zero may be treated differently: bounds are not always theirs."""
    same = (made.D == 0) & ~np.eye(made.n, dtype=bool)
    return bool((made.bounds[same] > 0).any())


def lower_level(rng):
    """AssignmentProblem, solve and certify, without the estimator."""
    from likewise import AssignmentProblem, Pairs, certify, solve

    made = case(rng, most=25)
    k = made.options["n_clusters"]
    cost = rng.exponential(size=(made.n, k)) * 10.0 ** rng.uniform(-4, 4)
    F = made.bounds
    i, j = np.nonzero(np.isfinite(F) & ~np.eye(made.n, dtype=bool))
    problem = AssignmentProblem(cost, Pairs(i, j, F[i, j]), made.options["divergence"])
    answer = solve(problem, made.options["solver"], tol=made.options["tol"], max_time=10)
    found = certify(problem, answer.distributions, answer.duals)
    judged = referee.Problem(cost, F, made.divergence, np.ones(made.n), [])
    complaints = referee.check_distributions(answer.distributions)
    complaints += referee.check_fair(judged, answer.distributions)
    complaints += referee.check_cost(
        judged, answer.distributions, found.objective, found.lower_bound
    )
    return made, complaints


def bound(rng):
    """lower_bound: below every fair clustering there is."""
    from likewise import InvalidArgument, LikewiseClustering, lower_bound

    made = case(rng, most=14)
    told = ("n_clusters", "p", "metric", "divergence", "similarity", "n_neighbors",
            "group_tolerance", "individual")  # fmt: skip
    options = {name: made.options[name] for name in told if name in made.options}
    try:
        found = lower_bound(
            made.X, sensitive_features=made.groups, sample_weight=made.weights,
            tol=1e-3, max_time=5.0, **options,
        )  # fmt: skip
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model = LikewiseClustering(**options, max_time=5.0, random_state=0).fit(
                made.X, sensitive_features=made.groups, sample_weight=made.weights
            )
    except InvalidArgument as refusal:
        return made, _refusal(made, refusal)
    if found.cost > model.cost_ * (1 + 1e-7) + 1e-300:
        return made, [f"the lower bound {found.cost:.12g} is above a cost of {model.cost_:.12g}"]
    return made, []


def audit(rng):
    """An audit of random labels, counted by hand."""
    from likewise.auditing import audit as judge_labels
    from likewise.metrics import constrained_pairs

    made = case(rng, most=30)
    k = made.options["n_clusters"]
    labels = rng.integers(0, k, made.n)
    labels[0] = k - 1
    similarity = made.similarity if made.similarity in ("global", "local") else "global"
    pairs = constrained_pairs(
        made.X, similarity, n_clusters=k, n_neighbors=made.options["n_neighbors"],
        metric=made.options["metric"],
    )  # fmt: skip
    found = judge_labels(labels, pairs, made.groups)
    F = referee.only_neighbors(
        referee.named_bounds(similarity, made.D, k), made.D, made.options["n_neighbors"]
    )
    np.fill_diagonal(F, np.inf)
    apart = (labels[:, None] != labels[None, :]).astype(float)
    violated = int((apart - F > 1e-9).sum())
    near = int((np.abs(apart - F - 1e-9) < 1e-11).sum())  # too near to tell
    if abs(found.pairs.count - violated) > near:
        return made, [f"{found.pairs.count} pairs violated, by hand {violated}"]
    return made, []


def bad_input(rng):
    """Wrong values are refused with a message that names the argument and a remedy."""
    from likewise import InvalidArgument, LikewiseClustering

    made = case(rng, most=15)
    wrong = {
        "n_clusters": [0, -1, 1.5, "three", made.n + 1, None],
        "p": [0.5, "two", np.nan, -1],
        "tol": [-1.0, "small"],
        "max_time": [-1.0, "soon"],
        "n_neighbors": [0, -3, 2.5],
        "solver": ["simplex", 7],
        "metric": ["euclidian", 3],
        "divergence": ["kld", 3],
        "similarity": ["locale", "nearest"],
        "individual": ["some", 3],
        "group_tolerance": [1.0, -0.1, "wide"],
        "max_refine": [-1, 0.5],
    }
    name = str(rng.choice(list(wrong)))
    value = wrong[name][int(rng.integers(len(wrong[name])))]
    options = {"n_clusters": 2 if made.n > 1 else 1, name: value}
    groups = {"g": rng.integers(0, 2, made.n)} if name == "group_tolerance" else None
    try:
        LikewiseClustering(**options).fit(np.asarray(made.X)[:, :1], sensitive_features=groups)
    except InvalidArgument as refusal:
        named = refusal.argument == name and refusal.problem and refusal.remedy
        return made, [] if named else [f"{name}={value!r}: {refusal}"]
    except Exception as error:
        return made, [f"{name}={value!r}: {type(error).__name__}: {error}"]
    return made, [f"{name}={value!r} was taken without a word"]


SURFACES = {
    "estimator": (estimator, 0.72),
    "solve": (lower_level, 0.1),
    "lower bound": (bound, 0.05),
    "audit": (audit, 0.05),
    "bad input": (bad_input, 0.05),
    "command line": (None, 0.03),  # set by ``terminal``
}
