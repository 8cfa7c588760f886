"""How many clusters: what each number of them costs, fairly and not, side by side.

Fair clusterings of the same people for several k, each certified, and each begun as the estimator
would begin it with the same ``random_state``: whoever then fits the k that is suggested finds what
was shown. Only where a k costs more than the one before does it find more. Under the named
similarities bounds never get smaller with k, so what is fair with k - 1 centres is fair with one
more that nobody is sent to, and from there this k is searched for again.
"""

from collections.abc import Iterable, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from numbers import Integral

import numpy as np
from numpy.typing import ArrayLike
from sklearn.metrics import silhouette_score
from sklearn.utils import check_random_state

from likewise._typing import Array, Matrix, Seed
from likewise._validation import check_clusters, check_limits, check_number
from likewise.centers.choose import Centers, at_rows, choose_for
from likewise.centers.refine import AUTO
from likewise.compute.budget import Budget
from likewise.compute.threads import plain_blas
from likewise.errors import InvalidArgument
from likewise.fitting.pipeline import Fitted, Fitting, Settings
from likewise.geometry.mixed import as_rows
from likewise.metrics.individual import violations
from likewise.problem.assignment import Assignment
from likewise.problem.costs import cost_of, lp_cost, ratio_of_costs
from likewise.problem.labels import most_likely
from likewise.problem.specification import Specification, Task

SILHOUETTE_ROWS = 2_000  # among whom silhouettes are computed: the table of distances is square
JUDGED_ROWS = 5_000  # among whom the pairs of hard clustering are judged: 25 million
CANDIDATES = 500  # rows tried for one more centre
# Kaufman and Rousseeuw 1990: an average silhouette below this shows no substantial structure
SUBSTANTIAL = 0.25


@dataclass(frozen=True)
class KRow:
    """What one number of clusters comes to. Costs are ``L_p``, as ``cost_`` of the estimator."""

    n_clusters: int
    hard_cost: float  # of ordinary clustering: everybody at the nearest centre
    fair_cost: float
    lower_bound: float  # no fair assignment to the same centres costs less
    price: float  # fair over hard
    violated_share: float  # of the compared pairs: ordinary clustering is above their bounds
    silhouette: float  # of the most likely labels, -1 to 1; NaN where they are all the same


@dataclass(frozen=True)
class ChoiceOfK:
    """A row for every k, and the one that is suggested, with the reason."""

    table: tuple[KRow, ...]
    suggested: int
    reason: str

    def __str__(self) -> str:
        head = "  k      hard      fair  at least  price  unequal  silhouette"
        rows = (
            f"{row.n_clusters:3d}{'*' if row.n_clusters == self.suggested else ' '}"
            f"{row.hard_cost:9.4g} {row.fair_cost:9.4g} {row.lower_bound:9.4g}"
            f" {row.price:6.3f} {100 * row.violated_share:7.2f}% {row.silhouette:10.3f}"
            for row in self.table
        )
        return "\n".join([head, *rows, f"* {self.reason}"])


def choose_k(
    X: object,
    n_clusters: Iterable[int] = range(2, 13),
    *,
    sensitive_features: object = None,
    sample_weight: ArrayLike | None = None,
    random_state: Seed = None,
    tol: float = 1e-3,
    max_time: float | None = None,
    **specification: object,
) -> ChoiceOfK:
    """Fair clusterings for several numbers of clusters, side by side.

    Parameters
    ----------
    X, sensitive_features, sample_weight
        As in ``fit`` of ``LikewiseClustering``.
    n_clusters : whole numbers, default=range(2, 13)
        Those that are tried.
    random_state, tol
        As in ``LikewiseClustering``, whose ``fit`` with the same two finds the same for the first
        k, and nothing cheaper for any. A ``RandomState`` is left as it is, for that fit.
    max_time : float, default=None
        Seconds for all of them together. What is not proven by then shows in the bounds.
    **specification
        ``p``, ``metric``, ``divergence``, ``similarity``, ``bound_scale``, ``n_neighbors``,
        ``group_tolerance``, ``group_bounds``, ``individual`` and ``missing_sensitive``, as in
        ``LikewiseClustering``.
    """
    check_limits(tol, max_time)
    told = Specification.from_keywords(1, specification)
    rows, metric = as_rows(X, told.metric)
    told = replace(told, metric=metric)
    asked = _checked(n_clusters, rows.shape[0])
    seed = _repeatable(random_state)
    budget = Budget(max_time)
    found: list[KRow] = []
    last: Fitted | None = None
    with plain_blas():
        for k in asked:
            task = replace(told, n_clusters=k).task(rows, sensitive_features, sample_weight)
            random = deepcopy(seed)
            vanilla = choose_for(task, "auto", random)
            settings = settings_for(tol, random)
            share = None if max_time is None else budget.seconds_left / (len(asked) - len(found))
            last = _cheapest(task, vanilla, settings, Budget(share), last)
            found.append(_row(task, vanilla, last))
    return ChoiceOfK(tuple(found), *suggestion(found))


def settings_for(tol: float, random_state: Seed) -> Settings:
    """How each k is fitted."""
    return Settings(tol=tol, max_refine=AUTO, random_state=random_state)


def _repeatable(random_state: Seed) -> Seed:
    """The same chance for every k: where anything will do, a seed of its own."""
    anything = check_random_state(None)
    if check_random_state(random_state) is anything:
        return int(anything.randint(2**31))
    return random_state


def _checked(n_clusters: Iterable[int], n_points: int) -> list[int]:
    asked = list(n_clusters) if isinstance(n_clusters, Iterable) else [n_clusters]
    for k in asked:
        check_number("n_clusters", k, Integral, 1)
    if not asked:
        raise InvalidArgument("n_clusters", "there is none.", "Name whole numbers: range(2, 13).")
    check_clusters(max(asked), n_points)
    return sorted({int(k) for k in asked})


def _cheapest(
    task: Task, vanilla: Centers, settings: Settings, budget: Budget, last: Fitted | None
) -> Fitted:
    """The fair clustering of a task, never dearer than the last one, of fewer clusters."""
    fitted = Fitting(task, settings, budget).fit(vanilla)
    if last is None or _key(fitted) <= _key(last):
        return fitted
    wider = _with_more_centers(task, last)
    other = Fitting(task, settings, budget).fit(*wider)
    return min(fitted, other, key=_key)


def _key(fitted: Fitted) -> float:
    """What is to be least: the radius of k-center, else the objective."""
    radius = fitted.certificate.radius
    return fitted.objective if radius is None else radius.radius


def _with_more_centers(task: Task, last: Fitted) -> tuple[Centers, Assignment]:
    """The centres of a fair clustering and others that would serve people best, to whom nobody is
    sent yet.
    """
    rows, distances = last.centers.indices, task.distances
    others = np.setdiff1d(distances.distinct_rows(), rows)
    step = -(-len(others) // CANDIDATES)
    candidates = others[:: max(step, 1)]
    costs = task.costs(distances.to_rows(candidates))
    nearest = task.costs(last.centers.distances).min(axis=1)
    while len(rows) < task.n_clusters:
        gain = np.maximum(nearest[:, None] - costs, 0.0).sum(axis=0)
        gain[np.isin(candidates, rows)] = -1.0
        best = int(gain.argmax())
        rows, nearest = np.append(rows, candidates[best]), np.minimum(nearest, costs[:, best])
    x = last.assignment.distributions
    more = np.zeros((len(x), task.n_clusters - x.shape[1]))
    return at_rows(rows, distances), Assignment.of(np.hstack([x, more]))


def _row(task: Task, vanilla: Centers, fitted: Fitted) -> KRow:
    nearest, hard = min(
        (_hard(task, centers) for centers in (vanilla, fitted.centers)), key=lambda each: each[1]
    )
    proof, radius = fitted.certificate, fitted.certificate.radius
    if radius is None:
        fair, least = lp_cost(proof.objective, task.p), lp_cost(proof.lower_bound, task.p)
    else:
        fair, least = radius.radius, radius.radius if radius.is_minimal else hard
    labels = most_likely(fitted.assignment.distributions, fitted.centers.distances)
    return KRow(
        n_clusters=task.n_clusters,
        hard_cost=hard,
        fair_cost=fair,
        lower_bound=least,
        price=ratio_of_costs(fair, hard),
        violated_share=_violated(task, nearest),
        silhouette=_silhouette(task, labels),
    )


def _hard(task: Task, centers: Centers) -> tuple[Array, float]:
    """Everybody at the nearest of these centres, and what that costs."""
    x = np.eye(task.n_clusters)[centers.distances.argmin(axis=1)]
    return x, cost_of(x, centers.distances, task.weights, task.p)


def _some(n: int, most: int) -> Array:
    """Everybody, or some of them, always the same."""
    return np.arange(n) if n <= most else np.sort(check_random_state(0).permutation(n)[:most])


def _violated(task: Task, hard: Array) -> float:
    """Of the pairs that are compared, how many hard clustering treats too differently."""
    rows = _some(len(hard), JUDGED_ROWS)
    pairs = task.pairs if len(rows) == len(hard) else task.pairs.of_rows(rows)
    return violations(hard[rows], pairs, task.divergence).share


def _silhouette(task: Task, labels: Array) -> float:
    rows = _some(len(labels), SILHOUETTE_ROWS)
    among, labels = task.distances.among(rows), labels[rows]
    if not 1 < len(np.unique(labels)) < len(labels):
        return float("nan")
    table: Matrix = among.rows(0, among.n_points)
    return float(silhouette_score(table, labels, metric="precomputed"))


def suggestion(rows: Sequence[KRow]) -> tuple[int, str]:
    """The k whose most likely labels are best separated, if they are substantially so; else the one
    after which more clusters save little: where the fair cost lies furthest below the straight line
    from the first k to the last.
    """
    if len(rows) == 1:
        return rows[0].n_clusters, "the only number that was tried"
    separated = [row for row in rows if not np.isnan(row.silhouette)]
    best = max(separated, key=lambda row: row.silhouette, default=None)
    if best is not None and best.silhouette >= SUBSTANTIAL:
        return best.n_clusters, (
            f"k = {best.n_clusters}: its most likely clusters are the best separated (silhouette"
            f" {best.silhouette:.2f})"
        )
    bend = _bend(rows)
    return bend.n_clusters, (
        f"k = {bend.n_clusters}: beyond it more clusters save little; no k has clusters that are"
        f" well separated (silhouettes below {SUBSTANTIAL:g})"
    )


def _bend(rows: Sequence[KRow]) -> KRow:
    k = np.array([row.n_clusters for row in rows], dtype=float)
    cost = np.array([row.fair_cost for row in rows])
    line = np.interp(k, k[[0, -1]], cost[[0, -1]])
    return rows[int((line - cost).argmax())]
