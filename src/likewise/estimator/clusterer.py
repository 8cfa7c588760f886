"""``LikewiseClustering``: its parameters, and how they become a fit."""

from dataclasses import replace
from functools import partial
from numbers import Integral
from os import PathLike

from numpy.random import Generator
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils.validation import check_is_fitted

from likewise._typing import Array, Metric, Seed
from likewise._validation import check_limits, check_number
from likewise.centers.choose import CentersLike, choose_for, warn_of_repeated
from likewise.centers.refine import AUTO
from likewise.compute.budget import Budget
from likewise.compute.threads import plain_blas
from likewise.distributed import RunsOnAnEngine, executor_for, in_memory
from likewise.divergences.registry import Divergence
from likewise.errors import unknown_name
from likewise.estimator.html import ShowsItself
from likewise.estimator.persistence import SavesAndLoads
from likewise.estimator.results import FitResults
from likewise.estimator.transforming import DistancesToCenters
from likewise.fitting.checkpoint import FitCheckpoint
from likewise.fitting.estimate import warn_if_long
from likewise.fitting.lower_bound import LowerBound
from likewise.fitting.pipeline import Fitted, Fitting, Settings
from likewise.io.pickled import KnowsItsVersion
from likewise.prediction.predictor import OutOfSamplePrediction
from likewise.problem.specification import Specification, Task
from likewise.sampling import draw_labels
from likewise.solvers.solve import check_solver

RETURN, RAISE = "return", "raise"  # what Ctrl-C does once there is an answer


class LikewiseClustering(
    KnowsItsVersion,
    RunsOnAnEngine,
    SavesAndLoads,
    ShowsItself,
    DistancesToCenters,
    FitResults,
    OutOfSamplePrediction,
    ClusterMixin,  # type: ignore[misc]
    BaseEstimator,  # type: ignore[misc]
):
    """Clustering that treats like individuals alike.

    Every point gets a probability distribution over the centres, at least expected cost, such that
    the distributions of any two similar points are similar: ``D(x_i || x_j) <= F(i, j)``.

    Parameters
    ----------
    n_clusters : int, default=8
        How many centres: at most one for each row. Where fewer points are distinct, centres are
        repeated and a ``ConvergenceWarning`` says so.
    p : float >= 1, default=2
        The cost of a point at a centre is its distance to the power p: 1 is k-median, 2 k-means.
        inf is k-center: nobody is sent farther than the least radius for which a fair assignment
        exists, and within it the expected distance is least.
    metric : str or callable, default="euclidean"
        Any metric of scikit-learn's (jaccard and its kin on columns of 0 and 1), "precomputed", or
        "gower" for tables with numbers, categories (columns of anything but numbers) and missing
        values; ``cluster_centers_`` then has categories by their numbers, sorted by value.
    divergence : str or Divergence, default="tv"
        How the treatment of two points is compared: "tv" (total variation), "kl", "reverse-kl",
        "jensen-shannon", "hellinger", "chi2", "triangular", "max-ratio", or ``FDivergence(f)``.
    similarity : {"local", "global"}, callable, matrix, sparse matrix or Pairs, default="local"
        How differently two points may be treated at most; see ``likewise.similarities``. "local"
        measures distances by the radius within which a cluster's worth of others lives, "global"
        by the largest distance in the data: one outlier there, and everybody counts as alike.
    bound_scale : float >= 0, default=1.0
        How strict: all bounds of the similarity are multiplied by it. Below 1 people are treated
        more alike than it says (0: all who are compared get the same), above 1 less.
    n_neighbors : int, default=None
        Compare each point with this many nearest neighbours only (ties included); None: with
        every other point.
    centers : "auto", (k, d) array of points or (k,) array of row numbers, default="auto"
        The centres, or "auto" to have them chosen.
    group_tolerance : float in [0, 1), default=None
        Keeps protected groups balanced: in every cluster the share of each group is at least
        1 - delta and at most 1 / (1 - delta) times its share of the data.
    group_bounds : dict, default=None
        ``{(attribute, value): (lower, upper)}``: bounds on the share of a group in every cluster,
        in place of the tolerance's. With one attribute the values alone will do as keys.
    individual : {True, False, "all", "within-groups"}, default=True
        Who is compared with whom: everybody, those who share a protected group, or (False) nobody,
        for group fairness alone. True is the paper's choice: "within-groups" where groups have
        bounds, else "all". Both notions at once between all pairs leave little but the same
        distribution for everybody.
    missing_sensitive : {"group", "error"}, default="group"
        Missing protected values are a group of their own, or an error.
    max_refine : "auto" or int, default="auto"
        How often the centres may be chosen again for the people they really serve: see
        ``likewise.centers.refine``. "auto" moves each centre to the cheapest row for those it
        serves, which keeps every bound, and solves again where that saves at least 1 per cent;
        more clusters then never cost more than one. A number also tries swaps and other starts
        on small data. 0 keeps the vanilla clustering's centres, as the paper does. Given centres
        are never moved.
    solver : {"auto", "exact", "first-order"}, default="auto"
        Which engine assigns the distributions.
    tol : float, default=1e-4
        Relative gap between objective and proven lower bound that is good enough. Under total
        variation the exact engine goes to the optimum whatever this says.
    max_time : float, default=None
        Seconds after which the best fair answer so far is returned, certificate included; where it
        had no time to check every pair, it says how many it did.
    on_interrupt : {"return", "raise"}, default="return"
        What the first Ctrl-C does once the model has the best fair answer so far, within seconds:
        ``fit`` returns, or raises KeyboardInterrupt, which also ends a loop of fits. The second
        one ends at once, as usual.
    engine : {"local", "dask"}, address or dask.distributed.Client, default="local"
        Where work over all pairs is done: in this process, or on a Dask cluster ("dask": the
        current client, or the cores of this machine). The answer is the same.
    checkpoint : path, default=None
        A file to which the state of a long fit is written every two minutes. If the process is
        lost, the same fit goes on from there, to the same answer; it is deleted at the end. Nothing
        is kept of k-center, and of divergences that cannot be compiled.
    random_state : int, RandomState or None, default=None
        Makes the choice of the centres repeatable.
    verbose : int, default=0
        1 shows progress.

    Attributes
    ----------
    distributions_ : (n, k) array
        The distribution of each point over the centres.
    labels_ : (n,) array
        The most likely centre of each point (of several, the nearest).
    cluster_centers_ : (k, d) array
        The centres; not set with precomputed distances.
    center_indices_ : (k,) array
        The rows of X that are the centres; -1 for a given point that is not a row.
    objective_ : float
        The sum over points of weight times expected distance to the power p (for k-center, times
        expected distance).
    cost_ : float
        ``objective_ ** (1 / p)``; for k-center the radius.
    lower_bound_, gap_ : float
        No fair assignment to these centres has an objective below ``lower_bound_``; the gap is
        relative.
    certificate_ : Certificate
        All of the above recomputed from the answer alone, every pair and group bound checked.
    group_bounds_ : dict
        The bounds on groups that were kept: ``{(attribute, value): (lower, upper)}``.
    price_ : float
        ``cost_`` over that of hard clustering to the same centres.
    duals_ : Duals
        The evidence for ``lower_bound_``: what pairs and groups whose bounds bind add to costs;
        ``dual_bounds_`` has the bounds of these pairs. See ``price_of_pairs``.
    solver_ : str
        The engine that was used.
    n_iter_ : int
        Its iterations.
    solve_seconds_ : float
        How long it took, without the centres, the pairs and the certificate.
    n_refined_ : int
        How often the centres were moved or chosen again.
    guarantee_ : float or None
        ``cost_`` is at most this many times that of the best fair clustering, up to the gap: the
        paper's 3^(1-1/p) (rho + 2), where the centres are proven to be within rho of the best
        vanilla clustering (k-median by swaps: 5; a centre at every point: 1); for k-center rho + 2,
        with rho = 2 by farthest first. None where no rho is proven.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> from likewise import LikewiseClustering
    >>> X = np.array([[0.0], [1.0], [2.0], [5.0], [9.0], [10.0]])
    >>> model = LikewiseClustering(n_clusters=2, random_state=0).fit(X)
    >>> model.certificate_.is_fair
    True
    >>> model.distributions_.round(1)
    array([[1. , 0. ],
           [1. , 0. ],
           [1. , 0. ],
           [0.6, 0.4],
           [0. , 1. ],
           [0. , 1. ]])
    """

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        p: float = 2,
        metric: Metric = "euclidean",
        divergence: str | Divergence = "tv",
        similarity: object = "local",
        bound_scale: float = 1.0,
        n_neighbors: int | None = None,
        centers: CentersLike = "auto",
        group_tolerance: float | None = None,
        group_bounds: object = None,
        individual: bool | str = True,
        missing_sensitive: str = "group",
        max_refine: int | str = "auto",
        solver: str = "auto",
        tol: float = 1e-4,
        max_time: float | None = None,
        on_interrupt: str = "return",
        engine: object = "local",
        checkpoint: str | PathLike[str] | None = None,
        random_state: Seed = None,
        verbose: int = 0,
    ) -> None:
        self.n_clusters = n_clusters
        self.p = p
        self.metric = metric
        self.divergence = divergence
        self.similarity = similarity
        self.bound_scale = bound_scale
        self.n_neighbors = n_neighbors
        self.centers = centers
        self.group_tolerance = group_tolerance
        self.group_bounds = group_bounds
        self.individual = individual
        self.missing_sensitive = missing_sensitive
        self.max_refine = max_refine
        self.solver = solver
        self.tol = tol
        self.max_time = max_time
        self.on_interrupt = on_interrupt
        self.engine = engine
        self.checkpoint = checkpoint
        self.random_state = random_state
        self.verbose = verbose

    def fit(
        self,
        X: object,
        y: object = None,
        *,
        sensitive_features: object = None,
        sample_weight: ArrayLike | None = None,
    ) -> "LikewiseClustering":
        """Choose the centres and assign every row of X its distribution.

        Parameters
        ----------
        X : (n, d) array, sparse matrix, data frame, dask array or dask DataFrame
            One row a point; the square matrix of distances if ``metric="precomputed"``.
        y : ignored
            For scikit-learn's pipelines.
        sensitive_features : list, array, Series, dict or data frame, default=None
            The protected attributes, one value a row; several columns are several attributes.
        sample_weight : (n,) array, default=None
            What each point counts in the cost. A point of weight 0 costs nothing but is treated as
            fairly as any other.
        """
        budget = Budget(self.max_time, self.verbose)
        with budget.ended_by_interrupt():
            specification = self._checked_specification()
            X = in_memory(X, self.engine)
            rows, metric = self._rows_to_fit(X)
            specification = replace(specification, metric=metric)
            where = executor_for(self.engine, rows, self.n_clusters, self.verbose)
            if self.engine == "local" and self.max_time is None:
                warn_if_long(specification, rows, self._settings(), budget)
            with plain_blas(), where as executor:
                task = specification.task(rows, sensitive_features, sample_weight, executor, budget)
                fitted = self._fitted(task, budget)
            self._keep(fitted, task, budget)
        if budget.interrupted and self.on_interrupt == RAISE:
            raise KeyboardInterrupt
        return self

    def _fitted(self, task: Task, budget: Budget) -> Fitted:
        """Centres, the fair assignment to them, and its proof; by way of the checkpoint, if any."""
        choose = partial(choose_for, task, self.centers, self.random_state, budget)
        checkpoint = None
        if self.checkpoint is not None and task.pairs_are_known:
            settings = (self.centers, self.random_state, self.max_refine)
            checkpoint = FitCheckpoint(self.checkpoint, [*task.fingerprint(), *settings])
        centers = choose() if checkpoint is None else checkpoint.centers(choose, task.distances)
        warn_of_repeated(self.centers, centers, stacklevel=4)
        fitted = Fitting(task, self._settings(), budget, checkpoint).fit(centers)
        if checkpoint is not None:
            checkpoint.remove()
        return fitted

    def _settings(self) -> Settings:
        return Settings(
            solver=self.solver,
            tol=self.tol,
            max_refine=self.max_refine if isinstance(self.centers, str) else 0,  # given ones stay
            random_state=self.random_state,
        )

    def sample(
        self, n_draws: int = 1, coupled: bool = True, random_state: Seed | Generator = None
    ) -> Array:
        """Labels drawn from ``distributions_``: (n_draws, n), one label a point in each draw.

        With ``coupled``, points share their luck, so that two of them differ with probability at
        most 2 TV / (1 + TV), identical ones never: see ``likewise.sampling``. Without it every
        point is drawn for itself, as in the paper, and a draw may split even identical points.
        """
        check_is_fitted(self)
        return draw_labels(self.distributions_, n_draws, coupled=coupled, random_state=random_state)

    def optimality_ratio(self, bound: LowerBound) -> float:
        """How many times the least that any fair clustering can cost this one costs, at most:
        ``cost_`` over the cost of a bound from ``likewise.lower_bound`` with the same arguments.
        """
        check_is_fitted(self)
        return float(self.cost_ / bound.cost) if bound.cost > 0 else float("inf")

    def _checked_specification(self) -> Specification:
        check_limits(self.tol, self.max_time)
        if self.max_refine != AUTO:
            check_number("max_refine", self.max_refine, Integral, 0)
        check_solver(self.solver)
        if self.on_interrupt not in (RETURN, RAISE):
            raise unknown_name("on_interrupt", self.on_interrupt, [RETURN, RAISE])
        return Specification.of(self.get_params(deep=False))

    def __sklearn_tags__(self) -> object:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.metric == "precomputed"
        tags.input_tags.sparse = True
        return tags
