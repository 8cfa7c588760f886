"""``LikewiseClustering``: the scikit-learn clusterer on top of everything else."""

import warnings
from numbers import Integral, Real
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import validate_data

from likewise import memory
from likewise.centers import choose_centers
from likewise.certificate import ALLOWED_EXCESS, certify
from likewise.checks import check_clusters, check_number, check_weights
from likewise.distances import Distances
from likewise.divergences import as_divergence
from likewise.errors import NotYetSupported, SolverError
from likewise.fairness import read_fairness
from likewise.problem import AssignmentProblem
from likewise.similarities import build_pairs
from likewise.solvers import LISTED_PAIRS, check_solver, solve
from likewise.types import Array


class LikewiseClustering(ClusterMixin, BaseEstimator):
    """Clustering that treats like individuals alike.

    Every point gets a probability distribution over the centres, at least expected cost, such that
    the distributions of any two similar points are similar: ``D(x_i || x_j) <= F(i, j)``.

    Parameters
    ----------
    n_clusters : int, default=8
        How many centres.
    p : float >= 1, default=2
        The cost of a point at a centre is its distance to the power p: 1 is k-median, 2 k-means.
    metric : str or callable, default="euclidean"
        Any metric of ``sklearn.metrics.pairwise_distances``, or ``"precomputed"``.
    divergence : str or Divergence, default="tv"
        How the treatment of two points is compared: "tv" (total variation), "kl", "reverse-kl",
        "jensen-shannon", "hellinger", "chi2", "triangular", "max-ratio", or ``FDivergence(f)``.
    similarity : {"global", "local"}, callable, matrix, sparse matrix or Pairs, default="global"
        How differently two points may be treated at most; see ``likewise.similarities``.
    n_neighbors : int, default=None
        Compare each point with its so many nearest neighbours only (ties included); None: with
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
    solver : {"auto", "exact", "first-order"}, default="auto"
        Which engine assigns the distributions.
    tol : float, default=1e-4
        Relative gap between cost and proven lower bound that is good enough. Under total
        variation the exact engine goes to the optimum whatever this says.
    max_time : float, default=None
        Seconds after which the best fair answer so far is returned.
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
        Expected cost: the sum over points of weight times expected distance to the power p.
    cost_ : float
        ``objective_ ** (1 / p)``.
    lower_bound_, gap_ : float
        No fair assignment to these centres costs less than ``lower_bound_``; the gap is relative.
    certificate_ : Certificate
        All of the above recomputed from the answer alone, every pair and group bound checked.
    group_bounds_ : dict
        The bounds on groups that were kept: ``{(attribute, value): (lower, upper)}``.
    solver_ : str
        The engine that was used.
    n_iter_ : int
        Its iterations.
    solve_seconds_ : float
        How long it took, without the centres, the pairs and the certificate.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> from likewise import LikewiseClustering
    >>> X = np.array([[0.0], [1.0], [2.0], [9.0], [10.0]])
    >>> model = LikewiseClustering(n_clusters=2, centers=np.array([1, 4])).fit(X)
    >>> model.certificate_.is_fair
    True
    >>> model.distributions_.round(1)
    array([[1. , 0. ],
           [0.9, 0.1],
           [0.8, 0.2],
           [0.1, 0.9],
           [0. , 1. ]])
    """

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        p: float = 2,
        metric: Any = "euclidean",
        divergence: Any = "tv",
        similarity: Any = "global",
        n_neighbors: int | None = None,
        centers: Any = "auto",
        group_tolerance: float | None = None,
        group_bounds: Any = None,
        individual: bool | str = True,
        missing_sensitive: str = "group",
        solver: str = "auto",
        tol: float = 1e-4,
        max_time: float | None = None,
        random_state: Any = None,
        verbose: int = 0,
    ) -> None:
        self.n_clusters = n_clusters
        self.p = p
        self.metric = metric
        self.divergence = divergence
        self.similarity = similarity
        self.n_neighbors = n_neighbors
        self.centers = centers
        self.group_tolerance = group_tolerance
        self.group_bounds = group_bounds
        self.individual = individual
        self.missing_sensitive = missing_sensitive
        self.solver = solver
        self.tol = tol
        self.max_time = max_time
        self.random_state = random_state
        self.verbose = verbose

    def fit(
        self,
        X: Any,
        y: Any = None,
        *,
        sensitive_features: Any = None,
        sample_weight: Any = None,
    ) -> "LikewiseClustering":
        """Choose the centres and assign every row of X its distribution.

        Parameters
        ----------
        X : (n, d) array, sparse matrix or data frame
            One row a point; the square matrix of distances if ``metric="precomputed"``.
        y : ignored
            For scikit-learn's pipelines.
        sensitive_features : list, array, Series, dict or data frame, default=None
            The protected attributes, one value a row; several columns are several attributes.
        sample_weight : (n,) array, default=None
            What each point counts in the cost. A point of weight 0 costs nothing but is treated as
            fairly as any other.
        """
        self._check_parameters()
        divergence = as_divergence(self.divergence)
        X = validate_data(
            self, X, accept_sparse="csr", dtype=np.float64, ensure_min_samples=2, order="C"
        )
        n = X.shape[0]
        check_clusters(self.n_clusters, n)
        weights = check_weights(sample_weight, X)
        fairness = read_fairness(
            self.individual,
            sensitive_features,
            weights,
            tolerance=self.group_tolerance,
            explicit=self.group_bounds,
            missing=self.missing_sensitive,
        )
        dimensions = 0 if self.metric == "precomputed" else X.shape[1]  # never copied then
        memory.check(n, self.n_clusters, dimensions, self.n_neighbors, self._listed_pairs(n))
        distances = Distances(X, self.metric)
        centers = choose_centers(
            self.centers,
            distances,
            n_clusters=self.n_clusters,
            p=self.p,
            weights=weights,
            random_state=self.random_state,
        )
        pairs = fairness.pairs(
            lambda: build_pairs(
                self.similarity,
                distances,
                n_clusters=self.n_clusters,
                n_neighbors=self.n_neighbors,
            )
        )
        with np.errstate(over="ignore"):
            cost = weights[:, None] * centers.distances**self.p
        problem = AssignmentProblem(cost, pairs, divergence, fairness.bounds)
        assignment = solve(
            problem, self.solver, tol=self.tol, max_time=self.max_time, verbose=self.verbose
        )
        certificate = certify(problem, assignment.distributions, assignment.duals)
        if not certificate.is_fair:
            raise SolverError(
                f"no answer within {ALLOWED_EXCESS:g} of the bounds was reached:\n{certificate}\n"
                "Scale the data so that distances are neither tiny nor huge, or raise the bounds."
            )
        if certificate.gap > self.tol:
            warnings.warn(
                f"stopped at a gap of {certificate.gap:.2e}, above tol={self.tol:g}; the answer is"
                " fair. Raise max_time or tol.",
                ConvergenceWarning,
                stacklevel=2,
            )
        self.distributions_ = assignment.distributions
        self.labels_ = _most_likely(assignment.distributions, centers.distances)
        self.center_indices_ = centers.indices
        if centers.points is not None:
            self.cluster_centers_ = centers.points
        elif hasattr(self, "cluster_centers_"):
            del self.cluster_centers_  # of an earlier fit
        self.objective_ = certificate.objective
        self.cost_ = certificate.objective ** (1 / self.p)
        self.lower_bound_ = certificate.lower_bound
        self.gap_ = certificate.gap
        self.certificate_ = certificate
        self.group_bounds_ = {} if fairness.bounds is None else fairness.bounds.as_dict()
        self.solver_ = assignment.solver
        self.solve_seconds_ = assignment.seconds
        self.n_iter_ = assignment.n_iter
        return self

    def _check_parameters(self) -> None:
        check_number("n_clusters", self.n_clusters, Integral, 1)
        check_number("p", self.p, Real, 1)
        check_number("tol", self.tol, Real, 0)
        if self.max_time is not None:
            check_number("max_time", self.max_time, Real, 0)
        if self.n_neighbors is not None:
            check_number("n_neighbors", self.n_neighbors, Integral, 1)
        if np.isinf(self.p):
            raise NotYetSupported(
                "p: k-center (p=inf) is not in this version. Use a finite p; a large one is close."
            )
        check_solver(self.solver)

    def _listed_pairs(self, n: int) -> int:
        """How many pairs will be kept as a list."""
        if self.individual is False:
            return 0
        neighbors = n - 1 if self.n_neighbors is None else min(self.n_neighbors, n - 1)
        pairs = n * neighbors
        is_rule = isinstance(self.similarity, str)
        return pairs if neighbors < n - 1 or not is_rule else min(pairs, LISTED_PAIRS)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.metric == "precomputed"
        tags.input_tags.sparse = True
        return tags


def _most_likely(distributions: Array, distances: Array) -> Array:
    """The most likely centre; of several as likely (to within rounding) the nearest."""
    likely = distributions >= distributions.max(axis=1, keepdims=True) - 1e-12
    return np.where(likely, distances, np.inf).argmin(axis=1)
