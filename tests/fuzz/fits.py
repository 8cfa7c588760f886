"""Fits through the estimator, with interrupts, time limits and lost processes, judged by all."""

import tempfile
import time
import warnings
from contextlib import nullcontext
from pathlib import Path

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from tests.fuzz import clocks, referee
from tests.fuzz.afterwards import afterwards
from tests.fuzz.generate import packed

SLOW = 15.0  # seconds that a fit of some tens of points may take
LATE = 3.0  # beyond a time limit: centres, pairs and certificate are not limited
ORACLE_CELLS, ORACLE_SHARE = 600, 0.5  # pairs times centres that CVXPY is given, and how often
OVERFLOW = 1e3  # room for sums of costs


def estimator(made, rng):
    """A fit, judged from all sides, and asked about later."""
    with_oracle = rng.random() < ORACLE_SHARE
    model, complaints = fitted(made, rng)
    if model is None:
        return complaints
    complaints += judge(made, model, with_oracle)
    if not complaints:
        complaints += afterwards(made, model, rng)
    return complaints


def fitted(made, rng):
    """(model, complaints); no model where the fit was refused."""
    from likewise import InvalidArgument, LikewiseClustering

    model = LikewiseClustering(**made.options)
    started = time.perf_counter(), time.process_time()
    try:
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            complaints = _fit(made, model, rng)
    except InvalidArgument as refusal:
        return None, agreed(made, refusal)
    except ValueError as refusal:
        return None, [] if "overflow" in str(refusal) else [f"ValueError: {refusal}"]
    return model, complaints + _judge_time_and_words(made, model, started, said)


def _fit(made, model, rng):
    told = dict(sensitive_features=made.groups, sample_weight=made.weights)
    if "checkpoint" in made.notes:
        return _lost_and_resumed(made, model, told, rng)
    soon = 0.1 * rng.random() ** 2
    with clocks.interrupted(soon) if "interrupted" in made.notes else nullcontext():
        model.fit(packed(made), **told)
    return []


def _lost_and_resumed(made, model, told, rng):
    """The process is lost at some check; the same fit goes on, to the same answer."""
    from sklearn.base import clone

    X, complaints = packed(made), []
    undisturbed = clone(model).fit(X, **told)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "state.npz"
        model.set_params(checkpoint=str(file))
        try:
            with clocks.lost_after(int(rng.integers(1, 12))):
                model.fit(X, **told)
        except clocks.Lost:
            made.found.add("lost, then resumed" if file.exists() else "lost before a checkpoint")
            model.fit(X, **told)
        if left := [path.name for path in Path(folder).iterdir()]:
            complaints.append(f"left behind: {left}")
    if not np.array_equal(model.distributions_, undisturbed.distributions_):
        off = np.abs(model.distributions_ - undisturbed.distributions_).max()
        complaints.append(f"not the answer of an undisturbed fit, off by {off:.3g}")
    return complaints


def _judge_time_and_words(made, model, started, said):
    complaints, tol = [], made.options["tol"]
    by_the_clock, of_work = time.perf_counter() - started[0], time.process_time() - started[1]
    limit = made.options.get("max_time")
    # by its work: other processes may hold up this one
    if limit is not None and of_work > limit + LATE:
        complaints.append(f"late: {by_the_clock:.1f} s, {limit:.1f} s were allowed")
    if of_work > SLOW:
        made.found.add(f"slow, above {SLOW:g} s of work")
    of_stopping = [each for each in said if issubclass(each.category, ConvergenceWarning)]
    warned = any("stopped at a gap" in str(each.message) for each in of_stopping)
    if model.gap_ > tol:
        if not warned:
            complaints.append(f"gap {model.gap_:.2e} above tol {tol:g}, not a word")
        hurried = limit is not None or "interrupted" in made.notes
        made.found.add("above tol, in a hurry" if hurried else "above tol, and says so")
    categories = {each.category.__name__ for each in said}
    if "SamenessWarning" in categories:
        made.found.add("nearly the same for everybody, and says so")
    odd = categories - {"ConvergenceWarning", "SamenessWarning", "UserWarning"}
    if odd:
        text = [str(each.message) for each in said if each.category.__name__ in odd]
        complaints.append(f"warnings: {odd}: {text[0]}")
    return complaints


def agreed(made, refusal):
    """Complaints about a refusal that the referee does not agree with."""
    D, k = made.D, made.options["n_clusters"]
    made.found.add("refused")
    if refusal.argument in ("cost", "X"):
        with np.errstate(over="ignore"):
            p = 1 if np.isinf(made.options["p"]) else made.options["p"]
            weight = 1.0 if made.weights is None else made.weights.max()
            if not np.isfinite((D**p).sum() * weight * OVERFLOW):
                return []
    if refusal.argument == "n_clusters" and k > made.n:
        return []
    return [f"refused: {refusal}"]


def judge(made, model, with_oracle):
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
        off = referee.distance_rounding(made.options["metric"])
        if farthest > model.cost_ * (1 + 1e-12) + off:
            complaints.append(f"somebody is sent {farthest:.12g}, beyond {model.cost_:.12g}")
    if not complaints and with_oracle and reach is None:
        complaints += _optimum(made, model, problem)
    return complaints


def _problem(made, model):
    weights = np.ones(made.n) if made.weights is None else made.weights
    p = made.options["p"]
    if (model.center_indices_ >= 0).all():
        reach = made.D[:, model.center_indices_]
    else:
        reach = referee.cdist(made.X, model.cluster_centers_)
    power = 1 if np.isinf(p) else p
    cost = weights[:, None] * reach**power
    farthest, off = reach.max(), referee.distance_rounding(made.options["metric"])
    off = ((farthest + off) ** power - farthest**power) * weights.sum()
    problem = referee.Problem(cost, made.bounds, made.divergence, weights, made.limits, off)
    return problem, reach if np.isinf(p) else None


def _optimum(made, model, problem):
    pairs = np.isfinite(problem.bounds).sum()
    if pairs * problem.cost.shape[1] > ORACLE_CELLS or problem.cost.max() == 0:
        return []
    rounded = referee.distance_rounding(made.options["metric"])
    if rounded and made.options["n_neighbors"] is not None:
        return []  # who is the last of the neighbours may be a matter of rounding
    positive = problem.bounds[(problem.bounds > 0) & np.isfinite(problem.bounds)]
    if len(positive) and positive.min() < 1e-6:  # more than Clarabel can tell apart
        return []
    best = referee.optimum(problem)
    if best is None:
        return []
    made.found.add("compared with CVXPY")
    complaints = []
    slack = 1e-6 * float(problem.cost.sum(axis=0).max()) + problem.rounding + 1e-300
    if model.lower_bound_ > best + slack:
        complaints.append(f"lower bound {model.lower_bound_:.12g} above the optimum {best:.12g}")
    if model.objective_ < best - slack:
        complaints.append(f"cost {model.objective_:.12g} below the optimum {best:.12g}")
    return complaints
