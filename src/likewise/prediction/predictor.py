"""What a fitted clustering says about people who come later: methods of ``LikewiseClustering``."""

import warnings
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted, validate_data

from likewise._typing import Array
from likewise.errors import InvalidArgument, RelaxationWarning
from likewise.groups.membership import Groups
from likewise.prediction.out_of_sample import Neighborhood
from likewise.problem.costs import powers


class WelcomesNewcomers:
    """``predict_proba`` and ``predict`` for an estimator that has kept its neighbourhood."""

    metric: Any
    p: float
    missing_sensitive: str
    cost_: float
    center_indices_: Array
    cluster_centers_: Any
    _neighborhood: Neighborhood

    def predict_proba(
        self, X: Any, *, sensitive_features: Any = None, return_relaxation: bool = False
    ) -> Any:
        """Distributions for people who come later: (n, k).

        Each gets the cheapest distribution that is within its bound of every fitted point it would
        have been compared with (those of weight 0 left out of account); a row that was fitted gets
        its own back. Rows do not depend on each other. Where no such distribution exists (see
        ``likewise.prediction``) the bounds of that row are relaxed by the least factor that leaves
        one, and a warning says so.

        Parameters
        ----------
        X : (n, d) array or data frame
            With precomputed distances: those to the fitted rows, (n, fitted).
        sensitive_features : as in fit, default=None
            Needed where only people who share a protected value are compared.
        return_relaxation : bool, default=False
            Also return the factors, one a row; 1 where every bound is kept.
        """
        check_is_fitted(self)
        X = self._validated(X)
        groups = self._groups_of_newcomers(sensitive_features, X.shape[0])
        found = self._neighborhood.welcome(X, self._costs_of_newcomers(X), groups)
        relaxed = found.factors > 1
        if relaxed.any() and not return_relaxation:
            warnings.warn(
                f"{relaxed.sum()} of {len(relaxed)} rows cannot be within all of their bounds;"
                f" theirs were relaxed by factors up to {found.factors.max():.3g}."
                " return_relaxation=True tells which.",
                RelaxationWarning,
                stacklevel=2,
            )
        return (found.distributions, found.factors) if return_relaxation else found.distributions

    def predict(self, X: Any, *, sensitive_features: Any = None) -> Array:
        """The most likely centre of people who come later; see ``predict_proba``."""
        chances = self.predict_proba(X, sensitive_features=sensitive_features)
        return most_likely(chances, self._distances_of_newcomers(self._validated(X)))

    def _validated(self, X: Any) -> Any:
        return validate_data(self, X, dtype=np.float64, order="C", reset=False)

    def _distances_of_newcomers(self, X: Any) -> Array:
        if self.metric == "precomputed":
            return np.asarray(X[:, self.center_indices_], dtype=np.float64)
        return self._neighborhood.to_centers(X, self.cluster_centers_)

    def _costs_of_newcomers(self, X: Any) -> Array:
        away = self._distances_of_newcomers(X)
        if not np.isinf(self.p):
            return powers(away, self.p)
        # k-center: beyond the radius only where fairness leaves nothing nearer. A thousand times
        # the row's own largest distance: enough to be avoided, not so much that others look equal.
        return np.where(away > self.cost_, 1e3 * away.max(axis=1, keepdims=True), away)

    def _groups_of_newcomers(self, sensitive_features: Any, n: int) -> Groups | None:
        if not self._neighborhood.needs_groups:
            return None
        if sensitive_features is None:
            raise InvalidArgument(
                "sensitive_features",
                "people are compared with those who share a protected value, and there is none.",
                "Pass the same attributes as to fit.",
            )
        return Groups.from_features(sensitive_features, n, self.missing_sensitive)


def most_likely(distributions: Array, distances: Array) -> Array:
    """The most likely centre; of several as likely (to within rounding) the nearest."""
    likely = distributions >= distributions.max(axis=1, keepdims=True) - 1e-12
    return np.where(likely, distances, np.inf).argmin(axis=1)
