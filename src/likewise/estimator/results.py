"""What a fit leaves behind: the attributes of a fitted ``LikewiseClustering``."""

import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from likewise._typing import Array, Matrix
from likewise.certificate import Certificate
from likewise.compute.budget import Budget
from likewise.errors import SamenessWarning
from likewise.fitting.pipeline import Fitted
from likewise.prediction.out_of_sample import FittedPeople, OutOfSampleExtension
from likewise.problem.assignment import Duals
from likewise.problem.costs import cost_of, lp_cost, ratio_of_costs
from likewise.problem.labels import most_likely
from likewise.problem.prices import CostlyPair, costly_pairs
from likewise.problem.specification import Task

ENOUGH_PEOPLE = 100  # of fewer, one cluster for nearly all is no finding to warn of


class FitResults:
    """Keeps the answer of a fit, its proof, and what later people are compared with."""

    p: float
    tol: float
    distributions_: Array
    labels_: Array
    cluster_centers_: Matrix
    center_indices_: Array
    objective_: float
    cost_: float
    lower_bound_: float
    gap_: float
    certificate_: Certificate
    group_bounds_: dict[tuple[object, object], tuple[float, float]]
    solver_: str
    n_iter_: int
    solve_seconds_: float
    n_refined_: int
    guarantee_: float | None
    price_: float
    duals_: Duals
    dual_bounds_: Array
    _extension: OutOfSampleExtension

    def _keep(self, fitted: Fitted, task: Task, budget: Budget) -> None:
        """Everything that a fit leaves behind."""
        self._keep_centers(fitted)
        self._keep_assignment(fitted)
        self._keep_prices(fitted, task)
        self._keep_certificate(fitted.certificate, budget)
        self.group_bounds_ = {} if task.bounds is None else task.bounds.as_dict()
        self._extension = OutOfSampleExtension(
            FittedPeople.of(task, fitted.assignment.distributions)
        )

    def _keep_centers(self, fitted: Fitted) -> None:
        centers = fitted.centers
        self.center_indices_ = centers.indices
        if centers.points is not None:
            self.cluster_centers_ = centers.points
        elif hasattr(self, "cluster_centers_"):
            del self.cluster_centers_  # of an earlier fit
        self.n_refined_ = fitted.n_refined
        self.guarantee_ = fitted.guarantee(self.p)

    def _keep_assignment(self, fitted: Fitted) -> None:
        assignment = fitted.assignment
        self.distributions_ = assignment.distributions
        self.labels_ = most_likely(assignment.distributions, fitted.centers.distances)
        self.solver_ = assignment.solver
        self.n_iter_ = assignment.n_iter
        self.solve_seconds_ = fitted.seconds

    def _keep_prices(self, fitted: Fitted, task: Task) -> None:
        """What fairness costs: all together, and the duals from which the price of each bound
        follows, as far as they are not zero.
        """
        distances, x = fitted.centers.distances, fitted.assignment.distributions
        nearest = np.eye(distances.shape[1])[distances.argmin(axis=1)]
        fair, hard = (cost_of(each, distances, task.weights, task.p) for each in (x, nearest))
        self.price_ = ratio_of_costs(fair, hard)
        self.duals_ = fitted.assignment.duals.binding()
        self.dual_bounds_ = task.pairs.bounds_at(self.duals_.i, self.duals_.j)

    def price_of_pairs(self, count: int = 20) -> list[CostlyPair]:
        """The pairs of rows whose bounds cost most, the dearest first: what the objective would
        fall by for each unit of a looser bound, as far as the duals tell (``duals_``).
        """
        check_is_fitted(self)
        return costly_pairs(
            self.duals_, self.dual_bounds_, self._extension.people.divergence, count
        )

    def _keep_certificate(self, certificate: Certificate, budget: Budget) -> None:
        if certificate.gap > self.tol:
            remedy = "Let it run longer" if budget.interrupted else "Raise max_time or tol"
            warnings.warn(
                f"stopped at a gap of {certificate.gap:.2e}, above tol={self.tol:g}; the answer is"
                f" fair. {remedy}.",
                ConvergenceWarning,
                stacklevel=4,
            )
        same, is_finished = certificate.sameness, certificate.gap <= self.tol
        many = len(self.distributions_) >= ENOUGH_PEOPLE
        if same is not None and same.is_one_cluster and many and is_finished:
            notes = certificate.notes(lambda row: f"X[{row}]")
            warnings.warn(" ".join(notes), SamenessWarning, stacklevel=4)
        radius = certificate.radius
        self.certificate_ = certificate
        self.objective_ = certificate.objective
        self.cost_ = lp_cost(certificate.objective, self.p) if radius is None else radius.radius
        self.lower_bound_ = certificate.lower_bound
        self.gap_ = certificate.gap
