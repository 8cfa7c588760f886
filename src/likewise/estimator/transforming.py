"""Distances to the centres, and how cheaply people are served: what pipelines and searches ask for.

As k-means has it: ``transform`` gives the distance of every row to every centre, ``score`` minus
the objective, so that a search for the best model looks for the cheapest one.
"""

from collections.abc import Callable

from numpy.typing import ArrayLike
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from likewise._typing import Array, Matrix
from likewise._validation import check_weights
from likewise.prediction.solve import Prediction
from likewise.problem.costs import expected_total, powers


class DistancesToCenters(
    ClassNamePrefixFeaturesOutMixin,  # type: ignore[misc]
    TransformerMixin,  # type: ignore[misc]
):
    """``transform``, ``score`` and their kin for a fitted clusterer that can predict."""

    p: float
    distributions_: Array
    labels_: Array
    fit: Callable[..., object]
    _rows_of: Callable[..., Matrix]
    _to_centers: Callable[[Matrix], Array]
    _predicted: Callable[[object, object], tuple[Prediction, Array]]

    def transform(self, X: object) -> Array:
        """The distance of each row to each centre: (n, k)."""
        check_is_fitted(self)
        return self._to_centers(self._rows_of(X, accept_sparse="csr"))

    def fit_transform(
        self,
        X: object,
        y: object = None,
        *,
        sensitive_features: object = None,
        sample_weight: ArrayLike | None = None,
    ) -> Array:
        """``fit``, then ``transform`` of the same rows."""
        self.fit(X, sensitive_features=sensitive_features, sample_weight=sample_weight)
        return self.transform(X)

    def fit_predict(
        self,
        X: object,
        y: object = None,
        *,
        sensitive_features: object = None,
        sample_weight: ArrayLike | None = None,
    ) -> Array:
        """``fit``, then the most likely centre of each row."""
        self.fit(X, sensitive_features=sensitive_features, sample_weight=sample_weight)
        return self.labels_

    def score(
        self,
        X: object,
        y: object = None,
        *,
        sensitive_features: object = None,
        sample_weight: ArrayLike | None = None,
    ) -> float:
        """Minus what it costs to treat these people as ``predict_proba`` says: minus the objective,
        for the rows that were fitted.
        """
        found, distances = self._predicted(X, sensitive_features)
        weights = check_weights(sample_weight, distances)
        return -expected_total(found.distributions, powers(distances, self.p), weights)

    @property
    def _n_features_out(self) -> int:
        """As many as there are centres."""
        return int(self.distributions_.shape[1])
